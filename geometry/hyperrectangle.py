"""The box with sides along the axes, in any dimension."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from . import sizes, transfinite
from .distances import to_box
from .geometry import Geometry
from .pieces import Piece
from .quadrature import Quadrature, box_rule
from .samplers import unit_points
from .surface_pieces import Facet

if TYPE_CHECKING:
    import sympy

Array = np.ndarray

# Points of two faces that meet where their values are compared.
MEETINGS = 9


@final
@dataclass(frozen=True)
class Hyperrectangle(Geometry):
    """The points with lower_i <= x_i <= upper_i in d >= 2 dimensions.

    Parts: ``faces.x1.lower``, ``faces.x1.upper``, ``faces.x2.lower``, and so on; ``faces.x1`` is
    both ends of the first axis.

    Parameters
    ----------
    lower, upper
        Corners of the box [m], lower_i < upper_i.

    Raises
    ------
    GeometryError
        If there are fewer than two axes, a number is not finite or a side is not positive.

    Examples
    --------
    >>> cube = Hyperrectangle((0,) * 10, (2,) * 10)
    >>> cube.measure, cube.boundary_measure("faces.x3.lower")
    (1024.0, 512.0)
    """

    lower: tuple[float, ...]
    upper: tuple[float, ...]

    def __post_init__(self) -> None:
        lower, upper = box("Hyperrectangle", self.lower, self.upper)
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)

    @property
    def dimension(self) -> int:
        return len(self.lower)

    @property
    def sides(self) -> tuple[float, ...]:
        """Lengths along the axes [m]."""
        return tuple(b - a for a, b in zip(self.lower, self.upper, strict=True))

    @property
    def measure(self) -> float:
        return math.prod(self.sides)

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return self.lower, self.upper

    @cached_property
    def pieces(self) -> Mapping[str, Piece]:
        return {
            f"faces.x{i + 1}.{end}": Facet(self.lower, self.upper, i, end == "upper")
            for i in range(self.dimension)
            for end in ("lower", "upper")
        }

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {}

    def signed_distance(self, X: Any) -> Any:
        """Return the exact distance, rounded at the outer edges and corners, shape (n,)."""
        ends = enumerate(zip(self.lower, self.upper, strict=True))
        return to_box(*(framework.maximum(a - X[:, i], X[:, i] - b) for i, (a, b) in ends))

    def from_unit_cube(self, unit: Array) -> Array:
        """Stretch the unit cube."""
        lower, upper = np.array(self.lower), np.array(self.upper)
        return np.asarray(np.clip((1 - unit) * lower + unit * upper, lower, upper))

    def quadrature(self, n: int) -> Quadrature:
        """Return the tensor product of Gauss-Legendre rules with n points along each axis."""
        return box_rule(n, self.lower, self.upper)

    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        """Multiply one factor per direction, and divide by all of their maxima but the smallest.

        One direction alone has unit normal derivative on its faces. A product vanishes with all
        first derivatives where faces meet, and has at most unit normal derivative elsewhere.
        """
        import sympy

        factors, maxima = [], []
        for t, low, high, first, last in self._axes(leaves, coordinates):
            side = high - low
            if first is not None and last is not None:
                factors.append((t - low) * (high - t) / side)
                maxima.append(side / 4)
            else:
                factors.append(t - low if last is None else high - t)
                maxima.append(side)
        return sympy.prod(factors) / sympy.prod(sorted(maxima)[1:])

    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        """Blend the face values by a Boolean sum, one axis after another."""
        import sympy

        transfinite.check_meeting(
            "Hyperrectangle", values, dict(self._meetings(values)), coordinates
        )
        g = sympy.Integer(0)
        for t, low, high, first, last in self._axes(values, coordinates):
            start = None if first is None else values[first]
            end = None if last is None else values[last]
            g = transfinite.along(g, (t, low, high), start, end)
        return g

    def _axes(
        self, leaves: Sequence[str] | Mapping[str, Any], coordinates: Sequence[sympy.Symbol]
    ) -> Iterator[tuple[sympy.Symbol, sympy.Rational, sympy.Rational, str | None, str | None]]:
        """Return coordinate, ends, and the names of the faces among the leaves, for each axis."""
        for i, t in enumerate(coordinates):
            names = (f"faces.x{i + 1}.lower", f"faces.x{i + 1}.upper")
            first, last = (name if name in leaves else None for name in names)
            if first is not None or last is not None:
                yield t, sizes.exact(self.lower[i]), sizes.exact(self.upper[i]), first, last

    def _meetings(self, values: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Array]]:
        """Return points that two faces share."""
        inside = self.from_unit_cube(unit_points("halton", MEETINGS, (1.0,) * self.dimension, 0))
        faces = {leaf: self.pieces[leaf] for leaf in values}
        for a, first in faces.items():
            for b, second in faces.items():
                assert isinstance(first, Facet)
                assert isinstance(second, Facet)
                if first.axis < second.axis:
                    points = inside.copy()
                    for face in (first, second):
                        ends = self.upper if face.above else self.lower
                        points[:, face.axis] = ends[face.axis]
                    yield (a, b), points


def box(
    shape: str, lower: Sequence[float], upper: Sequence[float], dimension: int | None = None
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return checked corners of a box, of any dimension from two on unless one is given."""
    try:
        count = len(lower) if dimension is None else dimension
    except TypeError:
        raise GeometryError(
            f"{shape}: lower must be a list of numbers, for example (0, 0, 0), got {lower!r}"
        ) from None
    if count < 2:
        raise GeometryError(f"{shape}: needs at least 2 axes, got {count}; take an Interval")
    low = sizes.point(shape, "lower", tuple(lower), count)
    high = sizes.point(shape, "upper", tuple(upper), count)
    for i, (a, b) in enumerate(zip(low, high, strict=True)):
        if not sizes.below(a, b):
            raise GeometryError(
                f"{shape}: lower must be below upper along every axis, got {a} and {b} along "
                f"axis {i + 1}"
            )
    return low, high
