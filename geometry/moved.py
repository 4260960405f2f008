"""Shapes that are turned, mirrored, scaled or shifted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, final

import numpy as np

from sciml.framework.errors import GeometryError

from . import sizes
from .boundary import BoundaryPoints, make
from .geometry import Geometry
from .motion import Motion
from .pieces import Piece, PlanePiece
from .quadrature import Quadrature

if TYPE_CHECKING:
    import sympy

Array = np.ndarray


@final
@dataclass(frozen=True)
class MovedPiece(Piece):
    """The image of a piece of boundary that is no plane piece under a motion."""

    piece: Piece
    motion: Motion

    @property
    def measure(self) -> float:
        return self.piece.measure * self.motion.scale ** (self.motion.dimension - 1)

    @property
    def parameters(self) -> int:
        return self.piece.parameters

    @property
    def joined(self) -> bool:
        return self.piece.joined

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        points, normals, curvatures = self.piece.frame(unit)
        turned = normals @ np.array(self.motion.matrix).T
        return self.motion.points(points), turned, curvatures / self.motion.scale

    def kept(self, unit: Array) -> Array:
        return self.piece.kept(unit)

    def rule(self, n: int, part: str) -> BoundaryPoints:
        """Return the image of the rule of the piece, of the same degree."""
        rule = self.piece.rule(n, part)
        return make(
            self.motion.points(rule.points),
            rule.normals @ np.array(self.motion.matrix).T,
            rule.curvatures / self.motion.scale,
            rule.weights * self.motion.scale ** (self.motion.dimension - 1),
            part,
        )

    def rim(self) -> Array:
        return self.motion.points(self.piece.rim())


@final
@dataclass(frozen=True)
class Moved(Geometry):
    """The image s Q x + t of a shape under a motion; its parts keep their names.

    Shapes are moved by ``shape.translate``, ``rotate``, ``scale`` and ``mirror``.

    Parameters
    ----------
    shape
        The shape.
    motion
        The motion, of as many dimensions.

    Raises
    ------
    GeometryError
        If the motion is one of another space.

    Examples
    --------
    >>> from sciml.geometry import Rectangle
    >>> Rectangle((0, 0), (2, 1)).scale(2).translate(1, 0).bounding_box
    ((1.0, 0.0), (5.0, 2.0))
    """

    shape: Geometry
    motion: Motion

    def __post_init__(self) -> None:
        if self.motion.dimension != self.shape.dimension:
            raise GeometryError(
                f"Moved: the shape lies in {self.shape.dimension} coordinates, its motion in "
                f"{self.motion.dimension}; give shifts, points and normals as many coordinates"
            )

    @property
    def dimension(self) -> int:
        return self.shape.dimension

    @property
    def measure(self) -> float:
        return self.shape.measure * self.motion.scale**self.dimension

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The box around the image of the box of the shape; not always the smallest."""
        corners = np.array([self.motion.point(p) for p in product(*zip(*self.shape.bounding_box,
                                                                       strict=True))])  # fmt: skip
        return tuple(corners.min(axis=0).tolist()), tuple(corners.max(axis=0).tolist())

    @cached_property
    def pieces(self) -> Mapping[str, Piece]:
        return {
            name: piece.placed(self.motion)
            if isinstance(piece, PlanePiece)
            else MovedPiece(piece, self.motion)
            for name, piece in self.shape.pieces.items()
        }

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        if not self.motion.flips:
            return self.shape.corners
        return {name: (after, before) for name, (before, after) in self.shape.corners.items()}

    def signed_distance(self, X: Any) -> Any:
        """Return s times the distance of the shape where the point comes from, shape (n,)."""
        return self.motion.scale * self.shape.signed_distance(self.motion.pull(X))

    def from_unit_cube(self, unit: Array) -> Array:
        """Move the points of the shape."""
        return self.motion.points(self.shape.from_unit_cube(unit))

    def quadrature(self, n: int) -> Quadrature:
        """Return the image of the rule of the shape, of the same degree."""
        rule = self.shape.quadrature(n)
        weights = rule.weights * self.motion.scale**self.dimension
        return Quadrature(self.motion.points(rule.points), weights)

    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        if not leaves:
            return self.shape.boundary_factor(())
        own, place = self._symbols(None), self.motion.symbols(coordinates, inverse=True)
        factor = self.shape.boundary_factor(leaves, own)
        return sizes.exact(self.motion.scale) * factor.xreplace(dict(zip(own, place, strict=True)))

    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        own, place = self._symbols(None), self.motion.symbols(coordinates, inverse=True)
        there = dict(zip(coordinates, self.motion.symbols(own), strict=True))
        moved = {leaf: value.xreplace(there) for leaf, value in values.items()}
        try:
            extension = self.shape.boundary_extension(moved, own)
        except GeometryError as error:
            raise GeometryError(f"Moved: on the shape before its motion, {error}") from error
        return extension.xreplace(dict(zip(own, place, strict=True)))


def repeated(shape: Geometry, count: int, shift: tuple[float, ...]) -> Geometry:
    """Return the union of a shape and its copies, each shifted further; see `Geometry.repeat`."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise GeometryError(f"repeat: count must be a positive integer, got {count!r}")
    step = sizes.point("repeat", "shift", shift, shape.dimension)
    if not any(step):
        raise GeometryError("repeat: shift must not be zero, since all copies would coincide")

    def copies(first: int, last: int) -> Geometry:
        if last - first > 1:
            middle = (first + last + 1) // 2
            return copies(first, middle) | copies(middle, last)
        if first == 0:
            return shape
        return Moved(shape, Motion.translation(tuple(first * s for s in step)))

    return copies(0, count)
