"""Error bounds, against mpmath and, for float32, against NumPy in float64."""

from __future__ import annotations

import platform

import numpy as np
import pytest
import scipy.special

from sciml.framework.backends.vector_math import MAX_ULP, SUPPORTED

from .harness import DTYPES, compiled, native_width
from .points import binary_points, random_bits, unary_points
from .references import LOWEST_EXPONENT, MANTISSA, errors

BINARY = ("atan2", "pow")
KINDS = ("f64", "f32")
UNFUSED = "x86-64"  # no fused multiply-add


NUMPY = {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "pow": np.power, "erf": scipy.special.erf, "logistic": scipy.special.expit,
    "rsqrt": lambda x: 1.0 / np.sqrt(x),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sorted(SUPPORTED))
@pytest.mark.parametrize("cpu", ["", UNFUSED])
def test_error_against_mpmath(name, kind, cpu):
    if cpu and platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("every processor of this architecture fuses")
    operands = binary_points(name, kind) if name in BINARY else (unary_points(name, kind),)
    assert operands[0].size > 1500
    got = compiled(name, kind, native_width(kind), cpu)(*operands)
    error = errors(name, kind, got, *operands)
    worst = int(np.argmax(np.where(np.isnan(error), np.inf, error)))
    where = [operand[worst].item() for operand in operands]
    assert error[worst] <= MAX_ULP[name, kind], f"{name}{where} gave {got[worst]}"


def _error_in_float32(name, got, *operands):
    """ULP errors of float32 results against NumPy in float64; NaN where both are NaN."""
    with np.errstate(all="ignore"):
        exact = NUMPY.get(name, getattr(np, name, None))(*(x.astype(np.float64) for x in operands))
        got = got.astype(np.float64)
        np.testing.assert_array_equal(np.isnan(got), np.isnan(exact))
        top = 2.0**128
        got, exact = np.clip(got, -top, top), np.clip(exact, -top, top)
        exponent = np.frexp(exact)[1] - 1 - MANTISSA["f32"]
        spacing = np.ldexp(1.0, np.clip(exponent, LOWEST_EXPONENT["f32"], 127 - MANTISSA["f32"]))
        return np.abs(got - exact) / spacing


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
    error = _error_in_float32(name, function(*operands), *operands)
    assert np.nanmax(error) <= MAX_ULP[name, "f32"] + 1e-6


EXTENDED = np.finfo(np.longdouble).nmant >= 63


@pytest.mark.skipif(not EXTENDED, reason="long double is no wider than double here")
@pytest.mark.parametrize("name", sorted(SUPPORTED - {"erf"}))
def test_float64_on_random_arguments_against_extended_precision(name):
    function = compiled(name, "f64", native_width("f64"))
    count = 200_000
    random = np.random.default_rng(7)
    operands = [random_bits("f64", count, 10 + seed) for seed in range(function.arity)]
    moderate = slice(count // 5, None)
    size = count - count // 5
    operands[0][moderate] = random.normal(0.0, 1.0, size) * 2.0 ** random.integers(-12, 10, size)
    if function.arity == 2:
        operands[1][moderate] = random.normal(0.0, 1.0, size) * 2.0 ** random.integers(-6, 6, size)
    with np.errstate(all="ignore"):
        wide = [x.astype(np.longdouble) for x in operands]
        if name == "logistic":
            exact = 1 / (1 + np.exp(-wide[0]))
        else:
            exact = NUMPY.get(name, getattr(np, name, None))(*wide)
        got = function(*operands)
        top = np.ldexp(np.longdouble(1), 1024)
        exact = np.clip(exact, -top, top)
        value = np.clip(got.astype(np.longdouble), -top, top)
        exponent = np.frexp(exact)[1] - 1 - MANTISSA["f64"]
        spacing = np.ldexp(
            np.longdouble(1), np.clip(exponent, LOWEST_EXPONENT["f64"], 1023 - MANTISSA["f64"])
        )
        error = np.abs(value - exact) / spacing
    np.testing.assert_array_equal(np.isnan(got), np.isnan(exact))
    assert np.nanmax(error) <= MAX_ULP[name, "f64"] + 0.01


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["sin", "cos", "tanh", "erf"])
def test_functions_bounded_by_one_never_pass_it(name, kind):
    near_peaks = np.arange(1, 4000) * (np.pi / 2)
    x = np.concatenate([near_peaks, np.geomspace(1e-12, 30.0, 20000)]).astype(DTYPES[kind])
    assert np.max(np.abs(compiled(name, kind, native_width(kind))(x))) <= 1.0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["sin", "tan", "asin", "atan", "sinh", "tanh", "expm1"])
def test_odd_functions_keep_the_smallest_arguments(name, kind):
    limits = np.finfo(DTYPES[kind])
    smallest = np.array([limits.smallest_subnormal, limits.smallest_normal], DTYPES[kind])
    x = np.concatenate([smallest, -smallest])
    np.testing.assert_array_equal(compiled(name, kind, native_width(kind))(x), x)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["", UNFUSED])
@pytest.mark.parametrize("name", sorted(SUPPORTED - set(BINARY)))
def test_every_float32_of_moderate_size(name, cpu):
    function = compiled(name, "f32", native_width("f32"), cpu)
    first, last = (int(np.float32(x).view(np.uint32)) for x in (2.0**-10, 128.0))
    for start in range(first, last, 1 << 21):
        sizes = np.arange(start, min(start + (1 << 21), last), dtype=np.uint32).view(np.float32)
        for x in (sizes, -sizes):
            error = _error_in_float32(name, function(x), x)
            assert np.max(error, where=~np.isnan(error), initial=0.0) <= MAX_ULP[name, "f32"] + 1e-6
