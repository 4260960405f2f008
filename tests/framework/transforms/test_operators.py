"""Differential operators against closed forms, nested, differentiated and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError, ShapeError

POINTS = np.random.default_rng(0).uniform(0.3, 1.2, size=(9, 3))
x, y, z = POINTS.T


def field(X: Any) -> Any:
    return sf.sin(X[:, 0]) * X[:, 1] ** 2 * sf.exp(X[:, 2])


def vector(X: Any) -> Any:
    return sf.stack([X[:, 1] * X[:, 2], X[:, 0] ** 2, sf.sin(X[:, 0] * X[:, 1])], axis=1)


def test_gradient_of_scalar_and_vector_fields() -> None:
    expected = np.stack([np.cos(x) * y**2, 2 * np.sin(x) * y, np.sin(x) * y**2], axis=1)
    np.testing.assert_allclose(
        sf.gradient(field)(POINTS), expected * np.exp(z)[:, None], rtol=1e-14
    )
    jacobian = sf.gradient(vector)(POINTS)
    assert jacobian.shape == (9, 3, 3)
    np.testing.assert_allclose(jacobian[:, 2, 0], y * np.cos(x * y), rtol=1e-14)


def test_divergence_and_curl() -> None:
    np.testing.assert_array_equal(sf.divergence(vector)(POINTS), np.zeros(9))
    c = np.cos(x * y)
    expected = np.stack([x * c, y - y * c, 2 * x - z], axis=1)
    np.testing.assert_allclose(sf.curl(vector)(POINTS), expected, rtol=1e-13, atol=1e-15)


def test_the_divergence_of_a_curl_and_the_curl_of_a_gradient_vanish() -> None:
    np.testing.assert_allclose(sf.divergence(sf.curl(vector))(POINTS), np.zeros(9), atol=1e-14)
    np.testing.assert_allclose(sf.curl(sf.gradient(field))(POINTS), np.zeros((9, 3)), atol=1e-14)


def test_powers_of_the_laplacian_nest() -> None:
    """The field is an eigenfunction in x and z, so the powers have closed forms."""
    laplacian = np.exp(z) * np.sin(x) * 2
    np.testing.assert_allclose(sf.laplacian(field)(POINTS), laplacian, rtol=1e-13)
    for power in (2, 3):
        nested = field
        for _ in range(power):
            nested = sf.laplacian(nested)
        np.testing.assert_allclose(
            sf.polyharmonic(field, power)(POINTS), nested(POINTS), rtol=1e-12, atol=1e-12
        )


def test_third_derivatives_are_symmetric_and_right() -> None:
    T = sf.third_derivatives(field)(POINTS)
    assert T.shape == (9, 3, 3, 3)
    for order in ((0, 2, 1, 3), (0, 3, 2, 1), (0, 1, 3, 2)):
        np.testing.assert_array_equal(T, T.transpose(order))
    np.testing.assert_allclose(T[:, 0, 1, 2], 2 * np.cos(x) * y * np.exp(z), rtol=1e-14)


@pytest.mark.parametrize("order", [1, 2, 5])
def test_directional_derivatives_agree_with_the_jet(order: int) -> None:
    v = np.array([0.3, -1.0, 0.5])
    zero = np.zeros_like(POINTS)
    series = (np.broadcast_to(v, POINTS.shape).copy(), *[zero] * (order - 1))
    _, terms = sf.jet(field, (POINTS,), (series,))
    np.testing.assert_allclose(sf.directional(field, v, order)(POINTS), terms[order - 1])
    each = np.tile(v, (9, 1))
    np.testing.assert_allclose(sf.directional(field, each, order)(POINTS), terms[order - 1])


def test_linear_operator_takes_numbers_arrays_and_functions() -> None:
    got = sf.linear_operator(
        field, {(0, 0, 0): x, (2, 0, 0): 3.0, (0, 1, 1): lambda X: X[:, 1] * 2.0}
    )(POINTS)
    u = np.sin(x) * y**2 * np.exp(z)
    expected = x * u - 3 * u + 2 * y * 2 * np.sin(x) * y * np.exp(z)
    np.testing.assert_allclose(got, expected, rtol=1e-13)


@pytest.mark.parametrize("shape", ["points, m", "m, points", "m, points, 1"])
def test_coefficients_of_a_linear_operator_lie_along_the_points(shape: str) -> None:
    """Also where another axis has as many elements as there are points."""
    k = np.arange(1.0, 10.0)

    def u(X: Any) -> Any:
        waves = sf.sin(X[:, :1] * k[None])
        return {"points, m": waves, "m, points": waves.T, "m, points, 1": waves.T[..., None]}[shape]

    c = POINTS[:, 1]
    expected = c[:, None] * (-(k**2) * np.sin(x[:, None] * k)) + 2 * np.sin(x[:, None] * k)
    expected = {"points, m": expected, "m, points": expected.T}.get(shape, expected.T[..., None])
    for coefficient in (c, lambda X: X[:, 1]):
        L = sf.linear_operator(u, {(2, 0, 0): coefficient, (0, 0, 0): 2.0})
        np.testing.assert_allclose(L(POINTS), expected, rtol=1e-13, atol=1e-13)
    whole = sf.linear_operator(u, {(0, 0, 0): expected, (2, 0, 0): 0.0})(POINTS)
    np.testing.assert_allclose(whole, expected * u(POINTS), rtol=1e-15)
    with pytest.raises(ShapeError, match=r"must be a number or have shape \(9,\)"):
        sf.linear_operator(u, {(1, 0, 0): np.ones(5)})(POINTS)


def test_operators_compile_and_have_parameter_gradients() -> None:
    def loss(k: Any, X: Any) -> Any:
        u = lambda X: sf.sin(k * X[:, 0]) * X[:, 1]  # noqa: E731
        return (sf.gradient(u)(X) ** 2).sum() + sf.directional(u, [1.0, 2.0], 2)(X).mean()

    k, X = np.asarray(1.3), POINTS[:, :2].copy()
    eager = sf.value_and_grad(loss)(k, X)
    compiled = sf.jit(sf.value_and_grad(loss))(k, X)
    for a, b in zip(eager, compiled, strict=True):
        assert float(a) == pytest.approx(float(b), rel=1e-13)


@pytest.mark.parametrize(("operator", "error", "word"), [
    (lambda: sf.polyharmonic(field, 0), ShapeError, "at least 1"),
    (lambda: sf.directional(field, [1, 0, 0], 0), ShapeError, "at least 1"),
    (lambda: sf.linear_operator(field, {}), DifferentiationError, "at least one entry"),
    (lambda: sf.divergence(field)(POINTS), ShapeError, "points, 3"),
    (lambda: sf.curl(lambda X: X)(np.ones((2, 4))), ShapeError, "2 and 3 dimensions"),
    (lambda: sf.directional(field, [1.0, 0.0], 1)(POINTS), ShapeError, ""),
])  # fmt: skip
def test_refusals(operator: Any, error: type[Exception], word: str) -> None:
    with pytest.raises(error, match=word or "."):
        operator()


@pytest.mark.parametrize("dimension", [2, 70])
def test_derivatives_of_containers_are_not_stacked(dimension: int) -> None:
    points = np.ones((3, dimension))
    with pytest.raises(DifferentiationError, match="one array, not a tuple"):
        sf.gradient(lambda X: (X[:, 0], X[:, 1] ** 2))(points)


def test_a_field_has_no_second_argument() -> None:
    with pytest.raises(DifferentiationError, match="no argument 1"):
        sf.hessian(lambda X: X[:, 0] ** 2, argnums=1)(np.ones((3, 2)))
