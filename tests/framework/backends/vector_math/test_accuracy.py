"""Error bounds, against mpmath and, for float32, against NumPy in float64."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from sciml.framework.backends.vector_math import MAX_ULP, SUPPORTED

from .harness import DTYPES, compiled, native_width
from .points import binary_points, random_bits, unary_points
from .references import LOWEST_EXPONENT, MANTISSA, errors

BINARY = ("atan2", "pow")
KINDS = ("f64", "f32")


NUMPY = {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "pow": np.power, "erf": scipy.special.erf, "logistic": scipy.special.expit,
    "rsqrt": lambda x: 1.0 / np.sqrt(x),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sorted(SUPPORTED))
def test_error_against_mpmath(name, kind):
    operands = binary_points(name, kind) if name in BINARY else (unary_points(name, kind),)
    assert operands[0].size > 1500
    got = compiled(name, kind, native_width(kind))(*operands)
    error = errors(name, kind, got, *operands)
    worst = int(np.argmax(np.where(np.isnan(error), np.inf, error)))
    where = [operand[worst].item() for operand in operands]
    assert error[worst] <= MAX_ULP[name, kind], f"{name}{where} gave {got[worst]}"


@pytest.mark.parametrize("name", sorted(SUPPORTED))
def test_float32_on_random_bit_patterns_against_float64(name):
    function = compiled(name, "f32", native_width("f32"))
    count = 1_000_000
    operands = [random_bits("f32", count, seed) for seed in range(function.arity)]
    if name not in BINARY:  # half of them of moderate size, where the functions are not constant
        random = np.random.default_rng(3)
        operands[0][::2] = random.normal(0.0, 1.0, count // 2) * 2.0 ** random.integers(
            -12, 8, count // 2
        )
    with np.errstate(all="ignore"):
        exact = NUMPY.get(name, getattr(np, name, None))(*(x.astype(np.float64) for x in operands))
        got = function(*operands).astype(np.float64)
        top = 2.0**128
        got, exact = np.clip(got, -top, top), np.clip(exact, -top, top)
        exponent = np.frexp(exact)[1] - 1 - MANTISSA["f32"]
        spacing = np.ldexp(1.0, np.clip(exponent, LOWEST_EXPONENT["f32"], 127 - MANTISSA["f32"]))
        error = np.abs(got - exact) / spacing
    np.testing.assert_array_equal(np.isnan(got), np.isnan(exact))
    assert np.nanmax(error) <= MAX_ULP[name, "f32"] + 1e-6


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["sin", "cos", "tanh", "erf"])
def test_functions_bounded_by_one_never_pass_it(name, kind):
    near_peaks = np.arange(1, 4000) * (np.pi / 2)
    x = np.concatenate([near_peaks, np.geomspace(1e-12, 30.0, 20000)]).astype(DTYPES[kind])
    assert np.max(np.abs(compiled(name, kind, native_width(kind))(x))) <= 1.0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["sin", "tan", "asin", "atan", "sinh", "tanh", "expm1"])
def test_odd_functions_keep_the_smallest_arguments(name, kind):
    dtype = DTYPES[kind]
    smallest = np.array([np.finfo(dtype).smallest_subnormal, np.finfo(dtype).smallest_normal], dtype)
    x = np.concatenate([smallest, -smallest])
    np.testing.assert_array_equal(compiled(name, kind, native_width(kind))(x), x)
