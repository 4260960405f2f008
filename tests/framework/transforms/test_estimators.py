"""Estimates against closed forms: expectation, variance and measured error, within stated bounds.

Keys are fixed. A mean must lie within 4 standard errors (probability 6e-5 of failing for another
key), a sample variance of normal-like samples within the chi-square bounds of the same probability.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError, ShapeError

KEY = sf.random_key(2024)
D = 6
RNG = np.random.default_rng(7)
A = RNG.normal(size=(D, D))
A = (A + A.T) / 2
POINTS = RNG.uniform(-1, 1, size=(5, D))
MANY = 40_000


def quadratic(X: Any) -> Any:
    """1/2 x^T A x, so that D^2 u = A at every point."""
    return ((X @ A) * X).sum(axis=1) * 0.5


def radial(X: Any) -> Any:
    """|x|^6, with laplacian^3 = 6 4 2 (d + 4) (d + 2) d."""
    return (X**2).sum(axis=1) ** 3


def mixed(X: Any) -> Any:
    return sf.sin(X[:, 0] + 2.0 * X[:, 1]) * sf.exp(X[:, 2]) + X[:, 3] ** 4 * X[:, 4] ** 2


def moments(estimate: Callable[[Any], Any], X: Any = POINTS) -> tuple[np.ndarray, ...]:
    """Mean, variance and standard error from compiled code."""

    def measured(X: Any) -> Any:
        found = estimate(X)
        return found.mean, found.variance, found.standard_error

    return sf.jit(measured)(X)  # type: ignore[no-any-return]


# variance of one sample for a field with Hessian A
OFF_DIAGONAL = A - np.diag(np.diag(A))
VARIANCES = {
    ("rademacher", False): 2 * (OFF_DIAGONAL**2).sum(),
    ("gaussian", False): 2 * (A**2).sum(),
    ("sparse", True): D * (np.diag(A) ** 2).sum() - np.trace(A) ** 2,
}


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize(("directions", "replace"), VARIANCES)
def test_mean_and_variance_of_a_quadratic_field(
    directions: Any, replace: bool, shared: bool
) -> None:
    count = MANY if shared else MANY // 4
    mean, variance, error = moments(
        sf.estimate_laplacian(quadratic, KEY, count, directions, shared, replace)
    )
    exact = VARIANCES[directions, replace]
    assert (np.abs(mean - np.trace(A)) < 4 * error).all()
    np.testing.assert_allclose(error, np.sqrt(variance / count), rtol=1e-12)
    # variance of a sample variance: (m4 - sigma^4) / n, with m4 from the samples themselves
    values = sf.estimate_laplacian(quadratic, KEY, count, directions, shared, replace)(
        POINTS
    ).values
    fourth = ((values - values.mean(axis=0)) ** 4).mean(axis=0)
    assert (np.abs(variance - exact) < 4 * np.sqrt((fourth - exact**2) / count)).all()
    # shared directions give a field of constant Hessian the same samples at all points
    assert bool(np.ptp(values, axis=1).max() < 1e-10) == shared


def test_the_measured_error_without_replacement() -> None:
    """Var(mean) = d^2 (1 - n/d) S^2 / n with the variance S^2 of the diagonal, divisor d - 1."""
    diagonal = np.array([1.0, -2.0, 0.5, 4.0, 3.0, -1.0, 0.0, 2.5])
    d, n, tries = diagonal.size, 3, 6000
    X = np.zeros((1, d))

    def one(key: Any) -> Any:
        found = sf.estimate_laplacian(lambda X: ((X**2) @ diagonal) * 0.5, key, n)(X)
        return found.mean[0], found.standard_error[0] ** 2

    means, squares = sf.jit(sf.vmap(one))(sf.split_key(KEY, tries))
    exact = d**2 * (1 - n / d) * diagonal.var(ddof=1) / n
    assert abs(means.mean() - diagonal.sum()) < 4 * np.sqrt(exact / tries)
    # both the spread of the means and the mean of the measured variances are the exact variance
    fourth = ((means - means.mean()) ** 4).mean()
    assert abs(means.var(ddof=1) - exact) < 4 * np.sqrt((fourth - exact**2) / tries)
    assert abs(squares.mean() - exact) < 4 * squares.std() / np.sqrt(tries)


def test_normal_directions_have_a_chi_square_variance() -> None:
    """For u = |x|^2 / 2 in one dimension a sample is v^2; for large d the sum is near normal."""
    d, n = 400, 5000
    _, variance, _ = moments(
        sf.estimate_laplacian(lambda X: (X**2).sum(axis=1) * 0.5, KEY, n, "gaussian"),
        np.zeros((1, d)),
    )
    low, high = stats.chi2.ppf([3e-5, 1 - 3e-5], n - 1) / (n - 1)
    assert low < variance[0] / (2 * d) < high


def test_all_coordinates_without_replacement_are_the_exact_laplacian() -> None:
    mean, _, error = moments(sf.estimate_laplacian(mixed, KEY, D))
    np.testing.assert_allclose(mean, sf.laplacian(mixed)(POINTS), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(error, 0)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("directions", ["gaussian", "sparse"])
@pytest.mark.parametrize("power", [1, 2, 3])
def test_powers_of_the_laplacian(power: int, directions: Any, shared: bool) -> None:
    """Closed form for |x|^6; the exact operator for a field without symmetry."""
    count = 4000 if shared else 1500
    if power == 1 and directions == "sparse":
        count = D
    if power == 3:
        exact = np.full(len(POINTS), 48.0 * (D + 4) * (D + 2) * D)
        mean, _, error = moments(
            sf.estimate_polyharmonic(radial, 3, KEY, count, directions, shared)
        )
        assert (np.abs(mean - exact) < 4 * error + 1e-9 * exact).all()
    mean, _, error = moments(sf.estimate_polyharmonic(mixed, power, KEY, count, directions, shared))
    exact = sf.polyharmonic(mixed, power)(POINTS)
    assert (np.abs(mean - exact) < 4 * error + 1e-10 * np.abs(exact)).all()


def test_the_sparse_biharmonic_operator_of_a_separable_field_has_no_error() -> None:
    """All u_iiii are 24 and all u_iijj are 8 for |x|^4 = sum x_i^2 x_j^2."""
    found = sf.estimate_biharmonic(lambda X: (X**2).sum(axis=1) ** 2, KEY, 3)(POINTS)
    np.testing.assert_allclose(found.values, 24.0 * D + 8.0 * D * (D - 1), rtol=1e-13)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("directions", ["rademacher", "gaussian", "sparse"])
@pytest.mark.parametrize("own", [True, False])
def test_second_order_operators(own: bool, directions: Any, shared: bool) -> None:
    """trace(L L^T A), for one L and for one at each point."""
    L = RNG.normal(size=(len(POINTS), D, 3) if own else (D, 3))
    exact = np.einsum("...ir,ij,...jr->...", L, A, L) * np.ones(len(POINTS))
    count = 3 if directions == "sparse" else 4000
    mean, _, error = moments(
        sf.estimate_second_order(quadratic, lambda X: L, KEY, count, directions, shared)
    )
    assert (np.abs(mean - exact) < 4 * error + 1e-10).all()
    if directions == "sparse":
        np.testing.assert_allclose(mean, exact, rtol=1e-10)


def test_fields_of_several_values_and_single_precision() -> None:
    def fields(X: Any) -> Any:
        return sf.stack([(X**2).sum(axis=1), X[:, 0] * 3.0], axis=1)

    X = POINTS.astype(np.float32)
    found = sf.estimate_laplacian(fields, KEY, 4, "rademacher")(X)
    assert found.values.shape == (4, 5, 2)
    assert found.values.dtype == np.float32
    np.testing.assert_allclose(found.mean, [[2.0 * D, 0.0]] * 5, rtol=1e-5)
    flat = sf.estimate_laplacian(lambda X: X[:, 0] * 3.0, KEY, 4)(X)
    np.testing.assert_array_equal(flat.values, np.zeros((4, 5), np.float32))


def test_every_key_draws_anew_without_a_new_compilation() -> None:
    step = sf.jit(lambda key, X: sf.estimate_laplacian(quadratic, key, 2, "gaussian")(X).mean)
    draws = [float(step(key, POINTS)[0]) for key in sf.split_key(KEY, 20)]
    assert len(set(draws)) == 20
    assert step.compilations == 1
    for key, draw in zip(sf.split_key(KEY, 20), draws, strict=True):
        eager = sf.estimate_laplacian(quadratic, key, 2, "gaussian")(POINTS).mean[0]
        assert abs(eager - draw) < 1e-12 * max(1.0, abs(eager))


def test_the_product_of_two_estimates_has_no_bias() -> None:
    """E[r1 r2] = trace(A)^2; E[r^2] is larger by the variance 2 ||A||_F^2."""

    def residual(key: Any, X: Any) -> Any:
        return sf.estimate_laplacian(quadratic, key, 1, "gaussian")(X).mean[0]

    keys, X = sf.split_key(KEY, MANY), POINTS[:1]
    product = sf.jit(sf.vmap(lambda k: sf.unbiased_square(residual)(k, X)))(keys)
    naive = sf.jit(sf.vmap(lambda k: residual(k, X) ** 2))(keys)
    exact = np.trace(A) ** 2
    assert abs(product.mean() - exact) < 4 * product.std() / np.sqrt(MANY)
    error = naive.std() / np.sqrt(MANY)
    assert abs(naive.mean() - exact - 2 * (A**2).sum()) < 4 * error
    assert 2 * (A**2).sum() > 20 * error


def test_the_gradient_of_the_unbiased_loss_has_no_bias() -> None:
    """r(a) = a trace(A) - 1: the derivative of r^2 is 2 r trace(A)."""

    def loss(a: Any, key: Any) -> Any:
        def residual(key: Any) -> Any:
            found = sf.estimate_laplacian(lambda X: a * quadratic(X), key, 1, "rademacher")
            return found(POINTS[:1]).mean[0] - 1.0

        return sf.unbiased_square(residual)(key)

    slopes = sf.jit(sf.vmap(sf.grad(loss), (None, 0)))(np.array(0.7), sf.split_key(KEY, MANY))
    exact = 2 * (0.7 * np.trace(A) - 1.0) * np.trace(A)
    assert abs(slopes.mean() - exact) < 4 * slopes.std() / np.sqrt(MANY)


def test_requests_without_meaning_are_refused() -> None:
    with pytest.raises(DifferentiationError, match="wrong moments"):
        sf.estimate_biharmonic(quadratic, KEY, 3, "rademacher")
    with pytest.raises(ShapeError, match="number of samples"):
        sf.estimate_laplacian(quadratic, KEY, 0)
    with pytest.raises(ShapeError, match="must be 'rademacher'"):
        sf.estimate_laplacian(quadratic, KEY, 3, "uniform")  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match="replace=True is for sparse"):
        sf.estimate_laplacian(quadratic, KEY, 3, "gaussian", replace=True)
    with pytest.raises(ShapeError, match="without replacement of 6 terms"):
        sf.estimate_laplacian(quadratic, KEY, 7)(POINTS)
    with pytest.raises(ShapeError, match="power of the Laplacian"):
        sf.estimate_polyharmonic(quadratic, 0, KEY, 3)
    with pytest.raises(ShapeError, match="factor must be"):
        sf.estimate_second_order(quadratic, np.ones((D + 1, 2)), KEY, 3)(POINTS)
    with pytest.raises(ShapeError, match="at least two samples"):
        _ = sf.estimate_laplacian(quadratic, KEY, 1)(POINTS).variance
    with pytest.raises(DifferentiationError, match="does not depend on X"):
        sf.estimate_laplacian(lambda X: np.ones(5), KEY, 2)(POINTS)
