"""A problem says which conditions are missing."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from sciml import LBFGS, MLP, CoupledProblem, Points, Problem, Solver
from sciml.equations import (
    Clamped,
    Dirichlet,
    Free,
    Integral,
    KirchhoffPlate,
    Neumann,
    PlateVibration,
    PointValue,
    Poisson,
    SimplySupported,
)
from sciml.equations.exact import manufacture
from sciml.framework.errors import ConfigError, EquationError, ProblemWarning
from sciml.geometry import Disk, Interval, Rectangle

EDGES = ("edges.left", "edges.bottom", "edges.right", "edges.top")


@pytest.mark.parametrize(("geometry", "pde", "conditions", "missing"), [
    (Rectangle(), KirchhoffPlate(), [SimplySupported("edges")], {}),
    (Rectangle(), KirchhoffPlate(), [Clamped("edges.left"), Free("edges.top"),
                                     SimplySupported("edges.right"), Free("edges.bottom")], {}),
    (Rectangle(), KirchhoffPlate(), [], dict.fromkeys(EDGES, 2)),
    (Rectangle(), KirchhoffPlate(), [Dirichlet("w", "edges")], dict.fromkeys(EDGES, 1)),
    (Rectangle(), Poisson(), [Dirichlet("u", "edges.left")], dict.fromkeys(EDGES[1:], 1)),
    (Rectangle(), Poisson(), [Dirichlet("u", "edges.left"), Neumann("u", "edges.top"),
                              Neumann("u", "edges.bottom"), Neumann("u", "edges.right")], {}),
    (Disk(), KirchhoffPlate(), [Clamped("circle")], {}),
    (Interval(0, 1), Poisson(dimension=1), [Dirichlet("u", "right")], {"left": 1}),
])  # fmt: skip
def test_missing_conditions(
    geometry: Any, pde: Any, conditions: Any, missing: dict[str, int]
) -> None:
    assert Problem(geometry, pde, conditions).missing_conditions() == missing


def test_corner_forces_over_time_are_said_to_be_missing() -> None:
    bay = Rectangle().over_time(1.0)
    with pytest.warns(ProblemWarning, match=r"over time this is not imposed: corners\.\w+"):
        Problem(bay, PlateVibration(), [Free("sides")])
    case = manufacture(PlateVibration(), {"w": "x*y*t"})
    with pytest.warns(ProblemWarning, match=r"over time this is not imposed: corners\.\w+"):
        Problem(bay, case.pde, case.conditions(bay, [Free("sides")]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Problem(bay, PlateVibration(), [Free("sides.edges.left"), Clamped("sides.edges.right")])
        Problem(Disk().over_time(1.0), PlateVibration(), [Free("sides")])


def test_parts_have_counts_of_their_own() -> None:
    conditions = [Dirichlet("u", "edges.left", hard=False), Neumann("u", "edges.top", hard=False)]
    trial = Problem(Rectangle(), Poisson(), conditions).trial(MLP(hidden=(4,)))
    points = Points(10, 20, parts={"edges.left": 33})
    counts = {c.name: len(c.arrays[0]) for c in trial.constraints(points, 0, {})}
    assert counts == {"poisson": 10, "edges.left: u": 33, "edges.top: u_n": 20}
    with pytest.raises(ConfigError, match=r"no condition in the loss is on 'edges'"):
        trial.constraints(Points(parts={"edges": 3}), 0, {})
    with pytest.raises(ConfigError, match="1 or more, got edges = 0"):
        Points(parts={"edges": 0})


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Problem(Poisson(), Rectangle(), []), "geometry must be a shape"),
        (lambda: Problem(Rectangle(), Poisson, []), "pde must be an equation"),
        (lambda: Problem(Rectangle(), Poisson(), Dirichlet("u", "edges")), "must be a list"),
        (lambda: Problem(Rectangle(), Poisson(), ["u = 0"]), "'u = 0' is no condition"),
        (lambda: CoupledProblem({"a": Poisson()}, []), "'a' must be a Problem"),
    ],
)
def test_arguments_of_another_kind_are_named(make: Any, reason: str) -> None:
    with pytest.raises(EquationError, match=reason):
        make()


def test_a_field_that_is_free_by_a_constant_is_named() -> None:
    sides = [Neumann("u", "edges", 0.0)]
    loose = Problem(Rectangle(), Poisson(), sides)
    assert loose.free_constants() == ("u",)
    with pytest.warns(ProblemWarning, match="only derivatives of 'u' occur"):
        Solver(loose, MLP(hidden=(4,)), [LBFGS(1)], Points(8, 8)).prepare()
    held = [*sides, PointValue("u", (0.5, 0.5))]
    assert Problem(Rectangle(), Poisson(), held).free_constants() == ()
    mean = [*sides, Integral("u", "u", 0.0)]
    assert Problem(Rectangle(), Poisson(), mean).free_constants() == ()
