"""The rectangle with sides along the axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from . import sizes
from .distances import to_box
from .geometry import Geometry
from .pieces import PlanePiece, Segment, Vertex
from .quadrature import Quadrature, gauss_legendre

if TYPE_CHECKING:
    import sympy

Array = np.ndarray


@final
@dataclass(frozen=True)
class Rectangle(Geometry):
    """The rectangle x0 <= x <= x1, y0 <= y <= y1.

    Parts: ``edges.left``, ``edges.right``, ``edges.bottom``, ``edges.top`` and the corners
    ``corners.bottom_left``, ``corners.bottom_right``, ``corners.top_right``, ``corners.top_left``.

    Parameters
    ----------
    lower, upper
        Corners (x0, y0) and (x1, y1) [m], x0 < x1 and y0 < y1.

    Raises
    ------
    GeometryError
        If a number is not finite or a side is not positive.

    Examples
    --------
    >>> plate = Rectangle((0, 0), (2, 1))
    >>> plate.boundary_factor("edges.left"), plate.boundary_measure("edges")
    (x, 6.0)
    """

    lower: tuple[float, float] = (0.0, 0.0)
    upper: tuple[float, float] = (1.0, 1.0)

    def __post_init__(self) -> None:
        lower = sizes.point("Rectangle", "lower", self.lower, 2)
        upper = sizes.point("Rectangle", "upper", self.upper, 2)
        if not all(sizes.below(a, b) for a, b in zip(lower, upper, strict=True)):
            raise GeometryError(
                f"Rectangle: lower must be below upper in x and y, got {lower} and {upper}"
            )
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)

    @property
    def dimension(self) -> int:
        return 2

    @property
    def sides(self) -> tuple[float, float]:
        """Lengths along x and y [m]."""
        return self.upper[0] - self.lower[0], self.upper[1] - self.lower[1]

    @property
    def measure(self) -> float:
        return math.prod(self.sides)

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return self.lower, self.upper

    @property
    def pieces(self) -> Mapping[str, PlanePiece]:
        (x0, y0), (x1, y1) = self.lower, self.upper
        h = math.sqrt(0.5)
        return {
            "edges.left": Segment((x0, y1), (x0, y0)),
            "edges.bottom": Segment((x0, y0), (x1, y0)),
            "edges.right": Segment((x1, y0), (x1, y1)),
            "edges.top": Segment((x1, y1), (x0, y1)),
            "corners.bottom_left": Vertex((x0, y0), (-h, -h)),
            "corners.bottom_right": Vertex((x1, y0), (h, -h)),
            "corners.top_right": Vertex((x1, y1), (h, h)),
            "corners.top_left": Vertex((x0, y1), (-h, h)),
        }

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {
            "corners.bottom_left": ("edges.left", "edges.bottom"),
            "corners.bottom_right": ("edges.bottom", "edges.right"),
            "corners.top_right": ("edges.right", "edges.top"),
            "corners.top_left": ("edges.top", "edges.left"),
        }

    def signed_distance(self, X: Any) -> Any:
        """Return the exact distance, rounded at the outer corners, shape (n,)."""
        dx = framework.maximum(self.lower[0] - X[:, 0], X[:, 0] - self.upper[0])
        dy = framework.maximum(self.lower[1] - X[:, 1], X[:, 1] - self.upper[1])
        return to_box(dx, dy)

    def from_unit_cube(self, unit: Array) -> Array:
        """Stretch the unit square."""
        lower, upper = np.array(self.lower, dtype=float), np.array(self.upper, dtype=float)
        return np.asarray(np.clip((1 - unit) * lower + unit * upper, lower, upper))

    def quadrature(self, n: int) -> Quadrature:
        """Return the tensor product of two Gauss-Legendre rules with n points."""
        x, wx = gauss_legendre(n, self.lower[0], self.upper[0])
        y, wy = gauss_legendre(n, self.lower[1], self.upper[1])
        points = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
        return Quadrature(points, np.outer(wx, wy).reshape(-1))

    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        """Multiply one factor per direction; the larger of their maxima scales the product.

        One direction alone has unit normal derivative on its edges. A product of two vanishes with
        all first derivatives at the corners, and has at most unit normal derivative elsewhere.
        """
        import sympy

        factors, maxima = [], []
        names = (("edges.left", "edges.right"), ("edges.bottom", "edges.top"))
        for axis, (first, last) in enumerate(names):
            t = coordinates[axis]
            low, high = sizes.exact(self.lower[axis]), sizes.exact(self.upper[axis])
            side = high - low
            if first in leaves and last in leaves:
                factors.append((t - low) * (high - t) / side)
                maxima.append(side / 4)
            elif first in leaves or last in leaves:
                factors.append(t - low if first in leaves else high - t)
                maxima.append(side)
        if not factors:
            return sympy.Integer(1)
        scale = max(maxima) if len(factors) == 2 else 1
        return sympy.prod(factors) / scale

    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        """Blend the edge values by the Boolean sum P_x + P_y - P_x P_y.

        References
        ----------
        Gordon and Hall (1973), Transfinite element methods, equation 2.4.
        """
        self._check_corners(values, coordinates)
        along_x = self._blend(0, values, coordinates)
        along_y = self._blend(1, values, coordinates)
        if along_x is None or along_y is None:
            return along_x if along_y is None else along_y
        traces = {
            leaf: along_x.subs(coordinates[1], sizes.exact(y))
            for leaf, y in (("edges.bottom", self.lower[1]), ("edges.top", self.upper[1]))
            if leaf in values
        }
        return along_x + along_y - self._blend(1, traces, coordinates)

    def _blend(
        self, axis: int, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr | None:
        """Interpolate linearly between the two edges across an axis; None if neither is given."""
        t = coordinates[axis]
        low, high = sizes.exact(self.lower[axis]), sizes.exact(self.upper[axis])
        first, last = (("edges.left", "edges.right"), ("edges.bottom", "edges.top"))[axis]
        start = values[first].subs(t, low) if first in values else None
        end = values[last].subs(t, high) if last in values else None
        if start is None or end is None:
            return end if start is None else start
        share = (t - low) / (high - low)
        return (1 - share) * start + share * end

    def _check_corners(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> None:
        for corner, (before, after) in self.corners.items():
            if before in values and after in values:
                vertex = self.pieces[corner]
                assert isinstance(vertex, Vertex)
                place = dict(zip(coordinates, map(sizes.exact, vertex.point), strict=True))
                jump = (values[before] - values[after]).subs(place)
                if jump.is_number and abs(float(jump)) > 1e-12:
                    raise GeometryError(
                        f"Rectangle: the values on {before!r} and {after!r} differ by "
                        f"{float(jump):g} at {corner!r}, so no smooth function takes both; make "
                        "them agree there, or impose one of them softly"
                    )
