"""The transforms of functions: their nesting, closures, containers and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import ShapeError

X = np.array([0.3, -1.2, 0.7])


def test_every_mixture_of_modes_gives_the_same_third_derivative() -> None:
    def f(x: Any) -> Any:
        return sf.exp(sf.sin(x)) * x

    x, one, zero = np.asarray(0.8), np.asarray(1.0), np.asarray(0.0)

    def forward(g: Any) -> Any:
        return lambda x: sf.jvp(g, (x,), (one,))[1]

    def reverse(g: Any) -> Any:
        return lambda x: sf.vjp(g, x)[1](one)[0]

    reference = float(sf.jet(f, (x,), ((one, zero, zero),))[1][2])
    for first in (forward, reverse):
        for second in (forward, reverse):
            for third in (forward, reverse):
                assert float(first(second(third(f)))(x)) == pytest.approx(reference, rel=1e-13)


def test_linearize_is_the_jvp() -> None:
    value, push = sf.linearize(lambda x: sf.sin(x) * x, X)
    _, tangent = sf.jvp(lambda x: sf.sin(x) * x, (X,), (X + 1,))
    np.testing.assert_allclose(push(X + 1), tangent, rtol=1e-15)
    np.testing.assert_allclose(value, np.sin(X) * X, rtol=1e-15)


def test_closures_over_outer_values_are_differentiated() -> None:
    def outer(a: Any) -> Any:
        inner = sf.grad(lambda x: (a * x**3).sum())
        return inner(X).sum()

    np.testing.assert_allclose(sf.grad(outer)(np.asarray(2.0)), np.sum(3 * X**2))


def test_vmap_nests_with_gradients() -> None:
    batch = np.stack([X, X + 1])
    per_example = sf.vmap(sf.grad(lambda x: (x**3).sum()))(batch)
    np.testing.assert_allclose(per_example, 3 * batch**2)
    twice = sf.vmap(sf.vmap(lambda a, b: a * b, (None, 0)), (0, None))(X, X)
    np.testing.assert_allclose(twice, np.outer(X, X))


def test_vmap_refuses_sizes_that_differ() -> None:
    with pytest.raises(ShapeError, match="one size"):
        sf.vmap(lambda x, y: x + y)(np.ones(2), np.ones(3))
