"""Problems, trial spaces, scales, solutions and comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sciml import LBFGS, MLP, Adam, Points, Problem, Solution, Solver
from sciml.equations import (
    Clamped,
    Dirichlet,
    KirchhoffPlate,
    Laplace,
    Neumann,
    Periodic,
    Poisson,
    SimplySupported,
)
from sciml.equations.exact.disc import UniformDisc
from sciml.equations.exact.sine_plate import SinePlate
from sciml.equations.exact.sine_poisson import SinePoisson
from sciml.framework.errors import (
    ConfigError,
    EquationError,
    GeometryError,
    PrecisionWarning,
)
from sciml.geometry import Disk, Geometry, Interval, Rectangle
from sciml.problem.comparison import compare, require_same_equation
from sciml.problem.plots import Grid

PLATE = Problem(Rectangle(), KirchhoffPlate(load="sin(pi*x)*sin(pi*y)"), [SimplySupported("edges")])
NET = MLP(hidden=(5, 5))


def solution(problem: Problem = PLATE, dtype: Any = np.float64) -> Solution:
    """Return an untrained solution."""
    trial = problem.trial(NET)
    return Solution(trial, trial.network.initialise(3, dtype))


def test_hard_conditions_hold_for_any_parameters() -> None:
    edge = Rectangle().sample_boundary("edges", 40).points
    assert np.max(np.abs(solution().evaluate(["w"], edge)["w"])) < 1e-18


def test_clamped_disc_has_no_slope_at_its_edge() -> None:
    disc = solution(Problem(Disk(), KirchhoffPlate(), [Clamped("circle")]))
    h, angle = 1e-6, np.linspace(0, 6, 9)
    w = disc["w"]
    r = 1.0 - h
    assert np.max(np.abs(w(r * np.cos(angle), r * np.sin(angle)) / h)) < 1e-5


@pytest.mark.parametrize("size", [1.0, 1e-3, 50.0])
@pytest.mark.parametrize("load", [1.0, 2e4])
def test_residuals_are_of_order_one_in_any_units(size: float, load: float) -> None:
    geometry = Rectangle((0.0, 0.0), (size, size))
    problem = Problem(geometry, KirchhoffPlate(7e3, 0.3, load), [SimplySupported("edges")])
    trial = problem.trial(NET)
    expected = load * size**4 / 7e3
    assert 1e-4 < trial.scales.fields["w"] / expected < 1e-1
    parameters = trial.network.initialise(0)
    for constraint in trial.constraints(Points(100, 40), 0, {}):
        residual = np.asarray(constraint.residual(parameters, *constraint.arrays))
        assert 0.01 < np.max(np.abs(residual)) < 100.0


def test_soft_conditions_use_the_outward_normal() -> None:
    soft = Neumann("u", "edges.left", 2.0, hard=False)
    problem = Problem(Rectangle(), Poisson(), [soft, Dirichlet("u", "edges.right")])
    trial = problem.trial(NET)
    requirement = trial.requirements[1]
    assert requirement.name == "edges.left: u_n"
    arrays = requirement.arrays(problem.geometry, Points(1, 5), 0)
    residual = requirement.residual({"u": lambda X: 3.0 * X[:, 0]}, arrays)
    assert np.allclose(residual, -3.0 - 2.0)


def test_periodic_coordinates_reach_the_network_as_points_of_a_circle() -> None:
    conditions = [Periodic("u", "edges.left", period=1.0), Dirichlet("u", "edges.top"),
                  Dirichlet("u", "edges.bottom")]  # fmt: skip
    trial = Problem(Rectangle(), Poisson(), conditions).trial(NET)
    assert [r.name for r in trial.requirements] == ["poisson"]
    parameters = trial.network.initialise(0)
    X = np.random.default_rng(0).random((7, 2))
    u, moved = (trial.evaluate(parameters, ["u"], p)["u"] for p in (X, X + np.array([1.0, 0.0])))
    assert np.allclose(u, moved, rtol=0, atol=1e-14)
    assert np.ptp(u) > 0.0


def test_weights_are_by_name_and_unknown_names_are_refused() -> None:
    trial = PLATE.trial(NET)
    constraints = trial.constraints(Points(10, 10), 0, {"edges: M_n": 5.0})
    assert [(c.name, c.weight) for c in constraints] == [("plate", 1.0), ("edges: M_n", 5.0)]
    with pytest.raises(ConfigError, match="'edges: M_n'"):
        trial.constraints(Points(10, 10), 0, {"M_n": 5.0})


def test_quantities_broadcast_and_unknown_ones_are_refused() -> None:
    made = solution()
    assert made.names == ["w", "M_x", "M_y", "M_xy", "Q_x", "Q_y"]
    assert made["M_x"](0.5, np.linspace(0, 1, 4)[:, None]).shape == (4, 1)
    assert made["Q_x"].unit == "N/m"
    with pytest.raises(EquationError, match="known are w, M_x"):
        made["M_z"]
    with pytest.raises(EquationError, match="2 coordinates"):
        made["w"](0.5)


def test_moment_is_the_second_difference_of_the_deflection() -> None:
    made, h = solution(), 1e-4
    w, x, y = made["w"], np.array([0.3, 0.6]), np.array([0.7, 0.2])
    w_xx = (w(x + h, y) - 2 * w(x, y) + w(x - h, y)) / h**2
    w_yy = (w(x, y + h) - 2 * w(x, y) + w(x, y - h)) / h**2
    assert np.allclose(made["M_x"](x, y), -(w_xx + 0.3 * w_yy), rtol=1e-4)


def test_errors_of_a_known_field_are_those_computed_by_hand() -> None:
    exact = {"u": np.array([3.0, 4.0])}
    error = compare({"u": np.array([3.0, 4.5])}, exact, "exact")["u"]
    assert (error.max, error.reference) == (0.5, "exact")
    assert np.isclose(error.relative_l2, 0.1)


def test_grid_leaves_out_what_is_outside_and_keeps_the_aspect() -> None:
    def grid(shape: Geometry) -> Grid:
        units = (("x", "m"), ("y", "m"))
        return Grid.over(shape.bounding_box, 41, units, shape.signed_distance)

    assert np.isclose(grid(Disk()).inside.mean(), np.pi / 4, atol=0.05)
    assert grid(Rectangle((0, 0), (4, 1))).inside.shape == (11, 41)


def test_reference_of_another_equation_is_refused() -> None:
    require_same_equation(PLATE.pde, SinePlate().pde)
    with pytest.raises(EquationError, match="make their coefficients equal"):
        solution().errors(SinePlate(amplitude=2.0))
    with pytest.raises(EquationError, match="make their coefficients equal"):
        require_same_equation(Poisson(), UniformDisc().pde)


def test_problems_that_do_not_fit_are_refused() -> None:
    with pytest.raises(EquationError, match="2 coordinates"):
        Problem(Interval(0.0, 1.0), KirchhoffPlate())
    with pytest.raises(GeometryError, match="did you mean 'edges'"):
        Problem(Rectangle(), KirchhoffPlate(), [Clamped("edgs")])
    with pytest.raises(EquationError, match="thin beam or plate"):
        Problem(Rectangle(), Poisson(), [Clamped("edges", field="u")])


def test_float32_for_a_plate_warns_and_float64_is_the_default() -> None:
    assert Solver(PLATE).element_type == "float64"
    assert Solver(Problem(Rectangle(), Poisson())).element_type == "float32"
    with pytest.warns(PrecisionWarning, match="order 4"):
        Solver(PLATE, NET, dtype="float32").prepare()


def test_figures_have_titles_labels_units_and_equal_aspect() -> None:
    figure = solution().plot("M_x", SinePlate(), size=15)
    left, right, *bars = figure.axes
    assert left.get_title() == "KirchhoffPlate: $M_{x}$"
    assert (left.get_xlabel(), left.get_ylabel()) == ("$x$ [m]", "$y$ [m]")
    assert left.get_aspect() == right.get_aspect() == 1.0
    assert [bar.get_ylabel() for bar in bars] == ["$M_{x}$ [N]", "$M_{x}$ minus reference [N]"]
    assert len(figure.axes) == 4


def test_notebook_summary_names_equation_and_residual() -> None:
    shown = solution()._repr_html_()
    assert "KirchhoffPlate" in shown
    assert "SimplySupported(edges)" in shown
    assert "plate" in shown


def test_poisson_is_solved_to_its_error() -> None:
    exact = SinePoisson()
    problem = Problem(Rectangle(), exact.pde, [Dirichlet("u", "edges")])
    solver = Solver(
        problem, MLP(hidden=(12, 12)), [Adam(100, 5e-3), LBFGS(200)], Points(200, 1),
        dtype="float64", threads=1,
    )  # fmt: skip
    errors = solver.solve().errors(exact, 21)
    assert errors["u"].relative_l2 < 1e-3
    assert errors["flux_x"].relative_l2 < 1e-2


@pytest.mark.parametrize("seed", [0, 1])
def test_plate_is_solved_to_its_error(seed: int) -> None:
    solver = Solver(
        PLATE, MLP(hidden=(16, 16)), [Adam(200, 5e-3), LBFGS(300)], Points(300, 60), seed=seed,
        threads=1,
    )  # fmt: skip
    errors = solver.solve().errors(SinePlate(), 21)
    assert errors["w"].relative_l2 < 1e-3
    assert errors["M_x"].relative_l2 < 1e-2
    assert errors["Q_x"].relative_l2 < 3e-2


def test_prescribed_values_that_are_a_solution_leave_no_scale_of_rounding() -> None:
    """sin(3 x) exp(3 y) on all edges, put in as it stands, is harmonic: nothing is left."""
    edges = [Dirichlet("u", "edges", "sin(3*x)*exp(3*y)")]
    trial = Problem(Rectangle(), Laplace(), edges).trial(MLP(hidden=(4,)))
    assert trial.scales.outputs == {"u": 1.0}
    assert trial.scales.residuals["laplace"] > 1.0
    other = Problem(Rectangle(), Laplace(), [Dirichlet("u", "edges", "x**2")])
    assert other.trial(MLP(hidden=(4,))).scales.residuals["laplace"] == pytest.approx(2.0, rel=0.5)
