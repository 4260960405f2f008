"""Problems with every kind of place, solved to their closed form: -u'' = 1 on (0, 1)."""

import numpy as np
import pytest

from sciml import LBFGS, MLP, Adam, Problem, Solver
from sciml.equations import (
    EQUATIONS,
    Data,
    Dirichlet,
    Initial,
    Integral,
    Neumann,
    Operator,
    PointValue,
    Poisson,
    Robin,
)
from sciml.geometry import Interval

SLOPES = [Neumann("u", "left", -1), Neumann("u", "right", 0)]


@pytest.mark.parametrize(
    ("conditions", "linear", "constant"),
    [
        ([Dirichlet("u", "left"), Robin("u", "right", 1)], 1.25, 0),
        ([Dirichlet("u", "left"), Operator("u", "right", "u__x + u - 1")], 1.25, 0),
        ([*SLOPES, Integral("u", "u", 2.0)], 1, 2 - 1 / 3),
        ([*SLOPES, PointValue("u", (0.5,), 1.0)], 1, 0.625),
        ([Dirichlet("u", "left"), Data("u", [(0.5,), (0.75,)], [0.375, 0.46875])], 1, 0),
        ([Dirichlet("u", "left"), Integral("u", "flux_x*n_x", 1.0, "left")], 1, 0),
    ],
    ids=["robin", "operator", "mean", "point", "data", "flow"],
)
@pytest.mark.filterwarnings("ignore::sciml.framework.errors.ProblemWarning")
def test_solution_is_the_closed_form(conditions, linear, constant):
    problem = Problem(Interval(0, 1), Poisson(dimension=1), conditions)
    schedule = [Adam(50), LBFGS(200)]
    solver = Solver(problem, MLP(hidden=(12,)), schedule, dtype="float64")
    x = np.linspace(0, 1, 9)
    expected = constant + linear * x - x**2 / 2
    # The mean is taken over 1024 quasi-random points, good to 1e-4.
    np.testing.assert_allclose(solver.solve()["u"](x), expected, rtol=0, atol=5e-4)


@pytest.mark.parametrize("name", ["Diffusion", "Wave"])
def test_an_evolution_starts_from_its_initial_state_and_is_drawn_over_time(name):
    pde = EQUATIONS[name](dimension=1)
    start = Initial("u", "sin(pi*x)", rate=0 if name == "Wave" else None)
    problem = Problem(Interval(0, 1).over_time(0.25), pde, [start, Dirichlet("u", "sides")])
    assert all(form.soft == () for form in problem.forms)
    assert problem.missing_conditions() == {}
    solver = Solver(problem, MLP(hidden=(12, 12)), [Adam(50), LBFGS(200)], dtype="float64")
    solution = solver.solve()
    x, t = np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 0.25, 5))
    in_time = np.cos(np.pi * t) if name == "Wave" else np.exp(-(np.pi**2) * t)
    np.testing.assert_allclose(solution["u"](x, t), np.sin(np.pi * x) * in_time, atol=5e-3)
    axes = solution.plot("u").axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("$x$ [m]", "$t$ [s]")
