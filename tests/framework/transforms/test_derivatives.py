"""Derivatives of fields against sympy's closed forms, mixed orders up to six, and refusals."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import sympy as sp

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError, ShapeError

x, y, z = sp.symbols("x y z")
POINTS = np.random.default_rng(0).uniform(0.2, 0.9, size=(7, 2))
INDICES = [a for a in itertools.product(range(5), repeat=2) if sum(a) <= 6]

FIELDS: list[tuple[Any, Any]] = [
    (sp.sin(2 * x) * sp.exp(x * y), lambda a, b: sf.sin(2.0 * a) * sf.exp(a * b)),
    (sp.tanh(x + 2 * y) / (1 + x * y), lambda a, b: sf.tanh(a + 2.0 * b) / (1.0 + a * b)),
    (sp.log(1 + x * x + y) * sp.sqrt(x + y), lambda a, b: sf.log(1.0 + a * a + b) * sf.sqrt(a + b)),
    (sp.atan2(y, x) + (x + y) ** sp.Rational(5, 2), lambda a, b: sf.atan2(b, a) + (a + b) ** 2.5),
    (sp.erf(x * y) * sp.cosh(x - y), lambda a, b: sf.erf(a * b) * sf.cosh(a - b)),
]


@pytest.mark.parametrize(("expression", "field"), FIELDS)
def test_all_mixed_derivatives_agree_with_closed_forms(expression: Any, field: Any) -> None:
    def u(X: Any) -> Any:
        return field(X[:, 0], X[:, 1])

    for index, got in zip(INDICES, sf.derivatives(u, INDICES)(POINTS), strict=True):
        exact = expression.diff((x, index[0])).diff((y, index[1]))
        reference = [float(exact.subs({x: a, y: b}).evalf(30)) for a, b in POINTS.tolist()]
        scale = max(1.0, float(np.abs(reference).max()))
        np.testing.assert_allclose(got, reference, rtol=1e-11, atol=1e-12 * scale)


def test_operators_on_a_polynomial_are_exact() -> None:
    def u(X: Any) -> Any:
        return X[:, 0] ** 4 + X[:, 0] ** 2 * X[:, 1] ** 2 + X[:, 1] ** 3

    a, b = POINTS.T
    np.testing.assert_allclose(sf.laplacian(u)(POINTS), 12 * a**2 + 2 * b**2 + 2 * a**2 + 6 * b)
    np.testing.assert_allclose(sf.biharmonic(u)(POINTS), np.full(7, 24.0 + 8.0))
    np.testing.assert_allclose(sf.derivative(u, (1, 1))(POINTS), 4 * a * b)
    np.testing.assert_array_equal(sf.derivative(u, (5, 0))(POINTS), np.zeros(7))


def test_three_coordinates_and_several_outputs() -> None:
    points = np.random.default_rng(1).uniform(size=(5, 3))

    def u(X: Any) -> Any:
        return sf.stack([sf.sin(X[:, 0] * X[:, 2]), X[:, 1] ** 3], axis=1)

    got = sf.derivative(u, (1, 0, 1))(points)
    a, c = points[:, 0], points[:, 2]
    np.testing.assert_allclose(got[:, 0], np.cos(a * c) - a * c * np.sin(a * c))
    np.testing.assert_array_equal(got[:, 1], np.zeros(5))
    np.testing.assert_allclose(
        sf.biharmonic(lambda X: (X**4).sum(axis=1))(points), np.full(5, 72.0)
    )


def test_derivatives_are_differentiable_in_parameters() -> None:
    def loss(k: Any) -> Any:
        return sf.derivative(lambda X: sf.sin(k * X[:, 0]) * X[:, 1], (4, 0))(POINTS).sum()

    k, (a, b) = 1.3, POINTS.T
    exact = np.sum((4 * k**3 * np.sin(k * a) + k**4 * a * np.cos(k * a)) * b)
    assert float(sf.grad(loss)(np.asarray(k))) == pytest.approx(exact, rel=1e-13)


def test_derivatives_nest_with_themselves() -> None:
    def u(X: Any) -> Any:
        return sf.exp(X[:, 0]) * sf.sin(X[:, 1])

    inner = sf.derivative(u, (2, 0))
    np.testing.assert_allclose(
        sf.derivative(inner, (0, 2))(POINTS), sf.derivative(u, (2, 2))(POINTS), rtol=1e-14
    )


def test_results_can_be_named() -> None:
    def u(X: Any) -> Any:
        return X[:, 0] ** 3 * X[:, 1]

    named = sf.derivatives(u, {"u": (0, 0), "u_xxy": (2, 1)})(POINTS)
    assert list(named) == ["u", "u_xxy"]
    np.testing.assert_allclose(named["u_xxy"], 6 * POINTS[:, 0], rtol=1e-15)


@pytest.mark.parametrize(("u", "word"), [
    (lambda X: X[:, 0] - X.mean(axis=0)[0], "not pointwise"),
    (lambda X: X[::-1, 0] * 1.0, "not pointwise"),
    (lambda X: X @ X.T, "not pointwise"),
    (lambda X: np.ones(7) * 2.0, "does not depend on X"),
])  # fmt: skip
def test_what_is_not_a_field_is_refused(u: Any, word: str) -> None:
    with pytest.raises(DifferentiationError, match=word):
        sf.derivative(u, (1, 0))(POINTS)


@pytest.mark.parametrize(("indices", "word"), [
    ([(1, 0, 0)], "2 coordinates"), ([(-1, 0)], "negative"), ([], "at least one"),
])  # fmt: skip
def test_indices_must_fit_the_coordinates(indices: Any, word: str) -> None:
    with pytest.raises(ShapeError, match=word):
        sf.derivatives(lambda X: X[:, 0], indices)(POINTS)


def test_points_must_be_a_matrix() -> None:
    with pytest.raises(ShapeError, match=r"\(points, d\)"):
        sf.derivative(lambda X: X, (1,))(np.ones(3))
