"""Residuals and Jacobian of constraints: the loss, its gradient, and differences."""

from __future__ import annotations

import numpy as np
import pytest

from sciml import MLP, GaussNewton, LevenbergMarquardt, Points, Problem, RandomFeatures, Solver
from sciml.equations import CustomPDE, Dirichlet, Integral
from sciml.framework.errors import ConfigError
from sciml.geometry import Rectangle
from sciml.training.optimisers.squares import sum_of_squares
from sciml.training.solver import Training

PROBLEM = Problem(
    Rectangle(),
    CustomPDE({"balance": "u__x__x + u__y__y - u**3 - x"}, over="x y", unknowns="u"),
    [Dirichlet("u", "edges", hard=False), Integral("u", "u**2", 0.3)],
)


def training(network: MLP | RandomFeatures) -> Training:
    solver = Solver(PROBLEM, network, [GaussNewton()], Points(40, 10), {"balance": 3.0},
                    dtype="float64")  # fmt: skip
    return solver.prepare()


@pytest.mark.parametrize("network", [MLP(hidden=(6, 5)), RandomFeatures(features=12)])
def test_loss_and_gradient_are_those_of_the_residuals(network: MLP | RandomFeatures) -> None:
    ready = training(network)
    objective = sum_of_squares(ready.objective, "test")
    x = ready.start.x + 0.3 * np.random.default_rng(0).normal(size=ready.start.x.size)
    value, gradient = objective(x)
    r, J = objective.linearise(x)
    assert J.shape == (r.size, x.size)
    assert np.array_equal(r, objective.residuals(x))
    assert value == pytest.approx(float(r @ r), rel=1e-13)
    np.testing.assert_allclose(2.0 * J.T @ r, gradient, rtol=1e-10, atol=1e-12)


def test_the_jacobian_by_differences() -> None:
    ready = training(MLP(hidden=(4,)))
    objective = sum_of_squares(ready.objective, "test")
    x = ready.start.x
    _, J = objective.linearise(x)
    for i in range(0, x.size, 3):
        e = np.zeros(x.size)
        e[i] = 1e-6
        column = (objective.residuals(x + e) - objective.residuals(x - e)) / 2e-6
        np.testing.assert_allclose(J[:, i], column, rtol=1e-6, atol=1e-8)


def test_a_nonlinear_problem_by_gauss_newton_on_coefficients() -> None:
    """-lap u + u^3 = f with u = sin(pi x) sin(pi y): Newton's method, to rounding."""
    wave = "sin(pi*x)*sin(pi*y)"
    pde = CustomPDE(
        {"balance": f"-u__x__x - u__y__y + u**3 - 2*pi**2*{wave} - ({wave})**3"},
        over="x y", unknowns="u",
    )  # fmt: skip
    problem = Problem(Rectangle(), pde, [Dirichlet("u", "edges")])
    network = RandomFeatures(features=150, scale=3.0)
    solver = Solver(problem, network, [GaussNewton()], Points(600, 100), dtype="float64")
    x, y = np.random.default_rng(0).uniform(0, 1, (2, 100))
    exact = np.sin(np.pi * x) * np.sin(np.pi * y)
    np.testing.assert_allclose(solver.solve()["u"](x, y), exact, atol=1e-9)


def test_training_goes_on_from_given_parameters() -> None:
    network = MLP(hidden=(8,))
    points = Points(60, 20)
    first = Solver(PROBLEM, network, [LevenbergMarquardt(5)], points, dtype="float64").solve()
    both = Solver(PROBLEM, network, [LevenbergMarquardt(3)], points, dtype="float64")
    start = both.prepare(first.parameters)
    fresh = both.prepare()
    assert start.objective(start.start.x)[0] < fresh.objective(fresh.start.x)[0]
    with pytest.raises(ConfigError, match="initial parameters have the shapes"):
        Solver(PROBLEM, MLP(hidden=(7,)), points=points).prepare(first.parameters)
