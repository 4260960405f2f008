"""Derivatives at kinks, zeros and extreme arguments: a value where the limit exists, never NaN."""

from __future__ import annotations

import math
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import sciml.framework as sf


def derivatives_at(function: Any, x: float, order: int, mode: str) -> list[float]:
    """The derivatives of order 1 to `order`, by nested reverse mode or by Taylor mode."""
    point = np.asarray(x)
    if mode == "taylor":
        terms = (np.asarray(1.0), *[np.asarray(0.0)] * (order - 1))
        return [float(t) for t in sf.jet(function, (point,), (terms,))[1]]
    found = []
    for _ in range(order):
        function = sf.grad(function, allow_unused=True)
        found.append(float(function(point)))
    return found


@pytest.mark.parametrize("mode", ["reverse", "taylor"])
@pytest.mark.parametrize("power", [0, 1, 2, 3])
def test_powers_at_zero(power: int, mode: str) -> None:
    """d^k/dx^k x^p at 0 is p! for k = p and 0 otherwise, for a number and for an array p."""
    expected = [math.factorial(power) if k == power else 0.0 for k in range(1, 6)]
    for exponent in (power, float(power), np.asarray(float(power))):
        assert derivatives_at(lambda x, p=exponent: x**p, 0.0, 5, mode) == expected


@pytest.mark.parametrize(("function", "x", "expected"), [
    (sf.abs, 0.0, 0.0), (sf.sqrt, 0.0, math.inf), (sf.log, 0.0, math.inf),
    (lambda x: sf.maximum(x, 0.0), 0.0, 0.5), (lambda x: sf.minimum(x, 0.0), 0.0, 0.5),
    (lambda x: x ** np.asarray(2.5), 0.0, 0.0), (lambda x: np.asarray(2.0) ** x, 0.0, math.log(2)),
])  # fmt: skip
def test_slopes_at_kinks(function: Any, x: float, expected: float) -> None:
    assert float(sf.grad(function)(np.asarray(x))) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("scale", [1e-200, 1e-20, 1.0, 1e20, 1e200])
def test_the_slope_of_the_angle_does_not_overflow(scale: float) -> None:
    """d atan2(y, x) = (x dy - y dx) / (x^2 + y^2), where the squares leave the range."""
    y, x = sf.grad(sf.atan2, (0, 1))(np.asarray(3 * scale), np.asarray(4 * scale))
    np.testing.assert_allclose([y, x], [0.16 / scale, -0.12 / scale], rtol=1e-14)


@pytest.mark.parametrize("distance", [1e-3, 1e-9, 1e-14])
def test_the_slope_of_the_inverse_sine_near_one(distance: float) -> None:
    x = 1.0 - distance
    with mp.workdps(40):
        exact = float(1 / mp.sqrt(1 - mp.mpf(x) ** 2))
    assert float(sf.grad(sf.asin)(np.asarray(x))) == pytest.approx(exact, rel=1e-14)
    assert float(sf.grad(sf.acos)(np.asarray(-x))) == pytest.approx(-exact, rel=1e-14)


def test_a_branch_that_is_not_taken_does_not_poison_gradients() -> None:
    """The usual double where: a safe argument inside, the choice outside."""
    x = np.array([-1.0, 0.0, 4.0])

    def root(x: Any) -> Any:
        return sf.where(x > 0, sf.sqrt(sf.where(x > 0, x, 1.0)), 0.0)

    for function in (lambda x: root(x).sum(), lambda x: sf.grad(lambda x: root(x).sum())(x).sum()):
        assert np.isfinite(sf.grad(function)(x)).all()
        np.testing.assert_array_equal(sf.jit(sf.grad(function))(x), sf.grad(function)(x))


def test_a_product_is_differentiated_at_its_zeros() -> None:
    np.testing.assert_array_equal(sf.grad(sf.prod)(np.array([0.0, 2.0, 3.0])), [6.0, 0.0, 0.0])
    np.testing.assert_array_equal(sf.grad(sf.prod)(np.array([0.0, 2.0, 0.0])), [0.0, 0.0, 0.0])


def test_the_sign_of_zeros_and_nan_is_the_same_compiled() -> None:
    x = np.array([-0.0, 0.0, np.nan, -np.inf, 5e-324, -3.0])
    for got in (sf.sign(x), sf.jit(sf.sign)(x)):
        np.testing.assert_array_equal(got, [0.0, 0.0, np.nan, -1.0, 1.0, -1.0])
        assert not np.signbit(got[:2]).any()
