"""The annulus."""

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
from .pieces import Arc, PlanePiece
from .plane_shape import PlaneShape
from .quadrature import Quadrature, from_polar, ring

Array = np.ndarray


@final
@dataclass(frozen=True)
class Annulus(PlaneShape):
    """The ring R_i <= |x - c| <= R_o, with the parts ``outer`` and ``inner``.

    Parameters
    ----------
    center
        Centre c [m].
    inner_radius, outer_radius
        Radii [m], 0 < R_i < R_o.

    Raises
    ------
    GeometryError
        If a number is not finite or the radii are not positive and in order.

    Examples
    --------
    >>> round(Annulus((0, 0), 1, 2).boundary_measure("inner"), 10)
    6.2831853072
    """

    center: tuple[float, float] = (0.0, 0.0)
    inner_radius: float = 0.5
    outer_radius: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", sizes.point("Annulus", "center", self.center, 2))
        inner = sizes.positive("Annulus", "inner_radius", self.inner_radius)
        outer = sizes.positive("Annulus", "outer_radius", self.outer_radius)
        if not sizes.below(inner, outer):
            raise GeometryError(
                f"Annulus: inner_radius must be below outer_radius, got {inner} and {outer}"
            )
        object.__setattr__(self, "inner_radius", inner)
        object.__setattr__(self, "outer_radius", outer)

    @property
    def measure(self) -> float:
        inner, outer = self.inner_radius, self.outer_radius
        return math.pi * (outer - inner) * (outer + inner)

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        (x, y), r = self.center, self.outer_radius
        return (x - r, y - r), (x + r, y + r)

    @property
    def pieces(self) -> Mapping[str, PlanePiece]:
        return {
            "outer": Arc(self.center, self.outer_radius),
            "inner": Arc(self.center, self.inner_radius, 2 * math.pi, 0.0),
        }

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {}

    def signed_distance(self, X: Any) -> Any:
        """Return max(R_i - |x - c|, |x - c| - R_o), exact, shape (n,)."""
        dx, dy = X[:, 0] - self.center[0], X[:, 1] - self.center[1]
        radius = length(dx * dx + dy * dy)
        return framework.maximum(self.inner_radius - radius, radius - self.outer_radius)

    def from_unit_cube(self, unit: Array) -> Array:
        """Map to (r^2, angle), both even over the area."""
        low, high = self.inner_radius**2, self.outer_radius**2
        return from_polar(
            self.center, np.sqrt((1 - unit[:, 0]) * low + unit[:, 0] * high),
            2 * math.pi * unit[:, 1],
        )  # fmt: skip

    def quadrature(self, n: int) -> Quadrature:
        """Return n Gauss-Legendre radii times 2 n equal angles, exact to degree 2 n - 1."""
        return ring(n, self.center, self.inner_radius, self.outer_radius)
