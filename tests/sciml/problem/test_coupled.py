"""Two materials that touch, each with a network of its own."""

import re
import warnings
from dataclasses import replace

import numpy as np
import pytest

from sciml import LBFGS, MLP, CoupledProblem, Points, Problem, Solver
from sciml.equations import Data, Dirichlet, Interface, Neumann, Poisson, UnknownParameter
from sciml.framework.errors import ConfigError, DomainWarning, EquationError, ParseError
from sciml.geometry import Annulus, Disk, Interval, Rectangle

BOND = Interface("steel.right", "copper.left", ("u", "k*u_n"))


def rod(first=3.0, second=1.0, data=()):
    steel = Problem(Interval(0, 1), Poisson(0, first, 1), [Dirichlet("u", "left", 1), *data])
    copper = Problem(Interval(1, 2), Poisson(0, second, 1), [Dirichlet("u", "right", 0)])
    return {"steel": steel, "copper": copper}


def solved(problem, steps=200, interior=64, boundary=16, hidden=(8,)):
    points = Points(interior, boundary)
    return Solver(problem, MLP(hidden=hidden), [LBFGS(steps)], points, dtype="float64").solve()


def test_temperature_and_flux_pass_from_one_material_to_the_other():
    """u falls by q/3 in the first and by q in the second, so that q = 3/4."""
    solution = solved(CoupledProblem(rod(), [BOND]))
    X = np.linspace(0, 2, 41)[:, None]
    exact = np.where(X[:, 0] < 1, 1 - X[:, 0] / 4, 3 / 4 * (2 - X[:, 0]))
    np.testing.assert_allclose(solution.evaluate("u", X), exact, atol=1e-4)
    assert solution["steel"]["u"](1.0) == pytest.approx(0.75, abs=1e-4)
    assert max(solution.residual().values()) < 1e-2


def test_a_jump_is_added():
    """With a contact resistance, u_steel - u_copper = 1/2: q/3 + q = 1/2."""
    problem = CoupledProblem(rod(), [Interface("steel.right", "copper.left", BOND.quantities,
                                               (0.5, 0))])  # fmt: skip
    solution = solved(problem)
    ends = float(solution["steel"]["u"](1.0)), float(solution["copper"]["u"](1.0))
    np.testing.assert_allclose(ends, [1 - 0.375 / 3, 0.375], atol=1e-4)


def test_in_the_plane_normals_and_curved_parts_are_those_of_the_first():
    """A heated core (f = 1, k = 2) in a ring (k = 1): u = (1 - r^2)/8 + ln(2)/2, -ln(r/2)/2."""
    core = Problem(Disk((0, 0), 1), Poisson(1, 2))
    ring = Problem(Annulus((0, 0), 1, 2), Poisson(0, 1), [Dirichlet("u", "outer")])
    bond = Interface("core.boundary", "ring.inner", ("u", "k*u_n"))
    solution = solved(CoupledProblem({"core": core, "ring": ring}, [bond]), 400, 200, 40, (16, 16))
    at = np.array([(0, 0), (0.6, -0.5), (0.9, 1.1), (-1.9, 0.1)])
    r2 = (at**2).sum(axis=1)
    inside, outside = (1 - r2) / 8 + np.log(2) / 2, -np.log(np.sqrt(np.maximum(r2, 1)) / 2) / 2
    np.testing.assert_allclose(
        solution.evaluate("u", at), np.where(r2 < 1, inside, outside), atol=1e-3
    )
    figure = solution.plot("u")
    assert "core, ring" in figure.axes[0].get_title()
    assert "core.boundary: k*u_n" in solution._repr_html_()


def test_an_unknown_of_one_material_is_found_from_data_of_it():
    """With u(1) = 3/4 known the conductivity of the first is 3."""
    data = [Data("u", [(1.0,)], [0.75])]
    problem = CoupledProblem(rod(UnknownParameter(1.0, (0.5, 10.0)), data=data), [BOND])
    solution = solved(problem, 400)
    assert solution.identified["steel.k"] == pytest.approx(3, rel=2e-3)


def test_networks_weights_and_starts_are_those_of_the_sub_problems():
    problem = CoupledProblem(rod(), [BOND], {"copper": MLP(hidden=(3,))})
    trial = problem.trial(MLP(hidden=(5,)))
    started = trial.initialise(0)
    widths = {name: max(np.shape(leaf)[-1] for leaf in _leaves(p)) for name, p in started.items()}
    assert widths == {"steel": 5, "copper": 3}
    same = CoupledProblem(rod(), [BOND]).trial(MLP(hidden=(5,))).initialise(0)
    assert not np.array_equal(_leaves(same["steel"])[0], _leaves(same["copper"])[0])
    names = [c.name for c in trial.constraints(Points(8, 4), 0, {"steel.right: u": 3.0})]
    assert names == ["steel.poisson", "copper.poisson", "steel.right: u", "steel.right: k*u_n"]
    with pytest.raises(ConfigError, match=r"weight 'steel.right: v'"):
        trial.constraints(Points(8, 4), 0, {"steel.right: v": 3.0})


def test_parts_are_counted_after_the_name_of_their_sub_problem():
    problem = CoupledProblem(SQUARES, [Interface("a.edges.right", "b.edges.left", ("u",))])
    soft = replace(SQUARES["a"], conditions=[Dirichlet("u", "edges.top", hard=False)])
    problem = replace(problem, problems={**SQUARES, "a": soft})
    trial = problem.trial(MLP(hidden=(4,)))
    points = Points(10, 20, parts={"a.edges.right": 7, "a.edges.top": 5})
    counts = {c.name: len(c.arrays[0]) for c in trial.constraints(points, 0, {})}
    assert counts == {"a.poisson": 10, "a.edges.top: u": 5, "b.poisson": 10, "a.edges.right: u": 7}
    with pytest.raises(EquationError, match=r"points on 'c.left': no sub-problem 'c'"):
        trial.constraints(Points(parts={"c.left": 2}), 0, {})


def _leaves(tree):
    from sciml.framework.core.tree import flatten

    return flatten(tree)[0]


def test_a_domain_without_data_has_the_scale_of_its_neighbour():
    problems = rod()
    problems["copper"] = Problem(Interval(1, 2), Poisson(0, 1, 1), [Dirichlet("u", "right", 200)])
    problems["steel"] = Problem(Interval(0, 1), Poisson(0, 3, 1), [Neumann("u", "left")])
    trial = CoupledProblem(problems, [BOND]).trial(MLP(hidden=(5,)))
    sizes = [t.scales.fields["u"] for t in trial.trials.values()]
    assert sizes[0] == pytest.approx(sizes[1])
    assert sizes[0] > 20


def test_points_outside_are_nan_and_said_to_be():
    solution = CoupledProblem(rod(), [BOND]).trial(MLP(hidden=(5,)))
    solution = solution.solution(solution.initialise(0))
    with pytest.warns(DomainWarning, match="1 of 2 points lie in no domain"):
        values = solution.evaluate("u", np.array([[0.5], [2.5]]))
    assert np.isnan(values).tolist() == [False, True]
    with pytest.raises(EquationError, match="no quantity 'v'; known are flux_x, u"):
        solution.evaluate("v", np.array([[0.5]]))
    with pytest.raises(EquationError, match="no sub-problem 'u'"):
        solution["u"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert solution.plot("u").axes


SQUARES = {
    "a": Problem(Rectangle((0, 0), (1, 1)), Poisson()),
    "b": Problem(Rectangle((1, 0), (2, 2)), Poisson()),
}


@pytest.mark.parametrize(
    ("problems", "interface", "reason"),
    [
        (rod(), Interface("iron.right", "copper.left", ("u",)), "no sub-problem 'iron'"),
        (rod(), Interface("steel.left", "copper.left", ("u",)), "does not lie on the second"),
        (rod(), Interface("steel.left", "steel.left", ("u",)), "belong to one sub-problem"),
        (SQUARES, Interface("b.edges.left", "a.edges.right", ("u",)), "does not lie on the second"),
        (SQUARES, Interface("a.edges.right", "b.edges.top", ("u",)), "does not lie on the second"),
        ({**rod(), "c.d": rod()["steel"]}, BOND, "words without a dot"),
    ],
)
def test_interfaces_that_cannot_be_are_refused(problems, interface, reason):
    with pytest.raises(EquationError, match=re.escape(reason)):
        CoupledProblem(problems, [interface])


def test_an_edge_may_lie_on_a_longer_one():
    CoupledProblem(SQUARES, [Interface("a.edges.right", "b.edges.left", ("u", "u_n"))])


def test_unknown_texts_are_refused():
    with pytest.raises(ParseError, match="unknown name 'T'"):
        CoupledProblem(rod(), [Interface("steel.right", "copper.left", ("T",))])


def test_each_side_of_an_interface_has_half_of_its_conditions():
    assert CoupledProblem(rod(), [BOND]).missing_conditions() == {}
    alone = CoupledProblem(rod(), [])
    assert alone.missing_conditions() == {"steel.right": 1, "copper.left": 1}
