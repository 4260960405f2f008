"""Stable exponentials, norms and normalisation: values, overflow, derivatives."""

from __future__ import annotations

import doctest
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from scipy import special

import sciml.framework as sf
from sciml.framework.composites import reductions
from sciml.framework.errors import DifferentiationError, ShapeError

RNG = np.random.default_rng(0)
BLOCK = RNG.normal(size=(3, 4))


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1)])
def test_values_are_scipys(axis: Any) -> None:
    np.testing.assert_allclose(
        sf.logsumexp(BLOCK, axis), special.logsumexp(BLOCK, axis), rtol=1e-15
    )
    np.testing.assert_allclose(sf.softmax(BLOCK, axis), special.softmax(BLOCK, axis), rtol=1e-14)
    np.testing.assert_allclose(
        sf.log_softmax(BLOCK, axis), special.log_softmax(BLOCK, axis), rtol=1e-14
    )
    expected = np.sqrt((BLOCK**2).sum(axis=axis))
    np.testing.assert_allclose(sf.norm(BLOCK, axis), expected, rtol=1e-15)
    kept = np.sqrt((BLOCK**2).sum(axis=axis, keepdims=True))
    np.testing.assert_allclose(sf.norm(BLOCK, axis, keepdims=True), kept, rtol=1e-15)
    assert sf.logsumexp(BLOCK, axis, keepdims=True).shape == kept.shape


def test_no_overflow_at_large_and_infinite_elements() -> None:
    x = np.array([[1e4, 1e4], [-np.inf, 0.0], [-1e4, 1e4]])
    np.testing.assert_allclose(sf.softmax(x, 1), [[0.5, 0.5], [0.0, 1.0], [0.0, 1.0]])
    np.testing.assert_allclose(sf.logsumexp(x, 1), [1e4 + np.log(2), 0.0, 1e4])
    assert sf.logsumexp(np.full(3, -np.inf)) == -np.inf
    assert sf.norm(np.array([np.inf, 1.0])) == np.inf
    for size in (1e-300, 1e300):
        np.testing.assert_allclose(sf.norm(size * np.array([3.0, 4.0])), 5 * size, rtol=1e-15)


def curve(t: Any, library: Any) -> list[Any]:
    """Four elements that move along a curve."""
    return [library.sin(t), t * t - 0.3, 1.5 * t, library.cos(2 * t)]


def mp_softmax(x: list[Any]) -> list[Any]:
    total = mp.fsum(map(mp.exp, x))
    return [mp.exp(v) / total for v in x]


def mp_layer_norm(x: list[Any]) -> list[Any]:
    mean = mp.fsum(x) / len(x)
    variance = mp.fsum((v - mean) ** 2 for v in x) / len(x)
    return [(v - mean) / mp.sqrt(variance + mp.mpf(1e-5)) for v in x]


REFERENCES = {
    "softmax": mp_softmax,
    "log_softmax": lambda x: [mp.log(v) for v in mp_softmax(x)],
    "layer_norm": mp_layer_norm,
    "logsumexp": lambda x: [mp.log(mp.fsum(map(mp.exp, x)))],
    "norm": lambda x: [mp.sqrt(mp.fsum(v * v for v in x))],
}


@pytest.mark.parametrize("name", REFERENCES)
def test_derivatives_to_order_eight(name: str) -> None:
    """Along the curve, relative to the largest derivative of the result at that order."""
    order, point = 8, 0.4
    arguments = {} if name == "layer_norm" else {"axis": 0}

    def along(t: Any) -> Any:
        return getattr(sf, name)(sf.stack(curve(t, sf)), **arguments)

    series = [np.array(1.0)] + [np.array(0.0)] * (order - 1)
    _, terms = sf.jet(along, (np.array(point),), (series,))
    count = np.asarray(terms[0]).size
    with mp.workdps(60):
        exact = np.array([
            [
                mp.diff(lambda t, i=i: REFERENCES[name](curve(t, mp))[i], mp.mpf(point), k)
                for i in range(count)
            ]
            for k in range(1, order + 1)
        ]).astype(float)  # fmt: skip
    for k, term in enumerate(terms):
        bound = (1e-10 if k < 6 else 1e-8) * np.abs(exact[k]).max()
        np.testing.assert_allclose(np.ravel(term), exact[k], rtol=0, atol=bound)


@pytest.mark.parametrize("name", REFERENCES)
def test_compiled_mapped_and_reverse_derivatives_agree(name: str) -> None:
    weights = np.linspace(1, 2, 4)

    def loss(x: Any) -> Any:
        return (getattr(sf, name)(x, axis=0) * weights).sum()

    expected = np.stack([sf.jacobian(loss)(row) for row in BLOCK])
    np.testing.assert_allclose(sf.vmap(sf.grad(loss))(BLOCK), expected, rtol=1e-13, atol=1e-15)
    compiled = sf.jit(sf.vmap(sf.grad(loss)))(BLOCK)
    np.testing.assert_allclose(compiled, expected, rtol=1e-12, atol=1e-14)


def test_rows_are_pointwise_and_columns_are_not() -> None:
    points = RNG.normal(size=(9, 2))
    assert sf.biharmonic(lambda X: sf.softmax(X, axis=1)[:, 0])(points).shape == (9,)
    with pytest.raises(DifferentiationError, match="pointwise"):
        sf.biharmonic(lambda X: sf.softmax(X, axis=0)[:, 0])(points)


def test_the_norm_has_no_derivative_at_zero_and_says_so() -> None:
    gradient = sf.grad(lambda x: sf.norm(x))
    np.testing.assert_allclose(gradient(np.array([3.0, 4.0])), [0.6, 0.8], rtol=1e-15)
    assert np.all(np.isnan(gradient(np.zeros(2))))
    assert sf.norm(np.zeros(2)) == 0.0


def test_layer_norm_has_mean_zero_variance_one_scale_and_shift() -> None:
    y = sf.layer_norm(BLOCK, epsilon=1e-13)
    np.testing.assert_allclose(y.mean(axis=1), 0.0, atol=1e-15)
    np.testing.assert_allclose(y.var(axis=1), 1.0, rtol=1e-11)
    scale, shift = np.arange(4.0), np.ones(4)
    np.testing.assert_allclose(
        sf.layer_norm(BLOCK, scale, shift, epsilon=1e-13), y * scale + shift, rtol=1e-15
    )
    with pytest.raises(ShapeError, match="positive"):
        sf.layer_norm(BLOCK, epsilon=0.0)


def test_the_examples() -> None:
    assert doctest.testmod(reductions, extraglobs={"np": np}).failed == 0
