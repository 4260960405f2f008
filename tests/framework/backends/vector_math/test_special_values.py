"""Signed zeros, infinities, NaN and poles, as C99 Annex F has them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from .harness import DTYPES, WORDS, compiled, native_width

INF, NAN, PI = math.inf, math.nan, math.pi
ODD = ((0.0, 0.0), (-0.0, -0.0), (NAN, NAN))
UNARY = {
    "exp": ((0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (1e4, INF), (-1e4, 0.0)),
    "expm1": (*ODD, (INF, INF), (-INF, -1.0), (1e4, INF), (-1e4, -1.0)),
    "log": ((0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (-INF, NAN),
            (NAN, NAN), (-1e-40, NAN)),
    "log1p": (*ODD, (-1.0, -INF), (-1.5, NAN), (INF, INF), (-INF, NAN)),
    "sin": (*ODD, (INF, NAN), (-INF, NAN)),
    "cos": ((0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (NAN, NAN)),
    "tan": (*ODD, (INF, NAN), (-INF, NAN)),
    "asin": (*ODD, (1.0, PI / 2), (-1.0, -PI / 2), (1.5, NAN), (-INF, NAN)),
    "acos": ((1.0, 0.0), (-1.0, PI), (0.0, PI / 2), (-0.0, PI / 2), (1.5, NAN), (-1.5, NAN),
             (INF, NAN), (NAN, NAN)),
    "atan": (*ODD, (INF, PI / 2), (-INF, -PI / 2)),
    "sinh": (*ODD, (INF, INF), (-INF, -INF), (1e4, INF), (-1e4, -INF)),
    "cosh": ((0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (NAN, NAN), (-1e4, INF)),
    "tanh": (*ODD, (INF, 1.0), (-INF, -1.0), (1e30, 1.0)),
    "logistic": ((0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (NAN, NAN), (1e4, 1.0),
                 (-1e4, 0.0)),
    "erf": (*ODD, (INF, 1.0), (-INF, -1.0), (7.0, 1.0), (-7.0, -1.0)),
    "sqrt": (*ODD, (4.0, 2.0), (INF, INF), (-1.0, NAN), (-INF, NAN)),
    "rsqrt": ((0.0, INF), (-0.0, -INF), (4.0, 0.5), (INF, 0.0), (-1.0, NAN), (NAN, NAN)),
}  # fmt: skip
ATAN2 = (  # y, x, result
    (0.0, 1.0, 0.0), (-0.0, 1.0, -0.0), (0.0, -1.0, PI), (-0.0, -1.0, -PI), (0.0, 0.0, 0.0),
    (-0.0, 0.0, -0.0), (0.0, -0.0, PI), (-0.0, -0.0, -PI), (1.0, 0.0, PI / 2), (1.0, -0.0, PI / 2),
    (-1.0, 0.0, -PI / 2), (-1.0, -0.0, -PI / 2), (1.0, INF, 0.0), (-1.0, INF, -0.0),
    (1.0, -INF, PI), (-1.0, -INF, -PI), (INF, 1.0, PI / 2), (-INF, -1.0, -PI / 2),
    (INF, INF, PI / 4), (-INF, INF, -PI / 4), (INF, -INF, 3 * PI / 4), (-INF, -INF, -3 * PI / 4),
    (NAN, 1.0, NAN), (1.0, NAN, NAN), (NAN, NAN, NAN), (NAN, 0.0, NAN), (INF, NAN, NAN),
    (0.0, INF, 0.0), (0.0, -INF, PI), (INF, 0.0, PI / 2), (1e38, 1e38, PI / 4),
)  # fmt: skip
POW = (  # x, y, result
    (0.0, 3.0, 0.0), (-0.0, 3.0, -0.0), (-0.0, 2.0, 0.0), (0.0, 0.5, 0.0), (-0.0, 0.5, 0.0),
    (0.0, -1.0, INF), (-0.0, -1.0, -INF), (-0.0, -2.0, INF), (0.0, -0.5, INF), (-0.0, -0.5, INF),
    (-0.0, -INF, INF), (0.0, INF, 0.0), (-1.0, INF, 1.0), (-1.0, -INF, 1.0), (1.0, NAN, 1.0),
    (1.0, INF, 1.0), (1.0, -INF, 1.0), (NAN, 0.0, 1.0), (NAN, -0.0, 1.0), (INF, 0.0, 1.0),
    (0.0, 0.0, 1.0), (-0.0, -0.0, 1.0), (-2.0, 0.0, 1.0), (-2.0, 3.0, -8.0), (-2.0, 2.0, 4.0),
    (-2.0, -1.0, -0.5), (-2.0, 0.5, NAN), (-1e-3, 1.5, NAN), (0.5, -INF, INF), (2.0, -INF, 0.0),
    (0.5, INF, 0.0), (2.0, INF, INF), (-0.5, INF, 0.0), (-2.0, INF, INF), (-INF, -3.0, -0.0),
    (-INF, -2.0, 0.0), (-INF, -0.5, 0.0), (-INF, 3.0, -INF), (-INF, 2.0, INF), (-INF, 0.5, INF),
    (INF, -1.0, 0.0), (INF, 2.0, INF), (NAN, 1.0, NAN), (2.0, NAN, NAN), (-1.0, NAN, NAN),
    (-1.0, 1e30, 1.0), (-1.0, 16777215.0, -1.0), (-1.0, 16777216.0, 1.0), (2.0, 10.0, 1024.0),
    (10.0, 2.0, 100.0), (9.0, 0.5, 3.0), (2.0, 1e30, INF), (0.5, 1e30, 0.0), (2.0, -1e30, 0.0),
)  # fmt: skip


def _assert_same_bits(kind, got, expected, labels):
    dtype = DTYPES[kind]
    expected = np.array(expected).astype(dtype)
    same = got.view(WORDS[kind]) == expected.view(WORDS[kind])
    same |= np.isnan(got) & np.isnan(expected)
    wrong = [(labels[i], got[i], expected[i]) for i in np.flatnonzero(~same)]
    assert not wrong, f"(operands, got, expected): {wrong}"


@pytest.mark.parametrize("width", ["native", "scalar"])
@pytest.mark.parametrize("kind", ["f64", "f32"])
@pytest.mark.parametrize("name", sorted(UNARY))
def test_unary(name, kind, width):
    lanes = native_width(kind) if width == "native" else 1
    arguments, expected = zip(*UNARY[name], strict=True)
    got = compiled(name, kind, lanes)(np.array(arguments, DTYPES[kind]))
    _assert_same_bits(kind, got, expected, arguments)


@pytest.mark.parametrize("width", ["native", "scalar"])
@pytest.mark.parametrize("kind", ["f64", "f32"])
@pytest.mark.parametrize(("name", "table"), [("atan2", ATAN2), ("pow", POW)])
def test_binary(name, table, kind, width):
    lanes = native_width(kind) if width == "native" else 1
    first, second, expected = zip(*table, strict=True)
    dtype = DTYPES[kind]
    got = compiled(name, kind, lanes)(np.array(first, dtype), np.array(second, dtype))
    _assert_same_bits(kind, got, expected, list(zip(first, second, strict=True)))


@pytest.mark.parametrize("name", sorted(UNARY))
def test_nan_with_any_payload_stays_nan(name):
    payloads = np.arange(1, 4096, dtype=np.uint64)
    quiet = (payloads | np.uint64(0x7FF8_0000_0000_0000)).view(np.float64)
    got = compiled(name, "f64", native_width("f64"))(np.concatenate([quiet, -quiet]))
    assert np.isnan(got).all()


def test_results_pass_through_the_denormals():
    x = np.linspace(-745.0, -708.0, 1000)
    got = compiled("exp", "f64", native_width("f64"))(x)
    assert (got > 0.0).all()
    assert (np.diff(got) >= 0.0).all()
    small = compiled("exp", "f32", native_width("f32"))(np.linspace(-103.0, -87.0, 100, dtype="f"))
    assert (small > 0.0).all()
