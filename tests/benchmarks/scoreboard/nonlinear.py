"""A nonlinear problem and one of five dimensions, by Gauss-Newton on spectral features."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from case import Case, from_file

from sciml import GaussNewton, Points, Problem, Solver, SpectralFeatures
from sciml.equations import (
    CustomPDE,
    Dirichlet,
    NavierStokes,
    PointValue,
)
from sciml.geometry import Hyperrectangle, Rectangle

WEIGHT = 100.0


def solver(problem: Problem, network: SpectralFeatures, seed: int, rows: float = 2.5) -> Solver:
    """Return the solver with points in proportion to the unknowns."""
    dimension = len(problem.pde.coordinates)
    count = replace(network, inputs=dimension).count * len(problem.pde.fields)
    around = round(16 * count ** ((dimension - 1) / dimension))
    names = [f"{s.where}: {s.name}" for form in problem.forms for s in form.soft]
    return Solver(
        problem, network, [GaussNewton(40, decrease=0.9)], Points(round(rows * count), around),
        dict.fromkeys(names, WEIGHT), seed, "float64",
    )  # fmt: skip


def kovasznay(seed: int) -> Any:
    """Return the flow behind a grid, Re = 40."""
    rate = 20.0 - math.sqrt(400.0 + 4.0 * math.pi**2)
    u, v = f"1 - exp({rate}*x)*cos(2*pi*y)", f"{rate / (2 * math.pi)}*exp({rate}*x)*sin(2*pi*y)"
    conditions = [
        Dirichlet("u", "edges", u, hard=False), Dirichlet("v", "edges", v, hard=False),
        PointValue("p", (0.0, 0.0), 0.0),
    ]  # fmt: skip
    pde = NavierStokes(viscosity=1 / 40, steady=True)
    problem = Problem(Rectangle((-0.5, -0.5), (1.0, 1.5)), pde, conditions)
    network = SpectralFeatures(degrees=(18, 26), total=True)
    return solver(problem, network, seed).solve()


def poisson_5d(seed: int) -> Any:
    """Return Poisson's equation in five dimensions."""
    names = ("x1", "x2", "x3", "x4", "x5")
    exact = " + ".join(f"sin(pi*{n}/2)" for n in names)
    curvature = " + ".join(f"u__{n}__{n}" for n in names)
    pde = CustomPDE(
        {"poisson": f"{curvature} + pi**2/4*({exact})"}, over=" ".join(names), unknowns="u"
    )
    shape = Hyperrectangle((0.0,) * 5, (1.0,) * 5)
    problem = Problem(shape, pde, [Dirichlet("u", "boundary", exact, hard=False)])
    network = SpectralFeatures(degrees=7, total=True)
    return solver(problem, network, seed).solve()


NONLINEAR = [
    Case("Kovasznay", {"u": 1e-9, "v": 1e-9, "p": 1e-9}, kovasznay,
         from_file("exact/kovasznay_Re40.npz", {"u": "u", "v": "v", "p": "p"})),
    Case("Poisson in five dimensions", {"u": 1e-7}, poisson_5d,
         from_file("exact/poisson_5d.npz", {"u": "u"}, "x")),
]  # fmt: skip
