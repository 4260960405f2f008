"""The interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from . import sizes
from .geometry import Geometry
from .pieces import Piece, Vertex
from .quadrature import Quadrature, gauss_legendre

if TYPE_CHECKING:
    import sympy

Array = np.ndarray


@final
@dataclass(frozen=True)
class Interval(Geometry):
    """The interval lower <= x <= upper, with parts ``left`` and ``right``.

    Parameters
    ----------
    lower, upper
        Ends [m], lower < upper.

    Raises
    ------
    GeometryError
        If the ends are not finite or not in order.

    Examples
    --------
    >>> Interval(0, 2).boundary_factor()
    x*(2 - x)/2
    """

    lower: float
    upper: float

    def __post_init__(self) -> None:
        lower = sizes.finite("Interval", "lower", self.lower)
        upper = sizes.finite("Interval", "upper", self.upper)
        if not sizes.below(lower, upper):
            raise GeometryError(f"Interval: lower must be below upper, got {lower} and {upper}")
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)

    @property
    def dimension(self) -> int:
        return 1

    @property
    def measure(self) -> float:
        return self.upper - self.lower

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return (self.lower,), (self.upper,)

    @property
    def pieces(self) -> Mapping[str, Piece]:
        return {
            "left": Vertex((self.lower,), (-1.0,)),
            "right": Vertex((self.upper,), (1.0,)),
        }

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {}

    def signed_distance(self, X: Any) -> Any:
        """Return max(lower - x, x - upper), shape (n,)."""
        return framework.maximum(self.lower - X[:, 0], X[:, 0] - self.upper)

    def from_unit_cube(self, unit: Array) -> Array:
        """Map (0, 1) to the interval."""
        return np.clip((1 - unit) * self.lower + unit * self.upper, self.lower, self.upper)

    def quadrature(self, n: int) -> Quadrature:
        """Return the Gauss-Legendre rule with n points."""
        nodes, weights = gauss_legendre(n, self.lower, self.upper)
        return Quadrature(nodes[:, None], weights)

    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        import sympy

        (x,) = coordinates
        lower, upper = sizes.exact(self.lower), sizes.exact(self.upper)
        distance = {"left": x - lower, "right": upper - x}
        scale = (upper - lower) ** (len(leaves) - 1) if leaves else 1
        return sympy.prod(distance[leaf] for leaf in leaves) / scale

    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        (x,) = coordinates
        lower, upper = sizes.exact(self.lower), sizes.exact(self.upper)
        first, last = values["left"].subs(x, lower), values["right"].subs(x, upper)
        return first + (last - first) * (x - lower) / (upper - lower)
