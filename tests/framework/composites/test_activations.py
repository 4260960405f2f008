"""Values and derivatives of smooth functions by element, against mpmath in both tails."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from scipy import special

import sciml.framework as sf
from sciml.framework.composites import activations
from sciml.framework.errors import ShapeError

ORDER = 10

# name: mpmath function and points, those of the tails among them
FUNCTIONS: dict[str, tuple[Callable[[Any], Any], tuple[float, ...]]] = {
    "softplus": (lambda x: mp.log(1 + mp.exp(x)), (-40.0, -2.5, 0.0, 0.7, 30.0)),
    "log_sigmoid": (lambda x: -mp.log(1 + mp.exp(-x)), (-30.0, -2.5, 0.0, 0.7, 40.0)),
    "silu": (lambda x: x / (1 + mp.exp(-x)), (-40.0, -2.5, 0.0, 0.7, 30.0)),
    "gelu": (lambda x: x * (1 + mp.erf(x / mp.sqrt(2))) / 2, (-2.0, 0.0, 0.6, 3.0)),
    "sinc": (lambda x: mp.sinc(mp.pi * x), (0.0, 1e-7, 0.3, -1.0, 3.9, 4.1, 7.2)),
}


def derivatives(function: Any, points: np.ndarray) -> list[np.ndarray]:
    """Value and derivatives to order ten by Taylor mode."""
    series = [np.ones_like(points)] + [np.zeros_like(points)] * (ORDER - 1)
    value, terms = sf.jet(function, (points,), (series,))
    return [np.asarray(t) for t in (value, *terms)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_to_order_ten(name: str) -> None:
    """Relative to the derivative or, near its zeros, to the next order."""
    reference, points = FUNCTIONS[name]
    got = derivatives(getattr(sf, name), np.asarray(points))
    for position, point in enumerate(points):
        with mp.workdps(80):
            exact = [k_factorial * c for k_factorial, c in zip(
                map(mp.factorial, range(ORDER + 3)),
                mp.taylor(reference, mp.mpf(point), ORDER + 2), strict=True,
            )]  # fmt: skip
        for k in range(ORDER + 1):
            scale = max(abs(exact[k]), mp.mpf(10) ** -3 * max(map(abs, exact[k : k + 3])))
            error = abs(mp.mpf(float(got[k][position])) - exact[k])
            assert error <= (1e-10 if k <= 6 else 1e-8) * scale, (point, k)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_and_mapped_derivatives_are_the_same(name: str) -> None:
    points = np.linspace(-5.0, 5.0, 21)

    def third(x: Any) -> Any:
        one, zero = sf.ones_like(x), sf.zeros_like(x)
        return sf.jet(getattr(sf, name), (x,), ((one, zero, zero),))[1][2]

    expected = derivatives(getattr(sf, name), points)[3]
    np.testing.assert_allclose(sf.jit(third)(points), expected, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(sf.vmap(third)(points), expected, rtol=1e-11, atol=1e-11)
    slope = sf.grad(lambda x: getattr(sf, name)(x).sum())
    np.testing.assert_allclose(
        slope(points), derivatives(getattr(sf, name), points)[1], rtol=1e-13, atol=1e-13
    )


def test_no_overflow_and_no_lost_tail() -> None:
    x = np.array([-1e4, -745.0, -50.0, 50.0, 1e4])
    np.testing.assert_allclose(sf.softplus(x), special.softplus(x), rtol=4e-16)
    np.testing.assert_allclose(sf.log_sigmoid(x), special.log_expit(x), rtol=4e-16)
    assert np.all(np.isfinite(sf.grad(lambda x: sf.softplus(x).sum())(x)))


def test_sinc_is_numpys() -> None:
    x = np.linspace(-9, 9, 101)
    np.testing.assert_allclose(sf.sinc(x), np.sinc(x), atol=4e-16)


def test_logaddexp_has_values_slopes_and_curvature() -> None:
    x, y = np.array([1.0, 700.0, -800.0, 3.0]), np.array([2.0, 710.0, -800.0, 3.0])
    np.testing.assert_allclose(sf.logaddexp(x, y), np.logaddexp(x, y), rtol=2e-16)
    share = special.expit(x - y)
    gx, gy = sf.grad(lambda x, y: sf.logaddexp(x, y).sum(), (0, 1))(x, y)
    np.testing.assert_allclose(gx, share, rtol=1e-15)
    np.testing.assert_allclose(gy, 1 - share, rtol=1e-10)
    second = sf.jet(sf.logaddexp, (x, y), ((x * 0 + 1, x * 0), (x * 0, x * 0)))[1][1]
    np.testing.assert_allclose(second, share * (1 - share), rtol=1e-10)


def test_logaddexp_of_infinities_and_shapes() -> None:
    inf = np.array([-np.inf, np.inf, -np.inf])
    other = np.array([-np.inf, np.inf, 1.0])
    np.testing.assert_array_equal(sf.logaddexp(inf, other), [-np.inf, np.inf, 1.0])
    assert sf.logaddexp(np.ones((3, 1)), np.ones((1, 2))).shape == (3, 2)
    assert sf.logaddexp(np.ones(3, np.float32), 0.0).dtype == np.float32
    with pytest.raises(ShapeError):
        sf.logaddexp(np.ones(3), np.ones(2))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_element_types(name: str) -> None:
    function = getattr(sf, name)
    assert function(np.ones(3, np.float32)).dtype == np.float32
    assert sf.jit(function)(np.ones(3, np.float32)).dtype == np.float32
    assert function(np.arange(3)).dtype == np.float64


def test_the_examples() -> None:
    assert doctest.testmod(activations, extraglobs={"np": np}).failed == 0
