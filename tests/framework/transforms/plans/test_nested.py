"""Nested differentiation: the gradient in one sweep, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError
from sciml.framework.transforms.fields import trace_field
from sciml.framework.transforms.plans.nested import Nested, first_derivatives
from sciml.framework.transforms.plans.request import Request

X = np.random.default_rng(1).normal(size=(5, 70))


def test_the_gradient_of_a_scalar_field_is_one_sweep() -> None:
    field = trace_field(lambda X: sf.sin(X).sum(axis=1), X)
    indices = tuple(tuple(map(int, row)) for row in np.eye(70, dtype=int))
    assert Nested().cost(field, Request(indices)).coefficients == 2
    (gradient,) = first_derivatives(field)
    np.testing.assert_allclose(np.asarray(gradient), np.cos(X), rtol=1e-15)


def test_first_derivatives_of_several_components_and_of_a_constant() -> None:
    def u(X: Any) -> Any:
        return (sf.stack([X[:, 0] * X[:, 1], X[:, 2] ** 2], axis=1), np.ones(5))

    first, constant = (np.asarray(g) for g in first_derivatives(trace_field(u, X)))
    assert first.shape == (5, 2, 70)
    np.testing.assert_allclose(first[:, 0, :2], X[:, 1::-1], rtol=1e-15)
    np.testing.assert_allclose(first[:, 1, 2], 2 * X[:, 2], rtol=1e-15)
    assert constant.shape == (5, 70)
    assert not constant.any()


def test_a_wide_gradient_under_jit_and_another_number_of_points() -> None:
    gradient = sf.jit(sf.gradient(lambda X: sf.cos(X).sum(axis=1)))
    for points in (X, np.repeat(X, 4, axis=0)):
        np.testing.assert_allclose(gradient(points), -np.sin(points), rtol=1e-14)


def test_results_without_a_first_axis_of_points_are_refused() -> None:
    with pytest.raises(DifferentiationError, match="reverse mode is for"):
        sf.derivative(lambda X: X.T * 2.0, (1, 0), plan="nested")(X[:, :2])


def test_high_orders_are_refused() -> None:
    with pytest.raises(DifferentiationError, match="doubles with each order"):
        sf.derivative(lambda X: sf.sin(X[:, 0]), (7, 0), plan="nested")(X[:, :2])


@pytest.mark.parametrize("components", [5, 20])
def test_many_components(components: int) -> None:
    W = np.random.default_rng(2).normal(size=(3, components))
    points = np.random.default_rng(3).normal(size=(4, 3))
    got = sf.gradient(lambda X: sf.sin(X @ W), plan="nested")(points)
    np.testing.assert_allclose(got, np.cos(points @ W)[:, :, None] * W.T, rtol=1e-13, atol=1e-14)


def test_divergence_in_many_dimensions() -> None:
    np.testing.assert_allclose(sf.divergence(sf.sin)(X), np.cos(X).sum(axis=1), rtol=1e-13)
