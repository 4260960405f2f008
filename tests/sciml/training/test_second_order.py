"""Gauss-Newton and Levenberg-Marquardt: their least squares steps, closed forms, known minima."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.training.optimisers import GaussNewton, LevenbergMarquardt, StopReason, Vector
from sciml.training.optimisers.squares import Matrix, SumOfSquares, damped, truncated

from .objectives import rosenbrock, steps


@dataclass
class Squares(SumOfSquares):
    """r(x) . r(x) of functions of residuals and Jacobian."""

    r: Callable[[Vector], Vector]
    J: Callable[[Vector], Matrix]

    def __call__(self, x: Vector) -> tuple[float, Vector]:
        r = self.r(x)
        return float(r @ r), 2.0 * self.J(x).T @ r

    def residuals(self, x: Vector) -> Vector:
        return self.r(x)

    def linearise(self, x: Vector) -> tuple[Vector, Matrix]:
        return self.r(x), self.J(x)


def linear(m: int, n: int, condition: float = 1.0, seed: int = 0) -> tuple[Matrix, Vector]:
    """A matrix with singular values down to one over a condition number, and a right hand side."""
    rng = np.random.default_rng(seed)
    u = np.linalg.qr(rng.standard_normal((m, min(m, n))))[0]
    v = np.linalg.qr(rng.standard_normal((n, min(m, n))))[0]
    return (u * np.geomspace(1.0, 1.0 / condition, min(m, n))) @ v.T, rng.standard_normal(m)


ROSENBROCK = Squares(
    lambda x: np.array([10.0 * (x[1] - x[0] ** 2), 1.0 - x[0]]),
    lambda x: np.array([[-20.0 * x[0], 10.0], [-1.0, 0.0]]),
)


@pytest.mark.parametrize(("m", "n"), [(30, 8), (8, 8), (6, 20)])
def test_a_truncated_step_is_that_of_the_pseudoinverse(m: int, n: int) -> None:
    J, r = linear(m, n)
    found = truncated(J, r, 1e-14)
    assert found.rank == min(m, n)
    assert found.predicted == pytest.approx(float(np.sum((J @ found.step + r) ** 2)), rel=1e-12)
    if n <= m:
        np.testing.assert_allclose(found.step, -np.linalg.pinv(J) @ r, rtol=1e-10, atol=1e-12)
    else:
        assert found.predicted < 1e-24


def test_a_truncated_step_leaves_out_what_is_not_determined() -> None:
    J, r = linear(30, 8)
    doubled = np.hstack([J, J[:, :2]])
    found = truncated(doubled, r, 1e-12)
    assert found.rank == 8
    assert found.predicted == pytest.approx(truncated(J, r, 1e-12).predicted, rel=1e-12)
    assert np.all(truncated(np.hstack([J, np.zeros((30, 1))]), r, 1e-12).step[-1:] == 0.0)


def test_a_truncated_step_meets_the_condition_once() -> None:
    """A consistent system of condition 1e12 leaves residuals of rounding size."""
    J, _ = linear(40, 20, condition=1e12)
    r = -J @ np.ones(20)
    assert truncated(J, r, 1e-15).predicted < 1e-28


@pytest.mark.parametrize(("m", "n"), [(30, 8), (8, 30)])
@pytest.mark.parametrize("damping", [1e-1, 1e-6, 1e-12])
def test_a_damped_step_solves_the_damped_normal_equations(m: int, n: int, damping: float) -> None:
    """In both forms, m >= n and m < n; the reference is a plain augmented least squares problem."""
    J, r = linear(m, n, condition=1e3)
    mu = damping * np.max(np.sum(J * J, axis=0))
    augmented = np.vstack([J, np.sqrt(mu) * np.eye(n)])
    expected = np.linalg.lstsq(augmented, -np.concatenate([r, np.zeros(n)]), rcond=None)[0]
    found = damped(J, r, damping)
    np.testing.assert_allclose(found.step, expected, rtol=1e-6, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize(("m", "n"), [(30, 8), (8, 30)])
def test_a_damped_step_where_normal_equations_fail_in_rounding(m: int, n: int) -> None:
    """Rank 4 of 8 and no damping to speak of: the step still is the one of least norm."""
    J, r = linear(m, 4), linear(m, n)[1]
    J = np.hstack([J[0], J[0] @ np.ones((4, n - 4))]) if n > 4 else J[0]
    found = damped(J, r, 1e-18)
    best = np.linalg.lstsq(J, -r, rcond=1e-10)[0]
    left = np.linalg.norm(J @ best + r)
    assert np.linalg.norm(J @ found.step + r) <= left * (1 + 1e-6) + 1e-8


def test_gauss_newton_solves_a_linear_problem_in_its_first_step() -> None:
    J, r = linear(30, 8)
    states = steps(GaussNewton(), np.zeros(8), Squares(lambda x: J @ x + r, lambda x: J))
    np.testing.assert_allclose(states[1].x, -np.linalg.pinv(J) @ r, rtol=1e-12)
    assert states[-1].stop is StopReason.PRECISION
    assert len(states) <= 3


def test_gauss_newton_is_quadratic_where_the_residual_vanishes() -> None:
    """r = x^3 - 8 near 2, whose Newton errors are e^2 / 2 to first order."""
    problem = Squares(lambda x: x**3 - 8.0, lambda x: np.diag(3.0 * x**2))
    errors = [
        abs(float(s.x[0]) - 2.0) for s in steps(GaussNewton(decrease=1.0), np.array([2.1]), problem)
    ]
    assert errors[1] == pytest.approx(errors[0] ** 2 / 2.0, rel=0.1)
    assert errors[2] == pytest.approx(errors[1] ** 2 / 2.0, rel=0.01)
    assert errors[-1] < 1e-15


def test_gauss_newton_halves_a_step_that_goes_too_far() -> None:
    """atan from 2: whole Newton steps diverge."""
    problem = Squares(np.arctan, lambda x: np.diag(1.0 / (1.0 + x * x)))
    states = steps(GaussNewton(50, decrease=1.0), np.array([2.0]), problem)
    assert states[1].rate < 1.0
    assert abs(float(states[-1].x[0])) < 1e-12
    values = [s.value for s in states]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("method", [GaussNewton(200, decrease=1.0), LevenbergMarquardt(200)])
def test_rosenbrock_as_a_sum_of_squares(method: GaussNewton | LevenbergMarquardt) -> None:
    states = steps(method, np.array([-1.2, 1.0]), ROSENBROCK)
    np.testing.assert_allclose(states[-1].x, 1.0, atol=1e-12)
    assert states[-1].step < 60
    values = [s.value for s in states]
    assert values == sorted(values, reverse=True)


def test_levenberg_marquardt_with_a_residual_that_stays() -> None:
    """The minimum of a curved problem whose residual is not zero, against its gradient."""
    t, y = np.linspace(0.0, 2.0, 12), np.cos(np.linspace(0.0, 2.0, 12))
    problem = Squares(
        lambda x: x[0] * np.exp(x[1] * t) - y,
        lambda x: np.stack([np.exp(x[1] * t), x[0] * t * np.exp(x[1] * t)], axis=1),
    )
    last = steps(LevenbergMarquardt(), np.array([3.0, 1.0]), problem)[-1]
    assert last.stop is StopReason.PRECISION
    assert last.value > 0.1
    assert np.linalg.norm(problem(last.x)[1]) < 1e-6


def test_levenberg_marquardt_with_fewer_residuals_than_parameters() -> None:
    J, r = linear(5, 12)
    last = steps(LevenbergMarquardt(), np.zeros(12), Squares(lambda x: J @ x + r, lambda x: J))[-1]
    assert last.value < 1e-28


def test_levenberg_marquardt_where_the_model_promises_less_than_rounding() -> None:
    """The linear model keeps the loss at 1 to the last bit; the true one falls to cos(0.999)^2."""
    problem = Squares(
        lambda x: np.array([np.cos(1e9 * x[0]), 1e-9 + x[0]]),
        lambda x: np.array([[-1e9 * np.sin(1e9 * x[0])], [1.0]]),
    )
    last = steps(LevenbergMarquardt(1), np.zeros(1), problem)[-1]
    assert last.step == 1
    assert last.value == pytest.approx(np.cos(1 / 1.001) ** 2, rel=1e-12)


def test_levenberg_marquardt_stops_at_a_loss() -> None:
    states = steps(LevenbergMarquardt(tolerance=1e-2), np.array([-1.2, 1.0]), ROSENBROCK)
    assert states[-1].stop is StopReason.LOSS_TOLERANCE
    assert states[-1].value <= 1e-2 < states[-2].value


@pytest.mark.parametrize("method", [GaussNewton(3, decrease=1.0), LevenbergMarquardt(3)])
def test_limits_and_what_has_no_residuals(method: GaussNewton | LevenbergMarquardt) -> None:
    states = steps(method, np.array([-1.2, 1.0]), ROSENBROCK)
    assert states[-1].stop is StopReason.STEP_LIMIT
    assert states[-1].step == 3 == method.step_limit
    none = type(method)(0).start(np.array([-1.2, 1.0]), ROSENBROCK)
    assert none.stop is StopReason.STEP_LIMIT
    with pytest.raises(ConfigError, match=f"{type(method).__name__} needs the residuals"):
        method.start(np.zeros(2), rosenbrock)


@pytest.mark.parametrize(
    "build",
    [
        lambda: GaussNewton(-1), lambda: GaussNewton(cutoff=0.0), lambda: GaussNewton(decrease=0.0),
        lambda: GaussNewton(halvings=-1), lambda: LevenbergMarquardt(-1),
        lambda: LevenbergMarquardt(damping=0.0), lambda: LevenbergMarquardt(smallest=0.0),
        lambda: LevenbergMarquardt(up=1.0), lambda: LevenbergMarquardt(tolerance=-1.0),
    ],
)  # fmt: skip
def test_numbers_out_of_range(build: Callable[[], object]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        build()
