"""The right sides that conditions have for given fields, piece by piece of the boundary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError, GeometryError

from ..boundary import Boundary
from ..conditions.clamped import Clamped
from ..conditions.condition import BoundaryCondition
from ..conditions.dirichlet import Dirichlet
from ..conditions.forced import Forced, unforced
from ..conditions.initial import Initial
from ..conditions.neumann import Neumann
from ..conditions.no_slip import NoSlip
from ..conditions.operator import Operator
from ..conditions.periodic import Periodic
from ..conditions.robin import Robin
from ..pde import CURVATURE, PDE, normal_symbols
from .solution import substituted

_SAMPLES = 8
_FLAT = 1e-12


@final
@dataclass(frozen=True)
class Straight:
    """A straight or plane piece n . x = c of a boundary.

    Parameters
    ----------
    normal
        n, exact where it is an axis.
    offset
        c.
    """

    normal: tuple[sympy.Rational, ...]
    offset: sympy.Rational

    def along(self, value: sympy.Expr, coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        """Return an expression that agrees on the piece and does not change along its normal."""
        beyond = sympy.Add(*(n * x for n, x in zip(self.normal, coordinates, strict=True)))
        beyond -= self.offset
        moved = {
            x: sympy.expand(x - n * beyond)
            for n, x in zip(self.normal, coordinates, strict=True)
            if n != 0
        }
        frame = dict(zip(normal_symbols(coordinates), self.normal, strict=True))
        return value.subs(moved, simultaneous=True).subs({**frame, CURVATURE: 0})


def straight(geometry: Boundary, leaf: str) -> Straight | None:
    """Return a piece of the boundary if it is straight, None if it is curved or a corner.

    A piece without a quadrature rule, such as a cloud of points, counts as curved.

    Examples
    --------
    >>> from sciml.geometry import Disk, Rectangle
    >>> straight(Rectangle(), "edges.right")
    Straight(normal=(1, 0), offset=1)
    >>> straight(Disk(), "circle") is None
    True
    """
    if leaf in geometry.corners:
        return None
    try:
        # A rule has points on every edge or face of a mesh, which a few samples may miss.
        samples = geometry.boundary_quadrature(leaf, 2), geometry.sample_boundary(leaf, _SAMPLES)
    except GeometryError:
        return None
    points = np.concatenate([s.points for s in samples])
    normals = np.concatenate([s.normals for s in samples])
    normal = normals[0]
    offsets = points @ normal
    size = max(1.0, float(np.abs(points).max()))
    bent = np.abs(normals - normal).max() > _FLAT
    if bent or np.abs(offsets - offsets[0]).max() > _FLAT * size:
        return None
    # Fifteen digits, so that a coordinate that was given as 0.3 is 3/10 again.
    decimals = [sympy.Rational(f"{v:.15g}") for v in (*normal, float(np.median(offsets)))]
    return Straight(tuple(decimals[:-1]), decimals[-1])


def filled(
    condition: BoundaryCondition,
    geometry: Boundary,
    pde: PDE,
    fields: Mapping[AppliedUndef, sympy.Expr],
) -> list[BoundaryCondition]:
    """Return a condition with the right sides that fields give it, one for each piece.

    A condition that the fields satisfy as it is stays the only one.

    Raises
    ------
    EquationError
        If it has no right side and the fields do not satisfy it.
    """
    zero = _homogeneous(unforced(condition))
    residuals = zero.residuals(pde)
    right = {name: substituted(r, fields) for name, r in residuals.items()}
    pieces = {leaf: straight(geometry, leaf) for leaf in geometry.resolve(condition.part)}
    there = {
        leaf: {n: piece.along(v, pde.coordinates) if piece else v for n, v in right.items()}
        for leaf, piece in pieces.items()
    }
    if not any(value != 0 for values in there.values() for value in values.values()):
        return [zero]
    return [
        _with_values(_on(zero, leaf), residuals, there[leaf], piece is not None)
        for leaf, piece in pieces.items()
    ]


def _on(condition: BoundaryCondition, part: str) -> BoundaryCondition:
    """Return a condition on another part."""
    record: Any = condition  # every condition is a dataclass, which the interface does not say
    moved: BoundaryCondition = replace(record, part=part)
    return moved


def _homogeneous(condition: BoundaryCondition) -> BoundaryCondition:
    """Return a condition without the values it has."""
    match condition:
        case Dirichlet() | Neumann() | Robin():
            return replace(condition, value=0.0)
        case Initial():
            return replace(condition, value=0.0, rate=None if condition.rate is None else 0.0)
        case Clamped():
            return replace(condition, value=0.0, slope=0.0)
        case NoSlip():
            return replace(condition, values=())
    return condition


def _with_values(
    zero: BoundaryCondition,
    residuals: Mapping[str, sympy.Expr],
    right: Mapping[str, sympy.Expr],
    is_straight: bool,
) -> BoundaryCondition:
    """Return a condition on one piece with the right sides of its residuals."""
    values = tuple(right.values())
    if all(value == 0 for value in values):
        return zero
    hard = zero.hard if is_straight or zero.hard else False
    match zero:
        case Dirichlet() | Neumann() | Robin():
            return replace(zero, value=values[0], hard=hard)
        case Initial():
            rate = values[1] if values[1:] else None
            return replace(zero, value=values[0], rate=rate, hard=hard)
        case Clamped():
            value, slope = values
            return replace(zero, value=value, slope=slope, hard=hard)
        case NoSlip():
            return replace(zero, values=values, hard=hard)
        case Operator():
            (residual,) = residuals.values()
            return replace(zero, expression=residual - values[0])
        case Periodic():
            raise EquationError(
                f"Periodic on {zero.part!r}: the fields do not have this period; {zero.field!r} "
                f"and its value after a period differ by {values[0]}"
            )
    return Forced(zero, tuple(right.items()))
