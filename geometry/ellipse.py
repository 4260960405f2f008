"""The ellipse."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

import sciml.framework as framework

from . import sizes
from .curve import EllipticArc
from .disk import Disk
from .motion import Motion
from .pieces import PlanePiece
from .plane_shape import PlaneShape
from .quadrature import Quadrature

Array = np.ndarray

# Newton steps to the nearest point: enough for rounding where a half axis is 100 times the other.
STEPS = 14


@final
@dataclass(frozen=True)
class Ellipse(PlaneShape):
    """The ellipse (x / a)^2 + (y / b)^2 <= 1 on its axes, with the part ``ellipse``.

    Parameters
    ----------
    center
        Centre [m].
    radii
        Half axes (a, b) [m], positive.
    angle
        Angle of the first axis to x [rad].

    Raises
    ------
    GeometryError
        If a number is not finite or a half axis is not positive.

    Examples
    --------
    >>> round(Ellipse((0, 0), (2, 1)).boundary_measure(), 10)
    9.6884482205
    """

    center: tuple[float, float] = (0.0, 0.0)
    radii: tuple[float, float] = (1.0, 0.5)
    angle: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", sizes.point("Ellipse", "center", self.center, 2))
        radii = sizes.point("Ellipse", "radii", self.radii, 2)
        for i, radius in enumerate(radii):
            sizes.positive("Ellipse", f"radii[{i}]", radius)
        object.__setattr__(self, "radii", radii)
        object.__setattr__(self, "angle", sizes.finite("Ellipse", "angle", self.angle))

    @property
    def measure(self) -> float:
        return math.pi * math.prod(self.radii)

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        (a, b), (c, s) = self.radii, (math.cos(self.angle), math.sin(self.angle))
        dx, dy = math.hypot(a * c, b * s), math.hypot(a * s, b * c)
        x, y = self.center
        return (x - dx, y - dy), (x + dx, y + dy)

    @cached_property
    def pieces(self) -> Mapping[str, PlanePiece]:
        return {"ellipse": EllipticArc(self.center, self.radii, self.angle)}

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {}

    def signed_distance(self, X: Any) -> Any:
        """Return the exact distance s sqrt((x / (s + a^2))^2 + (y / (s + b^2))^2), shape (n,).

        The nearest point is (a^2 x / (s + a^2), b^2 y / (s + b^2)) with the largest root s of
        G(s) = (a x / (s + a^2))^2 + (b y / (s + b^2))^2 = 1. Newton's method on G^(-1/2) = 1, a
        concave function, rises to the root from where the larger term of G is one.

        References
        ----------
        Eberly (2013), Distance from a point to an ellipse, section 2.9; More and Sorensen (1983),
        Computing a trust region step, section 3.
        """
        local = self._motion.pull(X)
        size = min(self.radii)  # all lengths in units of the smaller half axis
        a, b = (r / size for r in self.radii)
        # Off the axes by a hair, so that no quotient is 0 / 0 on them.
        x = framework.maximum(framework.abs(local[:, 0] / size), sizes.TINY)
        y = framework.maximum(framework.abs(local[:, 1] / size), sizes.TINY)
        # The unknown is r = s + 1, so that nothing cancels near the centre.
        wide, high = a * a - 1, b * b - 1
        root = framework.maximum(a * x - wide, b * y - high)
        for _ in range(STEPS):
            u, v = root + wide, root + high
            p, q = a * x / u, b * y / v
            square = p * p + q * q
            slope = p * p / u + q * q / v
            root = root + square * (framework.sqrt(square) - 1.0) / slope
        p, q = x / (root + wide), y / (root + high)
        return size * (root - 1.0) * framework.sqrt(p * p + q * q)

    def from_unit_cube(self, unit: Array) -> Array:
        """Stretch the unit disk."""
        return self._motion.points(Disk().from_unit_cube(unit) * np.array(self.radii))

    def quadrature(self, n: int) -> Quadrature:
        """Return the stretched rule of the unit disk, of the same degree."""
        rule = Disk().quadrature(n)
        points = self._motion.points(rule.points * np.array(self.radii))
        return Quadrature(points, rule.weights * math.prod(self.radii))

    @property
    def _motion(self) -> Motion:
        return Motion.plane((math.cos(self.angle), math.sin(self.angle)), shift=self.center)
