"""The smallest pieces of a boundary: vertices, straight segments and circular arcs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from sciml.framework.errors import GeometryError

from . import boundary, sizes
from .boundary import BoundaryPoints
from .motion import Motion
from .quadrature import gauss_legendre

if TYPE_CHECKING:
    import sympy

Array = np.ndarray

# Points at which a piece is looked at past its end.
LOOKS = 9


class Piece(ABC):
    """One smooth piece of a boundary: the image of a unit cube, as a rule of dimension d - 1.

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

    @abstractmethod
    def kept(self, unit: Array) -> Array:
        """Return which unit points the piece is the image of, shape (n,).

        The others are where the map leaves the piece.
        """

    @abstractmethod
    def rule(self, n: int, part: str) -> BoundaryPoints:
        """Return a rule with about n points along each parameter.

        Raises
        ------
        GeometryError
            If the piece has none.
        """

    @abstractmethod
    def rim(self) -> Array:
        """Return points where the piece ends, shape (n, d) [m], to see what it meets."""

    @property
    def joined(self) -> bool:
        """Whether near unit points have near images, between which a picture may draw lines."""
        return True

    @final
    def at(self, unit: Array, shares: Array, part: str) -> BoundaryPoints:
        """Return the boundary points at unit points, weighted by shares that sum to one."""
        points, normals, curvatures = self.frame(unit)
        return boundary.make(points, normals, curvatures, shares * self.measure, part)


class PlanePiece(Piece):
    """A piece of the boundary of a shape of the plane, which can be cut, turned and moved."""

    @final
    def kept(self, unit: Array) -> Array:
        return np.ones(len(unit), dtype=bool)

    @final
    def rule(self, n: int, part: str) -> BoundaryPoints:
        """Return the Gauss-Legendre rule, exact to degree 2 n - 1 on straight pieces."""
        nodes, shares = gauss_legendre(n, 0.0, 1.0)
        if self.parameters == 0:
            return self.at(np.zeros((1, 0)), np.ones(1), part)
        return self.at(nodes[:, None], shares, part)

    @final
    def rim(self) -> Array:
        """Return the two ends."""
        return self.frame(np.array([[0.0], [1.0]]))[0]

    @final
    def goes_on(self, share: float, near: float) -> bool:
        """Return whether the piece past its end is the one from its start, up to a share of it.

        So it is on a circle, but not on a closed curve whose function has another period.
        """
        unit = np.linspace(0.0, share, LOOKS)[:, None]
        with np.errstate(invalid="ignore"):  # a function may end where the piece does
            gaps = np.abs(self.frame(1 + unit)[0] - self.frame(unit)[0])
        return bool(gaps.max() <= near)

    @abstractmethod
    def between(self, first: float, last: float) -> PlanePiece:
        """Return what lies between two unit parameters; `last` may pass 1 where it `goes_on`."""

    @abstractmethod
    def swept(self, center: Array) -> float:
        """Return the flux of x - c through the piece: twice the area its rays from c sweep [m^2].

        Positive counter-clockwise about c.
        """

    @abstractmethod
    def reversed(self) -> PlanePiece:
        """Return the same points as the boundary of what lies on the other side."""

    @abstractmethod
    def placed(self, motion: Motion) -> PlanePiece:
        """Return the image under a similarity map, with the image of the shape on its left."""

    @abstractmethod
    def side(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr:
        """Return a smooth f, zero on the whole line or curve the piece is cut from.

        Positive on the side of the shape, with a gradient of length one where it is zero.

        Raises
        ------
        GeometryError
            If the piece has none.
        """

    @abstractmethod
    def trim(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr | None:
        """Return a smooth t, positive on the piece, negative on the rest of its line or curve.

        None where there is no rest.
        """


@final
@dataclass(frozen=True)
class Vertex(PlanePiece):
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

    def between(self, first: float, last: float) -> Vertex:
        return self

    def swept(self, center: Array) -> float:
        return 0.0

    def reversed(self) -> Vertex:
        return Vertex(self.point, tuple(-n for n in self.normal))

    def placed(self, motion: Motion) -> Vertex:
        return Vertex(motion.point(self.point), motion.vector(self.normal))

    def side(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr:
        raise GeometryError(
            f"the vertex at {self.point} has no smooth function that vanishes there and nowhere "
            "else; name an edge"
        )

    def trim(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr | None:
        return None


@final
@dataclass(frozen=True)
class Segment(PlanePiece):
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

    def between(self, first: float, last: float) -> Segment:
        (ax, ay), (bx, by) = self.frame(np.array([[first], [last]]))[0]
        return Segment((float(ax), float(ay)), (float(bx), float(by)))

    def swept(self, center: Array) -> float:
        (ax, ay), (bx, by) = np.array([self.start, self.end]) - center
        return float(ax * by - bx * ay)

    def reversed(self) -> Segment:
        return Segment(self.end, self.start)

    def placed(self, motion: Motion) -> Segment:
        (ax, ay), (bx, by) = motion.point(self.start), motion.point(self.end)
        ends = (ax, ay), (bx, by)
        return Segment(*(ends[::-1] if motion.flips else ends))

    def side(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr:
        """Return the signed distance to the line."""
        (x, y), (ax, ay), _ = coordinates, *self._exact()
        normal = self.frame(np.zeros((1, 1)))[1][0]
        nx, ny = (sizes.exact(n) for n in normal)
        return -nx * (x - ax) - ny * (y - ay)

    def trim(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr | None:
        """Return (L^2/4 - |x - m|^2) / L with the length L and the middle m."""
        (x, y), (ax, ay), (bx, by) = coordinates, *self._exact()
        length = sizes.exact(self.measure)
        away = (x - (ax + bx) / 2) ** 2 + (y - (ay + by) / 2) ** 2
        return length / 4 - away / length

    def _exact(self) -> Sequence[Sequence[sympy.Rational]]:
        return [list(map(sizes.exact, p)) for p in (self.start, self.end)]


@final
@dataclass(frozen=True)
class Arc(PlanePiece):
    """A circular arc with the shape on its left.

    Counter-clockwise (first < last) the shape lies on the side of the centre and the curvature is
    positive; clockwise (last < first) it lies outside the circle, as around a hole.

    Parameters
    ----------
    center
        Centre of the circle [m].
    radius
        Radius, positive [m].
    first, last
        Polar angles of the ends [rad], at most 2 pi apart.
    """

    center: tuple[float, float]
    radius: float
    first: float = 0.0
    last: float = 2 * math.pi

    @property
    def measure(self) -> float:
        return self.radius * abs(self.last - self.first)

    @property
    def parameters(self) -> int:
        return 1

    @property
    def turn(self) -> float:
        """1 counter-clockwise, -1 clockwise."""
        return math.copysign(1.0, self.last - self.first)

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        angle = self.first + (self.last - self.first) * unit[:, 0]
        radial = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        points = np.array(self.center) + self.radius * radial
        return points, self.turn * radial, np.full(len(unit), self.turn / self.radius)

    def between(self, first: float, last: float) -> Arc:
        span = self.last - self.first
        return Arc(self.center, self.radius, self.first + span * first, self.first + span * last)

    def swept(self, center: Array) -> float:
        """Return R (R (t2 - t1) + (m - c) . (sin t2 - sin t1, cos t1 - cos t2))."""
        x, y = np.array(self.center) - center
        across = math.sin(self.last) - math.sin(self.first)
        up = math.cos(self.first) - math.cos(self.last)
        return float(self.radius * (self.radius * (self.last - self.first) + x * across + y * up))

    def reversed(self) -> Arc:
        return Arc(self.center, self.radius, self.last, self.first)

    def placed(self, motion: Motion) -> Arc:
        ends = motion.turned(self.first), motion.turned(self.last)
        first, last = ends[::-1] if motion.flips else ends
        x, y = motion.point(self.center)
        return Arc((x, y), motion.scale * self.radius, first, last)

    def side(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr:
        """Return (R^2 - |x - c|^2) / (2 R), or its negative around a hole."""
        (x, y), (cx, cy), r = coordinates, map(sizes.exact, self.center), sizes.exact(self.radius)
        return int(self.turn) * (r**2 - (x - cx) ** 2 - (y - cy) ** 2) / (2 * r)

    def trim(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr | None:
        """Return the signed distance to the chord, positive on the side of the arc."""
        half, middle = abs(self.last - self.first) / 2, (self.first + self.last) / 2
        if half >= math.pi * (1 - 1e-12):
            return None
        (x, y), (cx, cy), r = coordinates, map(sizes.exact, self.center), sizes.exact(self.radius)
        c, s, chord = map(sizes.exact, (math.cos(middle), math.sin(middle), math.cos(half)))
        return (x - cx) * c + (y - cy) * s - r * chord
