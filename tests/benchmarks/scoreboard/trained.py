"""Problems by trained networks: Adam, then SSBroyden on points that follow the residual."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from case import Case, Errors, at, from_file

from sciml import MLP, RAD, Adam, CosineRate, Points, Problem, Repeat, Solver, SSBroyden
from sciml.equations import (
    Burgers,
    CustomPDE,
    Dirichlet,
    Initial,
    KirchhoffPlate,
    Periodic,
    Poisson,
    SimplySupported,
)
from sciml.equations.exact.sine_plate import SinePlate
from sciml.equations.exact.sine_poisson import SinePoisson
from sciml.geometry import Interval, Rectangle


def trained(problem: Problem, seed: int, seconds: float, width: int, interior: int) -> Any:
    """Return the solution by a network of three layers, after so much time in steps."""
    network = MLP(hidden=(width,) * 3, activation="tanh")
    schedule = [Adam(1000, CosineRate(5e-3)), Repeat((RAD(), SSBroyden(500)), 1000)]
    points = Points(interior, 400)
    solver = Solver(problem, network, schedule, points, seed=seed, dtype="float64")
    return solver.solve(budget_s=seconds)


def sine_plate(seed: int) -> Any:
    """Return the simply supported plate under a wave of load."""
    pde = KirchhoffPlate(rigidity=1.0, poisson_ratio=0.3, load="sin(pi*x)*sin(pi*y)")
    return trained(Problem(Rectangle(), pde, [SimplySupported("edges")]), seed, 50.0, 24, 1000)


def sine_poisson(seed: int) -> Any:
    """Return Poisson's equation with a wave as its source."""
    pde = Poisson(source="2*pi**2*sin(pi*x)*sin(pi*y)")
    return trained(Problem(Rectangle(), pde, [Dirichlet("u", "edges")]), seed, 55.0, 24, 1000)


def burgers(seed: int) -> Any:
    """Return the shock of viscosity 0.01 / pi."""
    conditions = [Initial("u", "-sin(pi*x)"), Dirichlet("u", "sides")]
    pde = Burgers(0.01 / math.pi)
    problem = Problem(Interval(-1, 1).over_time(1.0), pde, conditions)
    return trained(problem, seed, 290.0, 20, 4000)


def allen_cahn(seed: int) -> Any:
    """Return fronts of width 0.006 that form from a smooth start."""
    pde = CustomPDE({"front": "u__t - 1e-4*u__x__x - 5*u + 5*u**3"}, over="x t", unknowns="u")
    conditions = [Initial("u", "x**2*cos(pi*x)"), Periodic("u", "x", 2.0)]
    return trained(Problem(Interval(-1, 1).over_time(1.0), pde, conditions), seed, 290.0, 30, 6000)


def schroedinger(seed: int) -> Any:
    """Return the breather of two solitons, real and imaginary part."""
    pde = CustomPDE(
        {"real": "-v__t + u__x__x/2 + (u**2 + v**2)*u", "imaginary": "u__t + v__x__x/2 "
         "+ (u**2 + v**2)*v"}, over="x t", unknowns="u v",
    )  # fmt: skip
    conditions = [Initial("u", "2/cosh(x)"), Initial("v", "0"), Periodic("u", "x", 10.0),
                  Periodic("v", "x", 10.0)]  # fmt: skip
    problem = Problem(Interval(-5, 5).over_time(math.pi / 2), pde, conditions)
    return trained(problem, seed, 290.0, 32, 4000)


def korteweg_de_vries(seed: int) -> Any:
    """Return two solitons that pass each other."""
    u = _two_solitons("x", "t")
    pde = CustomPDE({"kdv": "u__t + 6*u*u__x + u__x__x__x"}, over="x t", unknowns="u")
    conditions = [
        Initial("u", _two_solitons("x", "(-2)")), Dirichlet("u", "sides", u),
    ]  # fmt: skip
    problem = Problem(Interval(-12, 12).over_time(2.0, -2.0), pde, conditions)
    return trained(problem, seed, 290.0, 30, 4000)


def _two_solitons(x: str, t: str) -> str:
    """Return 2 (log F)_xx for the wave numbers 1.6 and 2.6, F = 1 + e1 + e2 + A e1 e2."""
    k, m = 1.6, 2.6
    one, two = f"exp({k}*{x} - {k**3}*{t})", f"exp({m}*{x} - {m**3}*{t})"
    A = ((k - m) / (k + m)) ** 2
    F = f"(1 + {one} + {two} + {A}*{one}*{two})"
    first = f"({k}*{one} + {m}*{two} + {A * (k + m)}*{one}*{two})"
    second = f"({k**2}*{one} + {m**2}*{two} + {A * (k + m) ** 2}*{one}*{two})"
    return f"2*({second}*{F} - {first}**2)/{F}**2"


def _exact(reference: Any) -> Any:
    def errors(solution: Any, data: Path) -> Errors:
        axis = np.linspace(0, 1, 101)
        X = np.stack([a.ravel() for a in np.meshgrid(axis, axis)], axis=1)
        return at(solution, X, reference(X))

    return errors


TRAINED = [
    Case("network: sine plate", {"w": 1e-7}, sine_plate, _exact(SinePlate()), 60.0),
    Case("network: Poisson", {"u": 1e-8}, sine_poisson, _exact(SinePoisson()), 60.0),
    Case("network: Burgers", {"u": 1e-6}, burgers,
         from_file("evolution/burgers_nu0.01overpi.npz", {"u": "u"}, "x t"), 300.0),
    Case("network: Allen-Cahn", {"u": 1e-5}, allen_cahn,
         from_file("evolution/allen_cahn_1e-4.npz", {"u": "u"}, "x t")),
    Case("network: Schroedinger", {"u": 1e-4, "v": 1e-4}, schroedinger,
         from_file("evolution/nls_2sech.npz", {"u": "u.real", "v": "u.imag"}, "x t")),
    Case("network: two solitons", {"u": 1e-6}, korteweg_de_vries,
         from_file("exact/kdv_2soliton_exact.npz", {"u": "u"}, "x t")),
]  # fmt: skip
