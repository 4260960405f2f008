"""The circular sector."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from . import sizes
from .distances import length
from .pieces import Arc, PlanePiece, Segment, Vertex
from .plane_shape import PlaneShape
from .quadrature import Quadrature, from_polar

Array = np.ndarray


@final
@dataclass(frozen=True)
class Sector(PlaneShape):
    """The points at most R from a tip, with polar angles from first to last around it.

    Parts: ``arc``, ``edges.first``, ``edges.last``, and the corners ``corners.tip``,
    ``corners.first``, ``corners.last``.

    Parameters
    ----------
    center
        The tip [m].
    radius
        Radius R [m], positive.
    first, last
        Polar angles of the edges [rad], first < last < first + 2 pi.

    Raises
    ------
    GeometryError
        If a number is not finite, the radius is not positive or the angles are not in order.

    Examples
    --------
    >>> Sector((0, 0), 2, 0, 1.5).measure
    3.0
    """

    center: tuple[float, float] = (0.0, 0.0)
    radius: float = 1.0
    first: float = 0.0
    last: float = math.pi / 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", sizes.point("Sector", "center", self.center, 2))
        object.__setattr__(self, "radius", sizes.positive("Sector", "radius", self.radius))
        object.__setattr__(self, "first", sizes.finite("Sector", "first", self.first))
        object.__setattr__(self, "last", sizes.finite("Sector", "last", self.last))
        if not 0 < self.last - self.first < 2 * math.pi:
            raise GeometryError(
                "Sector: the angle from first to last must lie between 0 and 2 pi, got "
                f"{self.last - self.first}; take a Disk for the full circle"
            )

    @property
    def measure(self) -> float:
        return self.radius**2 * (self.last - self.first) / 2

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        quarters = range(
            math.ceil(self.first / (math.pi / 2)), math.floor(self.last / (math.pi / 2)) + 1
        )
        # The extreme points of the circle, with the zeros that rounding would take away.
        extremes = [((1, 0), (0, 1), (-1, 0), (0, -1))[k % 4] for k in quarters]
        (cx, cy), r = self.center, self.radius
        xs, ys = zip(self.center, self._end(self.first), self._end(self.last),
                     *[(cx + r * a, cy + r * b) for a, b in extremes], strict=True)  # fmt: skip
        return (min(xs), min(ys)), (max(xs), max(ys))

    @property
    def pieces(self) -> Mapping[str, PlanePiece]:
        start, end = self._end(self.first), self._end(self.last)
        edges: dict[str, PlanePiece] = {
            "edges.first": Segment(self.center, start),
            "arc": Arc(self.center, self.radius, self.first, self.last),
            "edges.last": Segment(end, self.center),
        }
        middle = (self.first + self.last) / 2
        radial = (math.cos(middle), math.sin(middle))
        sides = [(self.first, -math.pi / 4), (self.last, math.pi / 4)]
        out = [(math.cos(angle + turn), math.sin(angle + turn)) for angle, turn in sides]
        return {
            **edges,
            "corners.tip": Vertex(self.center, (-radial[0], -radial[1])),
            "corners.first": Vertex(start, out[0]),
            "corners.last": Vertex(end, out[1]),
        }

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {
            "corners.tip": ("edges.last", "edges.first"),
            "corners.first": ("edges.first", "arc"),
            "corners.last": ("arc", "edges.last"),
        }

    def signed_distance(self, X: Any) -> Any:
        """Return the larger of the distances to the circle and to the edges, exact, shape (n,)."""
        middle, half = (self.first + self.last) / 2, (self.last - self.first) / 2
        dx, dy = X[:, 0] - self.center[0], X[:, 1] - self.center[1]
        along = math.cos(middle) * dx + math.sin(middle) * dy
        across = framework.abs(math.cos(middle) * dy - math.sin(middle) * dx)
        c, s = math.cos(half), math.sin(half)
        share = framework.minimum(framework.maximum(c * along + s * across, 0.0), self.radius)
        side_x, side_y = along - c * share, across - s * share
        edge = length(side_x * side_x + side_y * side_y) - sizes.TINY
        outside = framework.where(c * across - s * along > 0, 1.0, -1.0)
        radius = length(along * along + across * across)
        return framework.maximum(radius - self.radius, outside * edge)

    def from_unit_cube(self, unit: Array) -> Array:
        """Map to (r^2, angle), both even over the area."""
        angle = (1 - unit[:, 1]) * self.first + unit[:, 1] * self.last
        return from_polar(self.center, self.radius * np.sqrt(unit[:, 0]), angle)

    def quadrature(self, n: int) -> Quadrature:
        """Refuse: monomials integrate to sines of the angles, which no Gauss rule gives exactly."""
        raise GeometryError(
            "Sector: no Gauss rule is exact for polynomials on it; use 'sample_interior' or "
            f"boundary integrals (asked for n = {n})"
        )

    def _end(self, angle: float) -> tuple[float, float]:
        return (
            self.center[0] + self.radius * math.cos(angle),
            self.center[1] + self.radius * math.sin(angle),
        )
