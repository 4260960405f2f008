"""Pieces of the boundaries of boxes and balls, in any dimension."""

from __future__ import annotations

import math
from abc import ABC
from dataclasses import dataclass
from itertools import product
from typing import final

import numpy as np

from . import boundary, spheres
from .boundary import BoundaryPoints
from .pieces import Piece
from .quadrature import box_rule
from .samplers import unit_points

Array = np.ndarray

# Points on each end of a piece, where one looks at what it meets.
RIM_POINTS = 32


class SurfacePiece(Piece, ABC):
    """A piece that the whole unit cube is mapped to."""

    @final
    def kept(self, unit: Array) -> Array:
        return np.ones(len(unit), dtype=bool)

    @final
    def rim(self) -> Array:
        """Return the images of points on the faces of the unit cube."""
        inside = unit_points("halton", RIM_POINTS, (1.0,) * self.parameters, 0)
        ends = []
        for i, end in product(range(self.parameters), (0.0, 1.0)):
            ends.append(inside.copy())
            ends[-1][:, i] = end
        return self.frame(np.concatenate(ends))[0]


@final
@dataclass(frozen=True)
class Facet(SurfacePiece):
    """The face of a box with sides along the axes at the lower or upper end of one axis.

    Parameters
    ----------
    lower, upper
        Corners of the box [m], d >= 2.
    axis
        Index of the axis across the face.
    above
        Whether the face lies at the upper end.
    """

    lower: tuple[float, ...]
    upper: tuple[float, ...]
    axis: int
    above: bool

    @property
    def measure(self) -> float:
        sides = (b - a for a, b in zip(self.lower, self.upper, strict=True))
        return math.prod(side for i, side in enumerate(sides) if i != self.axis)

    @property
    def parameters(self) -> int:
        return len(self.lower) - 1

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        lower, upper = np.array(self.lower), np.array(self.upper)
        whole = np.insert(unit, self.axis, float(self.above), axis=1)
        points = np.clip((1 - whole) * lower + whole * upper, lower, upper)
        normals = np.zeros(points.shape)
        normals[:, self.axis] = 1.0 if self.above else -1.0
        return points, normals, np.zeros(len(unit))

    def rule(self, n: int, part: str) -> BoundaryPoints:
        """Return the tensor product of Gauss-Legendre rules, exact to degree 2 n - 1."""
        unit = box_rule(n, (0.0,) * self.parameters, (1.0,) * self.parameters)
        return self.at(unit.points, unit.weights, part)


@final
@dataclass(frozen=True)
class Sphere(SurfacePiece):
    """The sphere |x - c| = R around a ball.

    Parameters
    ----------
    center
        Centre c [m], d >= 2 coordinates.
    radius
        Radius R [m], positive.
    """

    center: tuple[float, ...]
    radius: float

    @property
    def measure(self) -> float:
        d = len(self.center)
        return spheres.area(d) * self.radius ** (d - 1)

    @property
    def parameters(self) -> int:
        return len(self.center) - 1

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        return self._along(spheres.directions(unit))

    def rule(self, n: int, part: str) -> BoundaryPoints:
        """Return the product rule of `spheres.rule`, exact to degree 2 n - 1."""
        directions, shares = spheres.rule(n, len(self.center))
        return boundary.make(*self._along(directions), shares * self.measure, part)

    def _along(self, directions: Array) -> tuple[Array, Array, Array]:
        bend = (len(self.center) - 1) / self.radius
        points = np.array(self.center) + self.radius * directions
        return points, directions, np.full(len(directions), bend)
