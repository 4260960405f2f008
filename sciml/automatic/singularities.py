"""Functions that know the corners and holes of a domain, for the equations they are known for."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import sympy

from sciml.equations import Clamped, Dirichlet, Free, Neumann, Robin, SimplySupported
from sciml.equations.conditions.condition import BoundaryCondition
from sciml.equations.conditions.forced import unforced
from sciml.geometry import SpaceTime
from sciml.geometry.pieces import Arc, Segment
from sciml.networks import CornerFunctions, Enrichment, Poles
from sciml.networks.plate_corners import Support, plate_exponents
from sciml.problem.problem import Problem

Operator: TypeAlias = Literal["harmonic", "biharmonic"]

# Whether a condition gives the normal derivative, or else the value.
_SLOPES: Mapping[type[BoundaryCondition], bool] = {Dirichlet: False, Neumann: True, Robin: True}
_SUPPORTS: Mapping[type[BoundaryCondition], Support] = {
    Clamped: "clamped",
    SimplySupported: "simply supported",
    Free: "free",
}
# Exponents up to these: of what is left, polynomials take care.
_BELOW = {"harmonic": 8.0, "biharmonic": 9.0}
_ORDER = 12
_WHOLE = 1e-9


@dataclass(frozen=True)
class _Corner:
    """A corner between straight edges."""

    at: tuple[float, float]
    angle: float
    direction: float
    edges: tuple[type[BoundaryCondition], type[BoundaryCondition]]


def principal_part(problem: Problem) -> Operator | None:
    """Return the operator of the highest derivatives of a steady equation of the plane.

    None where it is neither the Laplacian nor its square with a constant factor.
    """
    pde = problem.pde
    rows = list(pde.residuals().values())
    if len(pde.coordinates) != 2 or len(pde.fields) != 1 or len(rows) != 1:
        return None
    if isinstance(problem.geometry, SpaceTime):
        return None
    (x, y), (u,) = pde.coordinates, pde.fields
    expression = sympy.expand(rows[0])
    order = pde.order
    wanted = {2: {(2, 0): 1, (1, 1): 0, (0, 2): 1},
              4: {(4, 0): 1, (3, 1): 0, (2, 2): 2, (1, 3): 0, (0, 4): 1}}.get(order)  # fmt: skip
    if wanted is None:
        return None
    found = {
        (a, b): expression.coeff(
            sympy.Derivative(u, *([(x, a)] if a else []), *([(y, b)] if b else []))
        )
        for a, b in wanted
    }
    factor = found[order, 0]
    if not factor.is_number or factor == 0:
        return None
    if any(sympy.simplify(found[k] - factor * share) != 0 for k, share in wanted.items()):
        return None
    return "harmonic" if order == 2 else "biharmonic"


def singular_functions(problem: Problem) -> tuple[Enrichment, ...]:
    """Return the functions of the corners and holes of a problem; none where they are not known."""
    operator = principal_part(problem)
    if operator is None:
        return ()
    lower, upper = problem.geometry.bounding_box
    length = 0.5 * max(b - a for a, b in zip(lower, upper, strict=True))
    groups: dict[tuple[tuple[complex, ...], bool], list[_Corner]] = {}
    for corner in _corners(problem):
        for exponents, logarithms in _kinds(corner, operator, problem):
            groups.setdefault((exponents, logarithms), []).append(corner)
    plates = operator == "biharmonic"
    found: list[Enrichment] = [
        CornerFunctions(
            tuple(c.at for c in corners), exponents, tuple(c.direction for c in corners),
            logarithms, plates, length,
        )
        for (exponents, logarithms), corners in groups.items()
    ]  # fmt: skip
    holes = _holes(problem)
    for radius in sorted({arc.radius for arc in holes}):
        centres = tuple(arc.center for arc in holes if arc.radius == radius)
        found.append(Poles(centres, _ORDER, plates, radius))
    return tuple(found)


def needs_them(problem: Problem) -> bool:
    """Return whether polynomials alone converge slowly: at re-entrant corners and around holes."""
    return bool(_holes(problem)) or any(c.angle > math.pi for c in _corners(problem))


def _holes(problem: Problem) -> list[Arc]:
    pieces = problem.geometry.pieces.values()
    arcs = [p for p in pieces if isinstance(p, Arc) and p.turn < 0.0]
    return [a for a in arcs if math.isclose(abs(a.last - a.first), 2.0 * math.pi)]


def _corners(problem: Problem) -> list[_Corner]:
    """Return the corners whose two edges are straight and have one known condition each."""
    geometry = problem.geometry
    kinds: dict[str, type[BoundaryCondition]] = {}
    for condition in problem.conditions:
        if isinstance(condition, BoundaryCondition):
            leaves = geometry.resolve(condition.part)
            kinds.update(dict.fromkeys(leaves, type(unforced(condition))))
    found = []
    for before, after in geometry.corners.values():
        one, two = geometry.pieces[before], geometry.pieces[after]
        if not (isinstance(one, Segment) and isinstance(two, Segment)):
            continue
        if before not in kinds or after not in kinds:
            continue
        a, b = (_direction(s) for s in (one, two))
        turn = math.remainder(b - a, 2.0 * math.pi)
        angle = math.pi - turn
        found.append(_Corner(two.start, angle, b + angle / 2.0, (kinds[after], kinds[before])))
    return found


def _direction(segment: Segment) -> float:
    (ax, ay), (bx, by) = segment.start, segment.end
    return math.atan2(by - ay, bx - ax)


def _kinds(
    corner: _Corner, operator: Operator, problem: Problem
) -> list[tuple[tuple[complex, ...], bool]]:
    """Return rows of exponents, each with whether their logarithms belong to them."""
    exponents = _exponents(corner, operator, problem)
    whole = tuple(l for l in exponents if l.imag == 0.0 and abs(l.real - round(l.real)) < _WHOLE)
    broken = tuple(l for l in exponents if l not in whole)
    least = 1.5 if operator == "harmonic" else 3.5
    # those of low degree are motions and constant strains, which no load excites
    logarithmic = tuple(l for l in whole if l.real > least)
    return [row for row in ((broken, False), (logarithmic, True)) if row[0]]


def _exponents(corner: _Corner, operator: Operator, problem: Problem) -> tuple[complex, ...]:
    if operator == "biharmonic":
        ratio = sympy.sympify(getattr(problem.pde, "poisson_ratio", None))
        supports = [_SUPPORTS[kind] for kind in corner.edges if kind in _SUPPORTS]
        if not isinstance(ratio, sympy.Number) or len(supports) < len(corner.edges):
            return ()
        one, two = supports
        return plate_exponents(corner.angle, (one, two), float(ratio), _BELOW[operator])
    slopes = [_SLOPES[kind] for kind in corner.edges if kind in _SLOPES]
    if len(slopes) < len(corner.edges):
        return ()
    shift = 0.0 if slopes[0] == slopes[1] else 0.5
    steps = (k - shift for k in itertools.count(1))
    powers = (step * math.pi / corner.angle for step in steps)
    return tuple(map(complex, itertools.takewhile(lambda l: l <= _BELOW[operator], powers)))
