"""Optimal sizes against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from sciml import GaussNewton, Points, Problem, Solver, SpectralFeatures, minimise
from sciml.equations import CustomPDE, Dirichlet
from sciml.framework.errors import ConfigError, ConvergenceWarning, NonFiniteError
from sciml.geometry import Disk, Parametrised
from sciml.problem.solution import Solution


@pytest.fixture(scope="module")
def heated() -> Solution:
    """laplacian(u) = -4 in discs of radius 1 to 2, u = 0 at the circle: u = R^2 - x^2 - y^2."""
    discs = Parametrised(lambda radius: Disk((0, 0), radius), {"radius": (1, 2)})
    pde = CustomPDE({"heat": "u__x__x + u__y__y + 4"}, "x y radius", "u")
    problem = Problem(discs, pde, [Dirichlet("u", "circle", hard=False)])
    space = SpectralFeatures(degrees=2)
    solver = Solver(problem, space, [GaussNewton()], Points(400, 200), dtype="float64")
    return solver.solve()


def test_a_minimum_inside_is_where_the_derivative_vanishes(heated: Solution) -> None:
    """(u(0, 0) - 2)^2 = (R^2 - 2)^2 is least at R = sqrt(2)."""
    found = minimise(
        heated, lambda q, radius: (q("u", 0.0, 0.0, radius) - 2.0) ** 2, {"radius": (1, 2)}
    )
    assert found.design["radius"] == pytest.approx(np.sqrt(2), rel=1e-6)
    assert found.converged
    assert found.at_bounds == ()
    assert found.value < 1e-10


def test_values_at_an_end_are_said_to_be_there(heated: Solution) -> None:
    """u(0, 0) - R = R^2 - R rises with R >= 1, with the slope 2 R - 1."""
    found = minimise(
        heated, lambda q, radius: q("u", 0.0, 0.0, radius) - radius, {"radius": (1.25, 2)}
    )
    assert found.design == {"radius": 1.25}
    assert found.at_bounds == ("radius",)
    assert found.converged
    assert found.gradient["radius"] == pytest.approx(1.5, rel=1e-8)
    assert found.value == pytest.approx(1.25**2 - 1.25, rel=1e-8)


def test_objectives_may_be_sums_over_points_and_several_values(heated: Solution) -> None:
    """The mean of u over x = c +- 0.1, 0 at R = 1.5 is 2.25 - c^2 - 0.01: largest at c = 0."""
    offsets = np.array([-0.1, 0.1])
    found = minimise(
        heated,
        lambda q, x, radius: -q("u", x + offsets, 0.0, 1.5).mean() + (radius - 1.1) ** 2,
        {"x": (-0.5, 0.8), "radius": (1, 2)},
        start={"x": 0.7},
    )
    assert found.design["x"] == pytest.approx(0.0, abs=1e-7)
    assert found.design["radius"] == pytest.approx(1.1, rel=1e-7)
    assert found.value == pytest.approx(-2.24, rel=1e-9)


def test_refusals(heated: Solution) -> None:
    def value(q: object, **design: float) -> object:
        return q("u", 0.0, 0.0, design["radius"])  # type: ignore[operator]

    for over in ({"r": (1, 2)}, {"radius": (0.5, 2)}, {"radius": (2, 1)}):
        with pytest.raises(ConfigError, match="minimise: expected"):
            minimise(heated, value, over)
    with pytest.raises(ConfigError, match="give the range of one coordinate"):
        minimise(heated, value, {})
    with pytest.raises(ConfigError, match="the start must lie in the ranges"):
        minimise(heated, value, {"radius": (1, 2)}, start={"radius": 3.0})
    with pytest.raises(ConfigError, match="u takes 3 coordinates, got 1"):
        minimise(heated, lambda q, radius: q("u", radius), {"radius": (1, 2)})
    with pytest.raises(NonFiniteError, match="no number at"):
        minimise(heated, lambda q, radius: radius / 0.0 * 0.0, {"radius": (1, 2)})


def test_too_few_steps_are_warned_about(heated: Solution) -> None:
    with pytest.warns(ConvergenceWarning, match="ended with a gradient of"):
        found = minimise(
            heated, lambda q, radius: (q("u", 0.0, 0.0, radius) - 3.9) ** 4, {"radius": (1, 2)},
            steps=1,
        )  # fmt: skip
    assert not found.converged
