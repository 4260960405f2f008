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
from .quadrature import gauss_legendre

if TYPE_CHECKING:
    import sympy

Array = np.ndarray

# Gauss points along a part of a piece in an area, and how often the parts are halved at most.
AREA_POINTS, AREA_HALVINGS = 24, 9


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
    """Return the area inside a closed boundary, half the flux of x - c through it [m^2].

    The Gauss rule along a piece is halved in step until the flux stays the same: its error is
    then far smaller than the last change, since it falls faster than any power of the step.
    """
    edges = [piece for piece in pieces if piece.measure > 0]
    center = np.mean([piece.frame(np.array([[0.5]]))[0][0] for piece in edges], axis=0)
    return math.fsum(_flux(piece, center) for piece in edges) / 2


def _flux(piece: PlanePiece, center: Array) -> float:
    nodes, shares = gauss_legendre(AREA_POINTS, 0.0, 1.0)
    before = math.inf
    for panels in 2 ** np.arange(AREA_HALVINGS):
        unit = (np.arange(panels)[:, None] + nodes).reshape(-1, 1) / panels
        points, normals, _ = piece.frame(unit)
        along = ((points - center) * normals).sum(axis=1)
        mean = float(np.tile(shares, panels) @ along) / float(panels)
        if abs(mean - before) <= 1e-14 * np.abs(points - center).max():
            break
        before = mean
    return piece.measure * mean


def cover(box: tuple[tuple[float, ...], tuple[float, ...]], unit: Array) -> Array:
    """Map the unit cube to a bounding box."""
    lower, upper = map(np.array, box)
    return np.asarray((1 - unit) * lower + unit * upper)
