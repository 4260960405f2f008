"""What corners and holes are seen, and which functions they get."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sciml import Problem
from sciml.automatic.singularities import needs_them, principal_part, singular_functions
from sciml.equations import (
    PDE,
    Clamped,
    CustomPDE,
    Diffusion,
    Dirichlet,
    Free,
    Helmholtz,
    Initial,
    KirchhoffPlate,
    Neumann,
    Poisson,
    SimplySupported,
)
from sciml.geometry import Disk, Geometry, Interval, Polygon, Rectangle
from sciml.networks import CornerFunctions, Poles
from sciml.networks.plate_corners import plate_exponents

L_SHAPE = Polygon(((-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)))


@pytest.mark.parametrize(
    ("pde", "expected"),
    [
        (Poisson("x"), "harmonic"),
        (Helmholtz(wave_number=3.0), "harmonic"),
        (KirchhoffPlate(rigidity=2.0), "biharmonic"),
        (CustomPDE({"a": "3*u__x__x + 3*u__y__y - u**2"}, over="x y", unknowns="u"), "harmonic"),
        (CustomPDE({"a": "u__x__x + 2*u__y__y"}, over="x y", unknowns="u"), None),
        (CustomPDE({"a": "u__x__x + u__y__y + u__x__y"}, over="x y", unknowns="u"), None),
        (CustomPDE({"a": "x*u__x__x + x*u__y__y"}, over="x y", unknowns="u"), None),
        (CustomPDE({"a": "u__x"}, over="x y", unknowns="u"), None),
    ],
)
def test_the_principal_part(pde: PDE, expected: str | None) -> None:
    field = pde.fields[0].name
    assert principal_part(Problem(Rectangle(), pde, [Dirichlet(field, "edges")])) == expected


def test_nothing_is_known_of_evolutions() -> None:
    conditions = [Initial("u", "x"), Dirichlet("u", "sides", "x")]
    problem = Problem(Interval(0, 1).over_time(1.0), Diffusion(), conditions)
    assert principal_part(problem) is None
    assert singular_functions(problem) == ()


def test_the_corners_of_an_l() -> None:
    problem = Problem(L_SHAPE, Poisson("1"), [Dirichlet("u", "edges")])
    assert needs_them(problem)
    square, turned = singular_functions(problem)
    assert isinstance(square, CornerFunctions)
    assert isinstance(turned, CornerFunctions)
    if not square.logarithms:
        square, turned = turned, square
    assert square.exponents == (2, 4, 6, 8)
    assert len(square.at) == 6  # the seventh to ninth exponents of the re-entrant one too
    assert turned.at == ((0.0, 0.0),)
    assert turned.exponents[:3] == pytest.approx((2 / 3, 4 / 3, 8 / 3))
    assert not turned.logarithms
    # the bisector points into the domain
    (x, y), theta = turned.at[0], turned.directions[0]
    assert theta == pytest.approx(3 * math.pi / 4)
    for (x, y), theta in zip(square.at, square.directions, strict=True):
        inside = np.array([[x + 0.1 * math.cos(theta), y + 0.1 * math.sin(theta)]])
        assert L_SHAPE.contains(inside)[0]


def test_a_value_beside_a_slope_halves_the_exponents() -> None:
    conditions = [Dirichlet("u", "edges.left"), Neumann("u", "edges.bottom")]
    found = singular_functions(Problem(Rectangle(), Poisson("1"), conditions))
    (only,) = found
    assert isinstance(only, CornerFunctions)
    assert only.at == ((0.0, 0.0),)
    assert only.exponents == pytest.approx((3, 5, 7))  # r^1 is a polynomial


def test_a_plate_gets_the_exponents_of_its_supports() -> None:
    plate = KirchhoffPlate(rigidity=1.0, poisson_ratio=0.2, load=1.0)
    conditions = [
        Clamped("edges.left"), Free("edges.right"), SimplySupported("edges.bottom"),
        SimplySupported("edges.top"),
    ]  # fmt: skip
    problem = Problem(Rectangle(), plate, conditions)
    assert not needs_them(problem)
    found = singular_functions(problem)
    by_corner: dict[tuple[float, float], set[complex]] = {}
    for e in found:
        assert isinstance(e, CornerFunctions)
        assert e.biharmonic
        for at in e.at:
            by_corner.setdefault(at, set()).update(e.exponents)
    expected = plate_exponents(math.pi / 2, ("free", "simply supported"), 0.2)
    assert by_corner[1.0, 0.0] == {l for l in expected if l.imag or l.real > 3.5 or l.real % 1}
    assert len(by_corner) == 4


def test_holes_get_poles_of_their_size() -> None:
    shape: Geometry = Rectangle() - Disk((0.3, 0.3), 0.1) - Disk((0.7, 0.6), 0.1)
    problem = Problem(shape, Poisson("1"), [Dirichlet("u", "edges"), Dirichlet("u", "circle")])
    assert needs_them(problem)
    (poles,) = (e for e in singular_functions(problem) if isinstance(e, Poles))
    assert set(poles.at) == {(0.3, 0.3), (0.7, 0.6)}
    assert poles.length == 0.1
    round_one = Problem(Disk(), Poisson("1"), [Dirichlet("u", "circle")])
    assert singular_functions(round_one) == ()
    assert not needs_them(round_one)
