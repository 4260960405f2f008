"""Rows and products of the Jacobian of residuals by parameters."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError, ShapeError, UnusedInputWarning

RNG = np.random.default_rng(0)
X = RNG.uniform(0.2, 1.0, 11)
A = {"a": np.array([0.7, -1.2]), "b": np.array(0.4)}


def residual(params: Any, x: Any) -> Any:
    """a_0 sin(b x) + a_1 x^2."""
    return params["a"][0] * sf.sin(params["b"] * x) + params["a"][1] * x**2


def exact_rows(x: Any) -> Any:
    a, b = A["a"], A["b"]
    return np.stack([np.sin(b * x), x**2, a[0] * x * np.cos(b * x)], axis=1)


J = sf.point_jacobian(residual)


def test_rows_by_hand() -> None:
    np.testing.assert_allclose(J.rows(A, X), exact_rows(X), rtol=1e-15)


def test_products_by_hand() -> None:
    rows = exact_rows(X)
    v, r = RNG.normal(size=3), RNG.normal(size=11)
    np.testing.assert_allclose(J.product(A, X, vector=v), rows @ v, rtol=1e-13)
    nested = {"a": v[:2], "b": v[2]}
    np.testing.assert_allclose(J.product(A, X, vector=nested), rows @ v, rtol=1e-13)
    pulled = J.transposed(A, X, vector=r)
    np.testing.assert_allclose([*pulled["a"], pulled["b"]], rows.T @ r, rtol=1e-12)
    np.testing.assert_allclose(J.gram(A, X), rows.T @ rows, rtol=1e-13)
    gram, slope, value = J.normal_equations(A, X)
    np.testing.assert_allclose(gram, rows.T @ rows, rtol=1e-13)
    np.testing.assert_allclose(slope, rows.T @ value, rtol=1e-12)
    np.testing.assert_allclose(value, residual(A, X), rtol=1e-15)


def network(params: Any, X: Any) -> Any:
    h = sf.tanh(X @ params[0] + params[1])
    return h @ params[2]


PARAMS = [RNG.normal(size=(2, 9)), RNG.normal(size=9), RNG.normal(size=(9, 2))]
POINTS = RNG.uniform(size=(20, 2))


def momentum(params: Any, X: Any, load: Any, scale: Any) -> Any:
    """Two residuals of second order at each point; a load at each point, a scale for all."""
    u = lambda X: network(params, X)  # noqa: E731
    return sf.laplacian(u)(X) * scale + network(params, X) * load[:, None]


LOAD, SCALE = RNG.normal(size=20), np.array(0.3)
M = sf.point_jacobian(momentum, shared=(3,))
ARGUMENTS = (PARAMS, POINTS, LOAD, SCALE)


def dense() -> Any:
    """The rows by forward differences in the direction of every parameter, by `sf.jvp`."""
    columns = []
    for k, leaf in enumerate(PARAMS):
        for index in np.ndindex(leaf.shape):
            tangent = [np.zeros_like(p) for p in PARAMS]
            tangent[k][index] = 1.0
            call = lambda p: momentum(p, *ARGUMENTS[1:])  # noqa: E731
            columns.append(sf.jvp(call, (PARAMS,), (tangent,))[1])
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("compiled", [False, True])
def test_several_residuals_of_derivatives(compiled: bool) -> None:
    expected = dense()
    run = sf.jit if compiled else lambda f: f
    rows = run(M.rows)(*ARGUMENTS)
    assert rows.shape == (20, 2, 45)
    np.testing.assert_allclose(rows, expected, rtol=1e-11, atol=1e-12)
    flat = expected.reshape(40, 45)
    np.testing.assert_allclose(run(M.gram)(*ARGUMENTS), flat.T @ flat, rtol=1e-11, atol=1e-11)
    v, r = RNG.normal(size=45), RNG.normal(size=(20, 2))
    product = run(lambda *a: M.product(*a[:-1], vector=a[-1]))(*ARGUMENTS, v)
    np.testing.assert_allclose(product, expected @ v, rtol=1e-11, atol=1e-11)
    pulled = run(lambda *a: M.transposed(*a[:-1], vector=a[-1]))(*ARGUMENTS, r)
    got = np.concatenate([np.ravel(p) for p in pulled])
    np.testing.assert_allclose(got, np.einsum("nm,nmp->p", r, expected), rtol=1e-10, atol=1e-11)


def test_the_gram_matrix_in_blocks() -> None:
    """With more columns than one block holds: 300 parameters of a linear residual."""
    features = RNG.normal(size=(40, 300))
    linear = sf.point_jacobian(lambda w, x: (x * w).sum(axis=1))
    got = sf.jit(linear.gram)(np.zeros(300), features)
    np.testing.assert_allclose(got, features.T @ features, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(got, got.T)


def test_memory_of_a_gram_matrix_does_not_depend_on_the_points() -> None:
    gram = sf.jit(J.gram)
    kept = []
    for count in (5_000, 50_000):
        gram(A, np.linspace(0.0, 1.0, count))
        ((compiled,),) = gram._known.values()
        kept.append(sum(m.nbytes for m in compiled.executable._memory.values()))
    assert kept[0] == kept[1]


def test_what_has_no_rows_is_refused() -> None:
    with pytest.raises(ShapeError, match="residuals must be one array"):
        sf.point_jacobian(lambda a, x: (a * x).sum()).rows(np.array(1.0), X)
    with pytest.raises(DifferentiationError, match="does not depend on argument 0"):
        sf.point_jacobian(lambda a, x: x * 2.0).rows(np.array(1.0), X)
    with pytest.raises(ShapeError, match="must have 3 entries"):
        J.product(A, X, vector=np.ones(4))


def test_a_parameter_without_influence_is_a_warned_of_column_of_zeros() -> None:
    partly = sf.point_jacobian(lambda p, x: p["a"] * x)
    with pytest.warns(UnusedInputWarning, match="'b'"):
        rows = partly.rows({"a": np.array(2.0), "b": np.array(1.0)}, X)
    np.testing.assert_array_equal(rows, np.stack([X, np.zeros(11)], axis=1))


def test_residuals_that_mix_points_are_refused() -> None:
    with pytest.raises(DifferentiationError, match="not pointwise"):
        sf.point_jacobian(lambda a, x: a * (x - x.mean())).rows(np.array(1.0), X)


def test_unused_parameters_have_columns_of_zeros() -> None:
    def residual(p: dict[str, Any], x: Any) -> Any:
        return p["a"] * x

    p, x = {"a": np.array(2.0), "b": np.array(3.0)}, np.array([1.0, 4.0])
    with pytest.warns(UnusedInputWarning, match="does not depend on"):
        told = sf.point_jacobian(residual).rows(p, x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        silent = sf.point_jacobian(residual, allow_unused=True).rows(p, x)
    assert silent.tolist() == told.tolist() == [[1.0, 0.0], [4.0, 0.0]]
