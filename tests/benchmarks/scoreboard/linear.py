"""Linear problems by random features and one least squares problem each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from case import Case, Errors, against, at, from_file

from sciml import (
    CornerFunctions,
    GaussNewton,
    Points,
    Poles,
    Problem,
    RandomFeatures,
    Solver,
    SpectralFeatures,
    march,
)
from sciml.automatic.singularities import singular_functions
from sciml.equations import (
    Clamped,
    CustomPDE,
    Diffusion,
    Dirichlet,
    Free,
    Helmholtz,
    Initial,
    KirchhoffPlate,
    Laplace,
    Periodic,
    Poisson,
    SimplySupported,
    Wave,
)
from sciml.equations.exact.disc import UniformDisc
from sciml.equations.exact.simply_supported_plate import UniformSimplySupportedPlate
from sciml.equations.exact.sine_plate import SinePlate
from sciml.equations.exact.sine_poisson import SinePoisson
from sciml.geometry import Annulus, Disk, Interval, Polygon, Rectangle
from sciml.networks.plate_corners import plate_exponents

CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
BISECTORS = tuple(np.pi / 4 * k for k in (1, 3, 5, -1))
SQUARE = Rectangle((0.0, 0.0), (1.0, 1.0))
PLATE = KirchhoffPlate(rigidity=1.0, poisson_ratio=0.3, load=1.0)
QUANTITIES = {"w": "w", "M_x": "Mx", "M_y": "My", "M_xy": "Mxy", "Q_x": "Qx", "Q_y": "Qy"}
# Conditions count ten times as much as the equation inside: their errors are those of the solution.
WEIGHT = 100.0


def solve(
    problem: Problem, seed: int, features: int, scale: float | tuple[float, ...],
    enrichment: Sequence[Any] = (), rows: int = 5,
) -> Any:  # fmt: skip
    """Return the solution by random features."""
    network = RandomFeatures(
        features=features, scale=scale, feature_seed=seed, enrichment=tuple(enrichment)
    )
    soft = [f"{s.where}: {s.name}" for form in problem.forms for s in form.soft]
    solver = Solver(
        problem, network, [GaussNewton(4)], Points(rows * features, features),
        dict.fromkeys(soft, WEIGHT), seed, "float64",
    )  # fmt: skip
    return solver.solve()


def square_plate(
    left: str, bottom: str, right: str, top: str, seed: int, features: int = 500
) -> Any:
    """Return the uniformly loaded square plate with edges C, S or F."""
    build = {
        "C": lambda part: Clamped(part, hard=False),
        "S": lambda part: SimplySupported(part, hard=False),
        "F": Free,
    }
    named = {"left": left, "bottom": bottom, "right": right, "top": top}
    conditions = [build[kind](f"edges.{name}") for name, kind in named.items()]
    problem = Problem(SQUARE, PLATE, conditions)
    return solve(problem, seed, features, 5.0, singular_functions(problem))


def sine_plate(seed: int) -> Any:
    """Return the simply supported plate under one half wave."""
    pde = KirchhoffPlate(rigidity=1.0, poisson_ratio=0.3, load="sin(pi*x)*sin(pi*y)")
    return solve(Problem(SQUARE, pde, [SimplySupported("edges")]), seed, 250, 3.0)


def uniform_plate(seed: int) -> Any:
    """Return the simply supported plate under a uniform load."""
    enrichment = CornerFunctions(CORNERS, (4, 6, 8), BISECTORS, logarithms=True, biharmonic=True)
    problem = Problem(SQUARE, PLATE, [SimplySupported("edges", hard=False)])
    return solve(problem, seed, 400, 5.0, [enrichment])


def clamped_plate(seed: int) -> Any:
    """Return the clamped plate under a uniform load."""
    exponents = plate_exponents(np.pi / 2)
    enrichment = CornerFunctions(CORNERS, exponents, BISECTORS, biharmonic=True)
    problem = Problem(SQUARE, PLATE, [Clamped("edges", hard=False)])
    return solve(problem, seed, 500, 5.0, [enrichment])


def disc(seed: int) -> Any:
    """Return the clamped disc under a uniform load."""
    return solve(Problem(Disk((0, 0), 1.0), PLATE, [Clamped("circle")]), seed, 250, 3.0)


def annulus(inner: str, outer: str, radius: float, seed: int) -> Any:
    """Return an annular plate under a uniform load."""
    build = {
        "C": lambda part: Clamped(part, hard=False),
        "S": lambda part: SimplySupported(part, hard=False),
        "F": Free,
    }
    shape = Annulus((0, 0), radius, 1.0)
    problem = Problem(shape, PLATE, [build[inner]("inner"), build[outer]("outer")])
    return solve(problem, seed, 300, 4.0, [Poles([(0, 0)], 3, biharmonic=True, length=radius)])


def radial(file: str) -> Any:
    """Return the errors of a plate against a solution of the radius alone."""

    def errors(solution: Any, data: Path) -> Errors:
        stored = np.load(data / file)
        r, angle = stored["r"], 0.7
        c, s = np.cos(angle), np.sin(angle)
        X = np.stack([r * c, r * s], axis=1)
        expected = {
            "w": stored["w"],
            "M_x": stored["Mr"] * c * c + stored["Mt"] * s * s,
            "Q_x": stored["Qr"] * c,
        }
        return at(solution, X, expected)

    return errors


def hole_plate(seed: int) -> Any:
    """Return the simply supported disc with a free eccentric hole."""
    pde = KirchhoffPlate(rigidity=1.0, poisson_ratio=0.25, load=1.0)
    shape = Disk((0, 0), 1.0).rename({"circle": "outer"}) - Disk((-0.2, 0.25), 0.3)
    conditions = [SimplySupported("outer", hard=False), Free("circle")]
    enrichment = Poles([(-0.2, 0.25)], 16, biharmonic=True, length=0.3)
    return solve(Problem(shape, pde, conditions), seed, 500, 5.0, [enrichment])


def sine_poisson(seed: int) -> Any:
    """Return Poisson's equation with a sine."""
    pde = Poisson(source="2*pi^2*sin(pi*x)*sin(pi*y)")
    return solve(Problem(SQUARE, pde, [Dirichlet("u", "edges")]), seed, 250, 3.0)


def helmholtz(a: int, b: int, features: int, scale: float, seed: int) -> Any:
    """Return Helmholtz's equation with a sine of a and b half waves."""
    k = f"(1 - {a**2 + b**2}*pi^2)"
    pde = Helmholtz(wave_number=1.0, source=f"{k}*sin({a}*pi*x)*sin({b}*pi*y)")
    problem = Problem(Rectangle((-1, -1), (1, 1)), pde, [Dirichlet("u", "edges")])
    return solve(problem, seed, features, (scale * a, scale * b))


def l_shape(seed: int) -> Any:
    """Return Poisson's equation on the L."""
    shape = Polygon(((-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)))
    outer = [(-1, -1), (0, -1), (1, 0), (1, 1), (-1, 1)]
    turned = [np.pi / 4 * k for k in (1, 3, 3, 5, -1)]
    enrichment = [
        CornerFunctions([(0, 0)], [2 * k / 3 for k in range(1, 13)], [3 * np.pi / 4]),
        CornerFunctions([(0, 0)], (2, 4, 6), [3 * np.pi / 4], logarithms=True),
        CornerFunctions(outer, (2, 4, 6), turned, logarithms=True),
    ]
    problem = Problem(shape, Poisson(source=1.0), [Dirichlet("u", "edges", hard=False)])
    return solve(problem, seed, 700, 6.0, enrichment, rows=6)


def four_holes(seed: int) -> Any:
    """Return Laplace's equation on a square with four round holes."""
    shape: Any = Rectangle((-0.5, -0.5), (0.5, 0.5))
    centres = [(x, y) for x in (-0.3, 0.3) for y in (-0.3, 0.3)]
    for centre in centres:
        shape = shape - Disk(centre, 0.1)
    # reflections of the holes in the edges
    images = [(sx * a, sy * b) for a, b in ((0.7, 0.3), (0.3, 0.7), (0.7, 0.7))
              for sx in (-1, 1) for sy in (-1, 1)]  # fmt: skip
    conditions = [Dirichlet("u", "edges", 1.0, hard=False), Dirichlet("u", "circle", hard=False)]
    enrichment = [Poles(centres, 12, length=0.1), Poles(images, 8, length=0.1)]
    return solve(Problem(shape, Laplace(), conditions), seed, 300, 4.0, enrichment)


def heat(seed: int) -> Any:
    """Return the heat equation on the square, in windows of time."""
    pde = Diffusion(diffusivity=0.3, dimension=2)
    start = "sin(2*pi*x)*sin(pi*y) + 0.5*sin(pi*x)*sin(3*pi*y)"
    conditions = [Initial("u", start), Dirichlet("u", "sides")]
    problem = Problem(SQUARE.over_time(1.0), pde, conditions)
    network = SpectralFeatures(degrees=(20, 20, 14), total=True)
    points = Points(3 * network_size(network, 3), 800)
    return march(Solver(problem, network, [GaussNewton(3)], points, {}, seed, "float64"), 10)


def network_size(network: SpectralFeatures, coordinates: int) -> int:
    """Return the number of functions over a number of coordinates."""
    return replace(network, inputs=coordinates).count


def wave(seed: int) -> Any:
    """Return the wave equation with two standing waves."""
    conditions = [
        Initial("u", "sin(pi*x) + sin(4*pi*x)/2", rate=0),
        Dirichlet("u", "sides"),
    ]
    problem = Problem(Interval(0, 1).over_time(1.0), Wave(speed=2.0), conditions)
    return solve(problem, seed, 900, (9.0, 18.0))


def advection(seed: int) -> Any:
    """Return the travelling sine of speed 30."""
    pde = CustomPDE({"advection": "u__t + 30*u__x"}, over="x t", unknowns="u")
    around = Periodic("u", "sides.left", "x", 2 * np.pi, hard=False)
    problem = Problem(Interval(0, 2 * np.pi).over_time(1.0), pde, [Initial("u", "sin(x)"), around])
    network = SpectralFeatures(degrees=(2, 60), bases=("fourier", "chebyshev"))
    solver = Solver(problem, network, [GaussNewton(4)], Points(1500, 300), {}, seed, "float64")
    return solver.solve()


def edges(kinds: str) -> Any:
    """Return the function of a seed for a plate with edges left, bottom, right, top."""
    return lambda seed: square_plate(*kinds, seed)


LINEAR = [
    Case("sine plate", {"w": 1e-12, "M_x": 1e-12, "Q_x": 1e-12}, sine_plate,
         against(SinePlate(), "w M_x Q_x"), within=2.0),
    Case("uniform plate SSSS", {"w": 1e-9, "Q_x": 1e-7}, uniform_plate,
         against(UniformSimplySupportedPlate(), "w M_x M_xy Q_x")),
    Case("uniform plate CCCC", {"w": 1e-9}, clamped_plate,
         from_file("plates/clamped_square_uniform.npz", QUANTITIES)),
    Case("uniform plate SCSC", {"w": 1e-9}, edges("SCSC"),
         from_file("plates/levy_SCSC_square.npz", QUANTITIES)),
    Case("uniform plate SFSF", {"w": 1e-9}, edges("SFSF"),
         from_file("plates/levy_SFSF_square.npz", QUANTITIES)),
    Case("uniform plate CFFF", {"w": 6.5e-7}, edges("CFFF"),
         from_file("plates/cantilever_CFFF_square_uniform.npz", QUANTITIES)),
    Case("uniform plate CCCF", {"w": 8.2e-6}, edges("CCCF"),
         from_file("plates/CCCF_square_uniform.npz", QUANTITIES)),
    Case("clamped disc", {"w": 1e-12}, disc, against(UniformDisc(), "w M_x Q_x")),
    Case("annulus, free in, supported out", {"w": 1e-10},
         lambda seed: annulus("F", "S", 0.3, seed), radial("plates/annular_F_in_S_out.npz")),
    Case("annulus, clamped in, free out", {"w": 1e-10},
         lambda seed: annulus("C", "F", 0.4, seed), radial("plates/annular_C_in_F_out.npz")),
    Case("disc with free hole", {"w": 1e-9}, hole_plate,
         from_file("plate_hole/disc_ss_eccentric_free_hole.npz", QUANTITIES)),
    Case("Poisson, sine", {"u": 1e-12}, sine_poisson,
         against(SinePoisson(), "u")),
    Case("Helmholtz 1, 4", {"u": 1e-9}, lambda seed: helmholtz(1, 4, 900, 4.0, seed),
         from_file("exact/helmholtz_a1_4_k2_1.npz", {"u": "u"})),
    Case("L-shape", {"u": 1e-9}, l_shape, from_file("elliptic/poisson_Lshape_f1.npz", {"u": "u"})),
    Case("square with four holes", {"u": 1e-7}, four_holes,
         from_file("elliptic/poisson2dC_square_4holes.npz", {"u": "u"})),
    Case("heat", {"u": 1e-9}, heat, from_file("exact/heat2d_dirichlet.npz", {"u": "u"}, "x y t")),
    Case("wave", {"u": 1e-9}, wave, from_file("exact/wave1d_c2.npz", {"u": "u"}, "x t")),
    Case("advection", {"u": 1e-9}, advection,
         from_file("exact/advection_c30.npz", {"u": "u"}, "x t")),
]  # fmt: skip
