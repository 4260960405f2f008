"""Covariances against the normal equations, which well-conditioned matrices allow."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.studies import least_squares as module
from sciml.studies.least_squares import LeastSquares

RNG = np.random.default_rng(3)
J = RNG.normal(size=(12, 4)) * np.array([1.0, 0.1, 10.0, 3.0])
ROWS = np.arange(4, 12)


def test_posterior_of_bayesian_linear_regression() -> None:
    """y = A c + noise with c ~ N(0, tau^2): covariance (A^T A / sigma^2 + I / tau^2)^-1."""
    A, sigma, tau = RNG.normal(size=(9, 5)), 0.3, 2.0
    stacked = np.concatenate([A, np.eye(5) * sigma / tau])
    root = LeastSquares.of(stacked).posterior(sigma)
    expected = np.linalg.inv(A.T @ A / sigma**2 + np.eye(5) / tau**2)
    np.testing.assert_allclose(root @ root.T, expected, rtol=1e-12, atol=1e-15)


def test_sampling_covariance_is_that_of_the_estimate() -> None:
    deviations = np.linspace(0.1, 0.8, len(ROWS))
    root = LeastSquares.of(J).sampling(ROWS, deviations)
    estimate = np.linalg.pinv(J)[:, ROWS]
    expected = estimate @ np.diag(deviations**2) @ estimate.T
    np.testing.assert_allclose(root @ root.T, expected, rtol=1e-9)


def test_noise_is_estimated_without_bias() -> None:
    """The mean of the estimated variance is an exact quadratic form: E r_d^2 over its freedom."""
    linear = LeastSquares.of(J)
    left = np.eye(12) - J @ np.linalg.pinv(J)
    total = 0.0
    for k in ROWS:  # the variance is the sum over unit errors of single rows
        r = left[:, k]
        total += linear.deviation(r, ROWS) ** 2
    assert total == pytest.approx(1.0, rel=1e-12)


def test_all_rows_give_the_classical_degrees_of_freedom() -> None:
    r = RNG.normal(size=12)
    left = r - J @ np.linalg.lstsq(J, r, rcond=None)[0]
    every = np.arange(12)
    expected = np.sqrt(np.sum(left**2) / (12 - 4))
    assert LeastSquares.of(J).deviation(left, every) == pytest.approx(expected, rel=1e-12)
    expected = np.sqrt(np.sum(r**2) - np.sum(left**2))
    assert LeastSquares.of(J).distance(r) == pytest.approx(expected, rel=1e-10)


def test_as_many_parameters_as_rows_leave_no_noise() -> None:
    with pytest.raises(ConfigError, match="4 measured values leave"):
        LeastSquares.of(J[:4]).deviation(np.ones(4), np.arange(4))


def test_directions_without_rows_are_known() -> None:
    linear = LeastSquares.of(J * np.array([1.0, 0.0, 1.0, 1.0]))
    assert linear.unseen.shape == (4, 1)
    assert linear.undetermined(np.array([[0.0, 3.0, 0.0, 4.0]])) == pytest.approx(
        3.0 / np.hypot(3.0, 4.0 / linear.norms[3]), rel=1e-12
    )
    assert linear.undetermined(np.array([[1.0, 0.0, 1.0, 1.0]])) < 1e-14


def test_examples() -> None:
    assert doctest.testmod(module, extraglobs={"np": np}).failed == 0
