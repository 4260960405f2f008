"""The disk."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from . import sizes
from .distances import length
from .geometry import Geometry
from .pieces import Arc, PlanePiece
from .quadrature import Quadrature, from_polar, ring

if TYPE_CHECKING:
    import sympy

Array = np.ndarray


@final
@dataclass(frozen=True)
class Disk(Geometry):
    """The disk (x - c_x)^2 + (y - c_y)^2 <= R^2, with the part ``circle``.

    Parameters
    ----------
    center
        Centre (c_x, c_y) [m].
    radius
        Radius R [m], positive.

    Raises
    ------
    GeometryError
        If a number is not finite or the radius is not positive.

    Examples
    --------
    >>> Disk((0, 0), 2).boundary_factor()
    -x**2/4 - y**2/4 + 1
    """

    center: tuple[float, float] = (0.0, 0.0)
    radius: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", sizes.point("Disk", "center", self.center, 2))
        object.__setattr__(self, "radius", sizes.positive("Disk", "radius", self.radius))

    @property
    def dimension(self) -> int:
        return 2

    @property
    def measure(self) -> float:
        return math.pi * self.radius**2

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        (x, y), r = self.center, self.radius
        return (x - r, y - r), (x + r, y + r)

    @property
    def pieces(self) -> Mapping[str, PlanePiece]:
        return {"circle": Arc(self.center, self.radius)}

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {}

    def signed_distance(self, X: Any) -> Any:
        """Return sqrt((x - c_x)^2 + (y - c_y)^2) - R, shape (n,)."""
        dx, dy = X[:, 0] - self.center[0], X[:, 1] - self.center[1]
        return length(dx * dx + dy * dy) - self.radius

    def from_unit_cube(self, unit: Array) -> Array:
        """Map the square by concentric squares to concentric circles.

        References
        ----------
        Shirley and Chiu (1997), A low distortion map between disk and square.
        """
        a, b = 2 * unit[:, 0] - 1, 2 * unit[:, 1] - 1
        wide = np.abs(a) > np.abs(b)
        rho = np.where(wide, a, b)
        divisor = np.where(rho == 0, 1.0, rho)
        angle = np.where(wide, math.pi / 4 * b / divisor, math.pi / 2 - math.pi / 4 * a / divisor)
        # Room for the rounding of the two additions below, so that no point lands outside.
        rounding = 8 * np.finfo(float).eps * (1 + math.hypot(*self.center) / self.radius)
        shrink = max(0.0, 1 - rounding)
        radius = self.radius * shrink * rho
        return from_polar(self.center, radius, angle)

    def quadrature(self, n: int) -> Quadrature:
        """Return n Gauss-Legendre radii times 2 n equal angles.

        Exact for polynomials of degree 2 n - 2 (the factor r of the area takes one degree), and
        for odd terms by symmetry of degree 2 n - 1.
        """
        return ring(n, self.center, 0.0, self.radius)

    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        import sympy

        if not leaves:
            return sympy.Integer(1)
        x, y = coordinates
        (cx, cy), r = map(sizes.exact, self.center), sizes.exact(self.radius)
        return (r**2 - (x - cx) ** 2 - (y - cy) ** 2) / (2 * r)

    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        return values["circle"]
