"""The Cartesian product of two shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

from sciml.framework.errors import GeometryError

from . import boundary, distance_factors, sizes, transfinite
from .boundary import BoundaryPoints
from .distances import to_box
from .geometry import Geometry
from .interval import Interval
from .pieces import Piece
from .quadrature import Quadrature
from .samplers import unit_points

if TYPE_CHECKING:
    import sympy

Array = np.ndarray

# Even points at which the size of a factor, and the agreement of values, is looked at.
PROBES = 256
MEETINGS = 7
# Points on each end of a piece, where one looks at what it meets.
RIM_POINTS = 32


@final
@dataclass(frozen=True)
class ProductPiece(Piece):
    """A piece of the boundary of one factor times the inside of the other.

    Parameters
    ----------
    piece
        The piece, of positive measure.
    shape
        The other factor.
    leads
        Whether the coordinates of the piece come first.
    """

    piece: Piece
    shape: Geometry
    leads: bool

    @property
    def measure(self) -> float:
        return self.piece.measure * self.shape.measure

    @property
    def parameters(self) -> int:
        return self.piece.parameters + self.shape.dimension

    @property
    def joined(self) -> bool:
        return self.piece.joined

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        edge, inside = self._split(unit)
        points, normals, curvatures = self.piece.frame(edge)
        inner = self.shape.from_unit_cube(inside)
        return self._joined(points, inner), self._joined(normals, np.zeros(inner.shape)), curvatures

    def kept(self, unit: Array) -> Array:
        """Return where both the piece and the inside of the other factor are met."""
        edge, inside = self._split(unit)
        inner = self.shape.contains(self.shape.from_unit_cube(inside))
        return np.asarray(self.piece.kept(edge) & inner)

    def rule(self, n: int, part: str) -> BoundaryPoints:
        """Return the tensor product of the rules of both factors."""
        edge, inside = self.piece.rule(n, part), self.shape.quadrature(n)
        i, j = pairs(len(edge), len(inside.points))
        normals = self._joined(edge.normals[i], np.zeros((len(j), self.shape.dimension)))
        return boundary.make(
            self._joined(edge.points[i], inside.points[j]), normals, edge.curvatures[i],
            edge.weights[i] * inside.weights[j], part,
        )  # fmt: skip

    def rim(self) -> Array:
        """Return ends of the piece with points inside the factor, points of it on its boundary."""
        ends, inside = self.piece.rim(), self.shape.sample_interior(RIM_POINTS)
        if self.piece.parameters == 0:  # a point has no ends
            ends = ends[:0]
        i, j = pairs(len(ends), len(inside))
        edge = self.shape.sample_boundary("boundary", RIM_POINTS).points
        spread = unit_points("halton", RIM_POINTS, (1.0,) * self.piece.parameters, 0)
        points = self.piece.frame(spread)[0]
        return np.concatenate([self._joined(ends[i], inside[j]), self._joined(points, edge)])

    def _split(self, unit: Array) -> tuple[Array, Array]:
        return unit[:, : self.piece.parameters], unit[:, self.piece.parameters :]

    def _joined(self, own: Array, other: Array) -> Array:
        return np.concatenate([own, other] if self.leads else [other, own], axis=1)


@final
@dataclass(frozen=True)
class Product(Geometry):
    """The set of all (p, q) with p in the first shape and q in the second.

    Each part of a factor, times the inside of the other factor, is a part: ``first.<part>`` and
    ``second.<part>``. Corners of a factor leave no part, since their measure is zero.

    Parameters
    ----------
    first, second
        Shapes of any dimension; the coordinates of the first come first.

    Raises
    ------
    GeometryError
        If a factor is not a shape.

    Notes
    -----
    The distance is max(d_1, d_2) inside and sqrt(max(d_1, 0)^2 + max(d_2, 0)^2) outside: exact
    where those of the factors are, and a bound where they are bounds.

    Examples
    --------
    >>> from sciml.geometry import Disk, Interval
    >>> can = Product(Disk((0, 0), 1), Interval(0, 2))
    >>> can.resolve("boundary"), round(can.measure, 6)
    (('first.circle', 'second.left', 'second.right'), 6.283185)
    >>> can.boundary_factor("second.left")
    z
    """

    first: Geometry
    second: Geometry

    def __post_init__(self) -> None:
        for name in ("first", "second"):
            if not isinstance(getattr(self, name), Geometry):
                raise GeometryError(
                    f"Product: {name} must be a shape, for example Interval(0, 1), got "
                    f"{getattr(self, name)!r}"
                )

    @property
    def dimension(self) -> int:
        return self.first.dimension + self.second.dimension

    @property
    def measure(self) -> float:
        return self.first.measure * self.second.measure

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        (a, b), (c, d) = self.first.bounding_box, self.second.bounding_box
        return (*a, *c), (*b, *d)

    @cached_property
    def pieces(self) -> Mapping[str, Piece]:
        first = {
            f"first.{name}": ProductPiece(piece, self.second, True)
            for name, piece in self.first.pieces.items()
            if piece.measure > 0
        }
        second = {
            f"second.{name}": ProductPiece(piece, self.first, False)
            for name, piece in self.second.pieces.items()
            if piece.measure > 0
        }
        return {**first, **second}

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {}

    def signed_distance(self, X: Any) -> Any:
        """Return the distance from those of the factors, shape (n,)."""
        d = self.first.dimension
        return to_box(self.first.signed_distance(X[:, :d]), self.second.signed_distance(X[:, d:]))

    def from_unit_cube(self, unit: Array) -> Array:
        """Map as each factor does."""
        d = self.first.dimension
        inside = self.first.from_unit_cube(unit[:, :d]), self.second.from_unit_cube(unit[:, d:])
        return np.concatenate(inside, axis=1)

    def quadrature(self, n: int) -> Quadrature:
        """Return the tensor product of the rules of the factors."""
        first, second = self.first.quadrature(n), self.second.quadrature(n)
        i, j = pairs(len(first.points), len(second.points))
        points = np.concatenate([first.points[i], second.points[j]], axis=1)
        return Quadrature(points, first.weights[i] * second.weights[j])

    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        """Multiply the factors of both shapes; the larger of their maxima scales the product.

        One of them alone is taken as it is. A product vanishes with all first derivatives where
        its parts meet, and has about unit normal derivative elsewhere at most.
        """
        sides = []
        for shape, prefix, symbols in self._sides(coordinates):
            own = [leaf.removeprefix(prefix) for leaf in leaves if leaf.startswith(prefix)]
            if own:
                sides.append((shape, shape.boundary_factor(own, symbols), symbols))
        if len(sides) == 1:
            return sides[0][1]
        (_, first, _), (_, second, _) = sides
        return first * second / sizes.exact(max(_maximum(*side) for side in sides))

    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        """Blend by a Boolean sum along an interval, or else by inverse distances.

        Where one factor is an interval, the extension of the other one is corrected by what it
        lacks at the ends of the interval, linearly.
        """
        self._check_meetings(values, coordinates)
        first, second = self._sides(coordinates)
        for across, along in ((first, second), (second, first)):
            line, ends, (*symbols,) = along
            if isinstance(line, Interval):
                shape, prefix, others = across
                own = {
                    leaf.removeprefix(prefix): value
                    for leaf, value in values.items()
                    if leaf.startswith(prefix)
                }
                g = shape.boundary_extension(own, others)
                axis = (symbols[0], line.lower, line.upper)
                return transfinite.along(
                    g, axis, values.get(f"{ends}left"), values.get(f"{ends}right")
                )
        factors = [self.boundary_factor(leaf, coordinates) for leaf in values]
        size = self.measure ** (1 / self.dimension)
        return distance_factors.blend(factors, list(values.values()), size)

    def renamed(self, own: str, name: str) -> Mapping[str, str]:
        """Return the leaves ``first.*`` or ``second.*`` under another first word."""
        prefix = f"{own}."
        leaves = [leaf for leaf in self.pieces if leaf.startswith(prefix)]
        return {f"{name}.{leaf.removeprefix(prefix)}": leaf for leaf in leaves}

    def _sides(
        self, coordinates: Sequence[sympy.Symbol]
    ) -> tuple[
        tuple[Geometry, str, Sequence[sympy.Symbol]], tuple[Geometry, str, Sequence[sympy.Symbol]]
    ]:
        """Return each factor with the prefix of its parts and its coordinates."""
        d = self.first.dimension
        return (
            (self.first, "first.", coordinates[:d]),
            (self.second, "second.", coordinates[d:]),
        )

    def _check_meetings(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> None:
        transfinite.check_meeting("Product", values, dict(self._meetings(values)), coordinates)

    def _meetings(self, leaves: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Array]]:
        """Return points where parts of the first factor meet parts of the second."""
        for a in (leaf for leaf in leaves if leaf.startswith("first.")):
            for b in (leaf for leaf in leaves if leaf.startswith("second.")):
                p = self.first.sample_boundary(a.removeprefix("first."), MEETINGS).points
                q = self.second.sample_boundary(b.removeprefix("second."), MEETINGS).points
                i, j = pairs(MEETINGS, MEETINGS)
                yield (a, b), np.concatenate([p[i], q[j]], axis=1)


def _maximum(shape: Geometry, factor: sympy.Expr, symbols: Sequence[sympy.Symbol]) -> float:
    """Return about the largest value of a factor inside."""
    values = transfinite.numbers(factor, symbols, shape.sample_interior(PROBES, "hammersley"))
    assert values is not None  # a factor has no other symbols
    return float(f"{values.max():.2g}")


def pairs(first: int, second: int) -> tuple[Array, Array]:
    """Return the indices of all pairs of two lists, the first one slowest."""
    i, j = np.divmod(np.arange(first * second), max(second, 1))
    return i, j
