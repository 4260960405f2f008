"""Shapes of the plane with a further part, cut out of the pieces of their boundary."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, final

import numpy as np

from sciml.framework.errors import GeometryError

from .crossings import stretches
from .geometry import Geometry
from .parts import numbered
from .pieces import PlanePiece
from .plane_shape import PlaneShape, plane_pieces
from .quadrature import Quadrature
from .renamed import check_name

Array = np.ndarray
Predicate = Callable[[Array], Array]

# Even points of a piece at which a predicate is looked at, and halvings between two of them.
LOOKS, HALVINGS = 513, 54
# Stretches shorter than this share of a piece are points: its end, where that alone is inside.
SLIVER = 1e-9


@final
@dataclass(frozen=True)
class Divided(PlaneShape):
    """A shape with a part of its boundary under a name of its own.

    The pieces are cut where the part begins and ends. Several pieces of the part are numbered,
    ``inlet.0``, ``inlet.1``, and so is what is left of a piece on both sides.

    Parameters
    ----------
    shape
        Shape of the plane.
    part
        Name of the new part.
    where
        Where it lies: inside another shape, or where a function of points (n, 2) [m] returns
        True. A function is looked at in 513 even points of each piece; changes closer than that
        are missed. The boundary of a shape is crossed exactly.
    within
        Part of the shape it is cut out of.

    Raises
    ------
    GeometryError
        If the name is taken, the part has no length, or the function returns anything else.

    Examples
    --------
    >>> from sciml.geometry import Disk, Rectangle
    >>> tank = Disk((0, 0), 1).with_part("outlet", where=Rectangle((0, -2), (2, 0)))
    >>> round(tank.boundary_measure("outlet"), 10), round(tank.boundary_measure("circle"), 10)
    (1.5707963268, 4.7123889804)
    """

    shape: Geometry
    part: str
    where: Geometry | Predicate
    within: str = "boundary"

    def __post_init__(self) -> None:
        check_name("with_part", self.part)
        for name in self.shape.parts:
            if f"{name}.".startswith(f"{self.part}.") or (
                name in self.shape.pieces and f"{self.part}.".startswith(f"{name}.")
            ):
                raise GeometryError(
                    f"with_part: the shape has a part {name!r} already; choose another name than "
                    f"{self.part!r}, or rename that first"
                )
        if self.part not in self.parts:
            raise GeometryError(
                f"with_part: no stretch of {self.within!r} is where {self.part!r} should be; check "
                "'where', in the coordinates of the shape [m]"
            )

    @property
    def measure(self) -> float:
        return self.shape.measure

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return self.shape.bounding_box

    @property
    def pieces(self) -> Mapping[str, PlanePiece]:
        return self._divided[0]

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return self._divided[1]

    def signed_distance(self, X: Any) -> Any:
        """Return the distance of the shape, shape (n,)."""
        return self.shape.signed_distance(X)

    def from_unit_cube(self, unit: Array) -> Array:
        """Map as the shape does."""
        return self.shape.from_unit_cube(unit)

    def quadrature(self, n: int) -> Quadrature:
        """Return the rule of the shape."""
        return self.shape.quadrature(n)

    @cached_property
    def _divided(self) -> tuple[Mapping[str, PlanePiece], Mapping[str, tuple[str, str]]]:
        """Pieces by name, and corners with the pieces that end and begin there."""
        pieces = plane_pieces(self.shape, "with_part: the shape")
        chosen = self.shape.resolve(self.within)
        found: list[tuple[str, str, PlanePiece]] = []
        for name, piece in pieces.items():
            if name not in chosen or piece.measure == 0:
                found.append((name, name, piece))
                continue
            cuts = self._cuts(piece)
            around = len(cuts) > 2 and cuts[0][2] == cuts[-1][2]
            if around and piece.goes_on(cuts[0][1], SLIVER * piece.measure):
                cuts = [*cuts[1:-1], (cuts[-1][0], 1 + cuts[0][1], cuts[0][2])]
            for a, b, inside in cuts:
                whole = piece if (a, b) == (0.0, 1.0) else piece.between(a, b)
                found.append((self.part if inside else name, name, whole))
        names = numbered([name for name, _, _ in found])
        first: dict[str, str] = {}
        last: dict[str, str] = {}
        for own, (_, original, _) in zip(names, found, strict=True):
            first.setdefault(original, own)
            last[original] = own
        return (
            {own: piece for own, (_, _, piece) in zip(names, found, strict=True)},
            {c: (last[before], first[after]) for c, (before, after) in self.shape.corners.items()},
        )

    def _cuts(self, piece: PlanePiece) -> list[tuple[float, float, bool]]:
        """Return the intervals of unit parameters inside and outside the part, in order."""
        found: list[tuple[float, float, bool]] = []
        if isinstance(self.where, Geometry):
            plane_pieces(self.where, "with_part: where")
            size = float(np.abs([*self.bounding_box, *self.where.bounding_box]).max())
            for stretch in stretches(piece, self.where, size):
                inside = stretch.sides != (1, 1)
                start = found.pop()[0] if found and found[-1][2] == inside else stretch.first
                found.append((start, stretch.last, inside))
            return found
        knots = np.linspace(0.0, 1.0, LOOKS)
        states = self._holds(piece, knots)
        cell = np.flatnonzero(states[:-1] != states[1:])
        low, high = knots[cell], knots[cell + 1]
        for _ in range(HALVINGS if len(cell) else 0):
            middle = (low + high) / 2
            same = self._holds(piece, middle) == states[cell]
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        ends = [0.0, *((low + high) / 2).tolist(), 1.0]
        for i, (a, b) in enumerate(pairwise(ends)):
            inside = bool(states[0]) == (i % 2 == 0)
            if b - a < SLIVER:
                continue  # a single point
            start = found.pop()[0] if found and found[-1][2] == inside else a
            found.append((start if found else 0.0, b, inside))
        found[-1] = (found[-1][0], 1.0, found[-1][2])
        return found

    def _holds(self, piece: PlanePiece, u: Array) -> Array:
        assert not isinstance(self.where, Geometry)
        where: object = self.where
        if not callable(where):
            raise GeometryError(
                f"with_part: 'where' must be a shape or a function of points (n, 2), got {where!r}"
            )
        values = np.asarray(self.where(piece.frame(u[:, None])[0]))
        if values.shape != u.shape or values.dtype != bool:
            raise GeometryError(
                f"with_part: 'where' must return one truth value for each of {len(u)} points, got "
                f"{values.dtype} of shape {values.shape}"
            )
        return values
