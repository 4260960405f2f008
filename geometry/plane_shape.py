"""What shapes of the plane share: factors, extensions and areas that follow from their pieces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, final

import numpy as np

from . import distance_factors
from .geometry import Geometry
from .pieces import PlanePiece
from .quadrature import gauss_legendre

if TYPE_CHECKING:
    import sympy

Array = np.ndarray

# Gauss points along a piece in an area: exact on straight pieces, to rounding on half circles.
AREA_POINTS = 48


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


def area(pieces: Iterable[PlanePiece]) -> float:
    """Return the area inside a closed boundary, half the flux of x - c through it [m^2]."""
    nodes, shares = gauss_legendre(AREA_POINTS, 0.0, 1.0)
    frames = [(p.frame(nodes[:, None]), p.measure) for p in pieces if p.measure > 0]
    center = np.mean([points.mean(axis=0) for (points, _, _), _ in frames], axis=0)
    flux = 0.0
    for (points, normals, _), measure in frames:
        flux += measure * float(shares @ ((points - center) * normals).sum(axis=1))
    return flux / 2


def cover(box: tuple[tuple[float, ...], tuple[float, ...]], unit: Array) -> Array:
    """Map the unit cube to a bounding box."""
    lower, upper = map(np.array, box)
    return np.asarray((1 - unit) * lower + unit * upper)
