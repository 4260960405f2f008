"""Problems whose coefficients are tables, functions and unknown numbers."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from sciml import LBFGS, MLP, Adam, Points, Problem, Solver
from sciml.equations import (
    CustomPDE,
    Data,
    Diffusion,
    Dirichlet,
    Given,
    Initial,
    Poisson,
    Tabulated,
    UnknownParameter,
)
from sciml.framework.errors import EquationError, ProblemWarning
from sciml.geometry import Interval, Rectangle

POINTS = Points(200, 40)
X = np.random.default_rng(0).uniform(size=(40, 2))


def exact(x: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Return the solution of u_t = 0.3 u_xx that starts as sin(pi x)."""
    return np.exp(-0.3 * np.pi**2 * t) * np.sin(np.pi * x)


def inverse(pde: Diffusion | CustomPDE) -> Solver:
    """Return the solver of u_t = k u_xx with values of the solution for k = 0.3."""
    conditions = [
        Initial("u", "sin(pi*x)", part="edges.bottom"),
        Dirichlet("u", "edges.left"),
        Dirichlet("u", "edges.right"),
        Data("u", X, exact(*X.T)),
    ]
    problem = Problem(Rectangle((0, 0), (1, 1)), pde, conditions)
    return Solver(problem, MLP(hidden=(16, 16)), [Adam(50), LBFGS(150)], POINTS, dtype="float64")


@pytest.mark.parametrize("kind", ["library", "own"])
def test_the_diffusivity_is_found_to_one_per_cent(kind: str) -> None:
    k = UnknownParameter(1.0, bounds=(0.01, 10.0))
    own = CustomPDE({"heat": "u__t - D*u__x__x"}, "x t", "u", {"D": k})
    solution = inverse(Diffusion(k) if kind == "library" else own).solve()
    assert solution.identified["D"] == pytest.approx(0.3, rel=0.01)
    assert "identified" in solution._repr_html_()


def test_a_table_is_as_good_as_its_formula() -> None:
    """-(k u_x)_x = 1 with k = 1 + x, u(0) = u(1) = 0: u = log(1 + x)/log(2) - x."""
    axis = np.linspace(0, 1, 5)
    pde = CustomPDE(
        {"flow": "-k*u__x__x - k__x*u__x - 1"}, "x", "u", {"k": Tabulated({"x": axis}, 1 + axis)}
    )
    edge = [Dirichlet("u", "left"), Dirichlet("u", "right")]
    problem = Problem(Interval(0, 1), pde, edge)
    solver = Solver(problem, MLP(hidden=(12,)), [LBFGS(200)], Points(60, 1), dtype="float64")
    x = np.linspace(0, 1, 21)
    expected = np.log(1 + x) / np.log(2) - x
    np.testing.assert_allclose(solver.solve()["u"](x), expected, atol=1e-4)


def test_a_table_that_ends_inside_the_domain_is_refused() -> None:
    table = Tabulated({"x": [0, 0.2, 0.4, 0.5]}, [1, 1, 1, 2])
    problem = Problem(Interval(0, 1), Poisson(source=table, dimension=1), [Dirichlet("u", "left")])
    with pytest.raises(EquationError, match=r"f: the table goes from x = 0 to 0.5, got x = "):
        problem.trial(MLP(hidden=(4,))).constraints(POINTS, 0, {})


def test_a_network_is_found_as_a_coefficient() -> None:
    """-u_xx = f with u = sin(pi x): the network is to be pi^2 sin(pi x)."""
    net = MLP(hidden=(8,), inputs=1, lower=(0.0,), upper=(1.0,))
    source = Given(lambda p, P: 10 * net(p, P), parameters=net.initialise(1), trained=True)
    points = np.linspace(0.02, 0.98, 33)
    data = Data("u", points[:, None], np.sin(np.pi * points))
    edge = [Dirichlet("u", "left"), Dirichlet("u", "right"), data]
    problem = Problem(Interval(0, 1), Poisson(source=source, dimension=1), edge)
    solver = Solver(problem, MLP(hidden=(12,)), [LBFGS(400)], Points(60, 1), dtype="float64")
    solution = solver.solve()
    x = np.linspace(0.1, 0.9, 17)
    expected = np.pi**2 * np.sin(np.pi * x)
    np.testing.assert_allclose(solution["f"](x), expected, rtol=0, atol=0.05 * np.pi**2)
    assert solution["f"].unit == "u k/m^2"
    assert solution.identified == {}


def test_an_unknown_number_without_data_is_warned_about() -> None:
    pde = Poisson(source=UnknownParameter(1.0), dimension=1)
    problem = Problem(Interval(0, 1), pde, [Dirichlet("u", "left"), Dirichlet("u", "right")])
    with pytest.warns(ProblemWarning, match="coefficients f are to be found, but no values"):
        Solver(problem, MLP(hidden=(4,))).prepare()


def test_a_trained_value_in_the_form_of_the_trial_function_is_refused() -> None:
    g = UnknownParameter(1.0, name="g")
    problem = Problem(Interval(0, 1), Poisson(dimension=1), [Dirichlet("u", "left", g)])
    with pytest.raises(EquationError, match="'g' is trained, but the trial function of 'u'"):
        problem.trial(MLP(hidden=(4,))).initialise(0)


def test_parameters_are_packed_and_single_precision_is_kept() -> None:
    solver = inverse(Diffusion(UnknownParameter(1.0, bounds=(0.01, 10.0))))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        training = solver.prepare()
    packing = training.session.packing
    network, found = packing.unpack(training.start.x)
    assert found["D"].shape == ()
    assert packing.pack((network, {"D": np.array(0.25)})).size == training.start.x.size
