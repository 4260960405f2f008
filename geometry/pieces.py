"""The smallest pieces of a boundary: vertices, straight segments and circular arcs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from . import boundary
from .boundary import BoundaryPoints

Array = np.ndarray


class Piece(ABC):
    """One smooth piece of a boundary: the image of a unit cube of dimension d - 1.

    The map keeps ratios of measure, so that even points of the cube are even on the piece.
    """

    @property
    @abstractmethod
    def measure(self) -> float:
        """Measure of the piece in dimension d - 1 [m^(d-1)]."""

    @property
    @abstractmethod
    def parameters(self) -> int:
        """Dimension of the unit cube the piece is the image of."""

    @abstractmethod
    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        """Return points (n, d), outward unit normals (n, d), curvatures (n,) at unit points."""

    @final
    def at(self, unit: Array, shares: Array, part: str) -> BoundaryPoints:
        """Return the boundary points at unit points, weighted by shares that sum to one."""
        points, normals, curvatures = self.frame(unit)
        return boundary.make(points, normals, curvatures, shares * self.measure, part)


@final
@dataclass(frozen=True)
class Vertex(Piece):
    """A point with a normal: an end of an interval (measure 1) or a corner (measure 0)."""

    point: tuple[float, ...]
    normal: tuple[float, ...]

    @property
    def measure(self) -> float:
        return 1.0 if len(self.point) == 1 else 0.0

    @property
    def parameters(self) -> int:
        return 0

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        count = len(unit)
        return (
            np.tile(np.array(self.point), (count, 1)),
            np.tile(np.array(self.normal), (count, 1)),
            np.zeros(count),
        )


@final
@dataclass(frozen=True)
class Segment(Piece):
    """A straight edge from start to end with the shape on its left; the normal points right."""

    start: tuple[float, float]
    end: tuple[float, float]

    @property
    def measure(self) -> float:
        return math.hypot(self.end[0] - self.start[0], self.end[1] - self.start[1])

    @property
    def parameters(self) -> int:
        return 1

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        start, end = np.array(self.start), np.array(self.end)
        points = (1 - unit) * start + unit * end
        # A coordinate shared by both ends is exact: rounding must not move points off the edge.
        points = np.where(start == end, start, points)
        normal = np.array([end[1] - start[1], start[0] - end[0]]) / self.measure + 0.0
        return points, np.tile(normal, (len(unit), 1)), np.zeros(len(unit))


@final
@dataclass(frozen=True)
class Arc(Piece):
    """A circular arc, counter-clockwise, with the shape on the side of the centre.

    Parameters
    ----------
    center
        Centre of the circle [m].
    radius
        Radius, positive [m].
    first, last
        Polar angles of the ends [rad], first < last <= first + 2 pi.
    """

    center: tuple[float, float]
    radius: float
    first: float = 0.0
    last: float = 2 * math.pi

    @property
    def measure(self) -> float:
        return self.radius * (self.last - self.first)

    @property
    def parameters(self) -> int:
        return 1

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        angle = self.first + (self.last - self.first) * unit[:, 0]
        normals = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        points = np.array(self.center) + self.radius * normals
        return points, normals, np.full(len(unit), 1 / self.radius)
