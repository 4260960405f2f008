from __future__ import annotations

import doctest
import math

import numpy as np
import pytest

from sciml import LBFGS, MLP, Points, Problem, Solver
from sciml.equations import Diffusion, Dirichlet, Initial, Neumann
from sciml.equations.exact import manufacture
from sciml.framework.errors import ConfigError
from sciml.geometry import Rectangle
from sciml.problem.comparison import FieldError
from sciml.training import convergence as module
from sciml.training.convergence import Convergence, convergence


def falling(sizes: tuple[int, ...], power: float) -> tuple[FieldError, ...]:
    return tuple(FieldError(n**-power, 1.0, "exact") for n in sizes)


def test_orders_of_powers_are_their_exponents() -> None:
    sizes = (4, 8, 24)
    report = Convergence(sizes, {"u": falling(sizes, 2.0), "v": falling(sizes, 0.5)}, "points")
    np.testing.assert_allclose(report.orders["u"], [2.0, 2.0], rtol=1e-14)
    np.testing.assert_allclose(report.orders["v"], [0.5, 0.5], rtol=1e-14)
    assert str(report) == (
        "points        u  order        v  order\n"
        "     4  6.2e-02         5.0e-01       \n"
        "     8  1.6e-02    2.0  3.5e-01    0.5\n"
        "    24  1.7e-03    2.0  2.0e-01    0.5"
    )
    assert report._repr_html_().count("<td>") == 15
    lines = report.plot().axes[0].lines
    assert [list(line.get_ydata()) for line in lines] == [
        [e.relative_l2 for e in row] for row in report.errors.values()
    ]


def test_an_error_of_zero_has_no_order() -> None:
    errors = (FieldError(0.1, 1.0, "exact"), FieldError(0.0, 0.0, "exact"))
    report = Convergence((1, 2), {"u": errors})
    assert math.isnan(report.orders["u"][0])
    assert math.isnan(report.plot().axes[0].lines[0].get_ydata()[1])


@pytest.mark.parametrize("sizes", [(), (4,), (8, 4), (4, 4)])
def test_sizes_must_rise(sizes: tuple[int, ...]) -> None:
    case = manufacture(Diffusion())
    with pytest.raises(ConfigError, match="at least two sizes that rise"):
        convergence(lambda n: pytest.fail("not to be called"), sizes, case)


def test_a_manufactured_evolution_is_solved_better_by_a_wider_network() -> None:
    """Diffusion with a source, a flux on one side and values on the other."""
    case = manufacture(Diffusion(0.4), {"u": "exp(-t)*sin(2*x) + x"})
    shape = Rectangle((0, 0), (1, 1))
    conditions = case.conditions(
        shape,
        [
            Initial("u", part="edges.bottom"),
            Dirichlet("u", "edges.left"),
            Neumann("u", "edges.right"),
        ],
    )
    problem = Problem(shape, case.pde, conditions)
    report = convergence(
        lambda width: Solver(
            problem, MLP(hidden=(width,)), [LBFGS(200)], Points(200, 40), dtype="float64"
        ),
        (2, 12),
        case,
    )
    first, last = report.errors["u"]
    assert last.relative_l2 < 2e-3 < 10 * first.relative_l2
    assert report.orders["u"][0] > 0.5


def test_examples() -> None:
    assert doctest.testmod(module).failed == 0
