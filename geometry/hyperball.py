"""The ball in any dimension."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, final

import numpy as np

from sciml.framework.errors import GeometryError

from . import sizes, spheres
from .distances import length
from .geometry import Geometry
from .pieces import Piece
from .quadrature import Quadrature
from .surface_pieces import Sphere

if TYPE_CHECKING:
    import sympy

Array = np.ndarray


@final
@dataclass(frozen=True)
class Hyperball(Geometry):
    """The ball |x - c| <= R in d >= 2 dimensions, with the part ``sphere``.

    Parameters
    ----------
    center
        Centre c [m]; its number of coordinates is d.
    radius
        Radius R [m], positive.

    Raises
    ------
    GeometryError
        If there are fewer than two coordinates, a number is not finite or the radius is not
        positive.

    Examples
    --------
    >>> ball = Hyperball((0,) * 100, 3)
    >>> ball.sample_interior(1000).shape
    (1000, 100)
    """

    center: tuple[float, ...]
    radius: float = 1.0

    def __post_init__(self) -> None:
        try:
            count = len(self.center)
        except TypeError:
            raise GeometryError(
                "Hyperball: center must be a list of numbers, for example (0, 0, 0, 0), got "
                f"{self.center!r}"
            ) from None
        if count < 2:
            raise GeometryError(
                f"Hyperball: center needs at least 2 coordinates, got {count}; take an Interval"
            )
        object.__setattr__(self, "center", sizes.point("Hyperball", "center", self.center, count))
        object.__setattr__(self, "radius", sizes.positive("Hyperball", "radius", self.radius))

    @property
    def dimension(self) -> int:
        return len(self.center)

    @property
    def measure(self) -> float:
        d = self.dimension
        return spheres.area(d) * self.radius**d / d

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        r = self.radius
        return tuple(c - r for c in self.center), tuple(c + r for c in self.center)

    @property
    def pieces(self) -> Mapping[str, Piece]:
        return {"sphere": Sphere(self.center, self.radius)}

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {}

    def signed_distance(self, X: Any) -> Any:
        """Return |x - c| - R, shape (n,)."""
        away = [X[:, i] - c for i, c in enumerate(self.center)]
        return length(reduce(operator.add, [a * a for a in away])) - self.radius

    def from_unit_cube(self, unit: Array) -> Array:
        """Map to (r^d, direction), both even over the volume."""
        # Room for the rounding of the additions, so that no point lands outside.
        most = max(map(abs, self.center))
        rounding = 8 * np.finfo(float).eps * (1 + most / self.radius) * self.dimension**0.5
        radius = self.radius * max(0.0, 1 - rounding) * unit[:, :1] ** (1 / self.dimension)
        return np.asarray(np.array(self.center) + radius * spheres.directions(unit[:, 1:]))

    def quadrature(self, n: int) -> Quadrature:
        """Return n Gauss-Jacobi radii times the rule of `spheres.rule`, exact to degree 2 n - 1."""
        from scipy.special import roots_jacobi

        directions, shares = spheres.rule(n, self.dimension)
        nodes, weights = roots_jacobi(n, 0, self.dimension - 1)
        radii = self.radius * (1 + nodes) / 2
        points = np.array(self.center) + (radii[:, None, None] * directions).reshape(
            -1, self.dimension
        )
        return Quadrature(points, self.measure * np.outer(weights / weights.sum(), shares).ravel())

    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        import sympy

        if not leaves:
            return sympy.Integer(1)
        r = sizes.exact(self.radius)
        away = [(x - sizes.exact(c)) ** 2 for x, c in zip(coordinates, self.center, strict=True)]
        return (r**2 - sympy.Add(*away)) / (2 * r)

    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        return values["sphere"]
