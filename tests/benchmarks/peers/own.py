"""The same problems in this package: a trained network, and `solve` to a tolerance."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from cases import DIFFUSION, RATE, Case
from other import HIDDEN, INTERIOR, PER_SIDE

from sciml import (
    MLP,
    RAD,
    Adam,
    CosineRate,
    Points,
    Problem,
    Repeat,
    Solver,
    SSBroyden,
    solve,
)
from sciml.equations import (
    Burgers,
    Dirichlet,
    Helmholtz,
    Initial,
    KirchhoffPlate,
    NavierStokes,
    Poisson,
    SimplySupported,
)
from sciml.geometry import Interval, Rectangle


def problem(name: str) -> Problem:
    """Return a problem of `cases`."""
    if name == "Poisson":
        source = "2*pi**2*sin(pi*x)*sin(pi*y)"
        return Problem(Rectangle(), Poisson(source=source), [Dirichlet("u", "edges")])
    if name == "Helmholtz":
        source = "(1 - 17*pi**2)*sin(pi*x)*sin(4*pi*y)"
        square = Rectangle((-1, -1), (1, 1))
        return Problem(square, Helmholtz(1.0, source=source), [Dirichlet("u", "edges")])
    if name == "plate":
        pde = KirchhoffPlate(load="4*pi**4*sin(pi*x)*sin(pi*y)")
        return Problem(Rectangle(), pde, [SimplySupported("edges")])
    if name == "Burgers":
        conditions = [Initial("u", "-sin(pi*x)"), Dirichlet("u", "sides")]
        return Problem(Interval(-1, 1).over_time(1.0), Burgers(DIFFUSION), conditions)
    u = f"1 - exp({RATE}*x)*cos(2*pi*y)"
    v = f"{RATE / (2 * np.pi)}*exp({RATE}*x)*sin(2*pi*y)"
    p = f"(1 - exp(2*{RATE}*x))/2"
    conditions = [Dirichlet("u", "edges", u), Dirichlet("v", "edges", v),
                  Dirichlet("p", "edges.right", p)]  # fmt: skip
    pde = NavierStokes(viscosity=1 / 40, steady=True)
    return Problem(Rectangle((-0.5, -0.5), (1.0, 1.5)), pde, conditions)


def values(solution: Any, case: Case) -> np.ndarray:
    """Return the fields on the grid."""
    names = [f.name for f in solution.trial.problem.pde.fields]
    found = solution.evaluate(names, case.grid())
    return np.stack([found[name] for name in names], axis=1)


def trained(name: str, case: Case, seed: int, budget_s: float) -> np.ndarray:
    """Return the fields on the grid by a network as large as the others', within the time."""
    schedule = [Adam(1000, CosineRate(5e-3)), Repeat((RAD(), SSBroyden(500)), 1000)]
    points = Points(INTERIOR, 4 * PER_SIDE)
    solver = Solver(problem(name), MLP(hidden=HIDDEN, activation="tanh"), schedule, points,
                    seed=seed, dtype="float64")  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return values(solver.solve(budget_s=budget_s), case)


def solved(name: str, case: Case, seed: int, tolerance: float) -> np.ndarray:
    """Return the fields on the grid, to a tolerance."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return values(solve(problem(name), min(tolerance, 0.5), seed=seed), case)
