"""What shapes of the plane share: factors, extensions and areas that follow from their pieces."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, final

import numpy as np

from sciml.framework.errors import GeometryError

from . import distance_factors
from .geometry import Geometry
from .pieces import PlanePiece

if TYPE_CHECKING:
    import sympy

Array = np.ndarray


class PlaneShape(Geometry, ABC):
    """A region of the plane whose factors follow from the functions of its pieces.

    `boundary_factor` and `boundary_extension` are those of `distance_factors`.
    """

    @final
    @property
    def dimension(self) -> int:
        return 2

    @property
    @abstractmethod
    def pieces(self) -> Mapping[str, PlanePiece]:
        """Pieces of the boundary under their dotted names, counter-clockwise."""

    @final
    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        return distance_factors.factor(leaves, self.pieces, self.measure, coordinates)

    @final
    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        return distance_factors.extension(values, self.pieces, coordinates)


def plane_pieces(shape: Geometry, where: str) -> dict[str, PlanePiece]:
    """Return the pieces of a shape of the plane.

    Raises
    ------
    GeometryError
        If it is none; the message begins with `where`.
    """
    if not isinstance(shape, Geometry) or shape.dimension != 2:
        raise GeometryError(f"{where} must be a shape of the plane, got {shape!r}")
    found = {n: piece for n, piece in shape.pieces.items() if isinstance(piece, PlanePiece)}
    if len(found) < len(shape.pieces):
        raise GeometryError(f"{where} must have a boundary of plane pieces, got {shape!r}")
    return found


def area(pieces: Iterable[PlanePiece]) -> float:
    """Return the area inside a closed boundary, half the flux of x - c through it [m^2]."""
    edges = [piece for piece in pieces if piece.measure > 0]
    center = np.mean([piece.frame(np.array([[0.5]]))[0][0] for piece in edges], axis=0)
    return math.fsum(piece.swept(center) for piece in edges) / 2


def cover(box: tuple[tuple[float, ...], tuple[float, ...]], unit: Array) -> Array:
    """Map the unit cube to a bounding box."""
    lower, upper = map(np.array, box)
    return np.asarray((1 - unit) * lower + unit * upper)
