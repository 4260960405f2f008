"""Shapes whose sizes are coordinates."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from . import boundary, sizes
from .boundary import BoundaryPoints
from .geometry import Geometry
from .pieces import Piece
from .quadrature import Quadrature, box_rule
from .samplers import unit_points

if TYPE_CHECKING:
    import sympy

Array = np.ndarray

# Gauss points along each parameter, in integrals and where the size of the shape is looked at.
NODES = 8
# Points at which single shapes are compared with one of many sizes.
PROBES = 5
# Room above the largest measure seen at the ends and at Gauss points of the ranges.
ROOM = 1 + 1e-9


@final
@dataclass(frozen=True)
class Parametrised(Geometry):
    """All points (x, p) with x in a shape whose sizes are p, each p_i in its range.

    The parameters are the last coordinates, so that one field is learned for all of them. The
    parts are those of the shape at all parameters; normals have no component along these.

    Parameters
    ----------
    build
        Returns the shape for parameters given by name.
    parameters
        Range (lower, upper) of each parameter, in order.

    Raises
    ------
    GeometryError
        If a range is not two finite numbers in order, or if at the ends and in the middle of the
        ranges there is no shape, or one of another dimension or with other parts.

    Notes
    -----
    Points are even over (x, p): where the shape is larger there are more of them. Interval,
    Rectangle, Disk, Annulus, Ball, Box, Cylinder, their kin of any dimension and products of them
    take arrays and traced tensors as sizes: one of them states the distances of all points, with
    derivatives by the parameters too. Of any other shape one is built for each point, and its
    distance cannot be traced.

    `signed_distance` is that of x to the shape at p, and infinite outside the ranges. `measure` is
    the integral of the measure over the ranges by Gauss-Legendre quadrature.

    Examples
    --------
    >>> from sciml.geometry import Disk
    >>> pipes = Parametrised(lambda radius: Disk((0, 0), radius), {"radius": (1, 2)})
    >>> pipes.dimension, pipes.resolve("boundary"), round(pipes.measure, 6)
    (3, ('circle',), 7.330383)
    >>> pipes.boundary_factor()
    (-x**2 - y**2 + z**2)/(2*z)
    """

    build: Callable[..., Geometry]
    parameters: Mapping[str, tuple[float, float]] = field(hash=False)

    def __post_init__(self) -> None:
        build: object = self.build
        if not callable(build):
            raise GeometryError(
                f"Parametrised: build must be a function of the sizes, got {build!r}; give for "
                "example lambda radius: Disk((0, 0), radius)"
            )
        if not self.parameters:
            raise GeometryError("Parametrised: give the range of at least one parameter")
        try:
            inspect.signature(build).bind(**dict(self.parameters))
        except TypeError as error:
            raise GeometryError(
                f"Parametrised: build does not take the parameters {', '.join(self.parameters)}: "
                f"{error}"
            ) from None
        ranges = {}
        for name, ends in dict(self.parameters).items():
            low, high = sizes.point("Parametrised", f"range of {name!r}", ends, 2)
            if not low < high:
                raise GeometryError(
                    f"Parametrised: the range of {name!r} must be in order, got {low} and {high}"
                )
            ranges[name] = (low, high)
        object.__setattr__(self, "parameters", ranges)
        for row in [*self._ends(), tuple(np.mean(list(ranges.values()), axis=1))]:
            shape = self.at(row)
            if not isinstance(shape, Geometry):
                raise GeometryError(f"Parametrised: build must return a shape, got {shape!r}")
            if tuple(shape.pieces) != tuple(self._middle.pieces) or (
                shape.dimension != self._middle.dimension
            ):
                raise GeometryError(
                    f"Parametrised: at {self._told(row)} the shape has the parts "
                    f"{list(shape.pieces)}, in the middle {list(self._middle.pieces)}; one family "
                    "must have the same parts everywhere"
                )

    def at(self, row: Iterable[float]) -> Geometry:
        """Return the shape at parameters given in order."""
        return self.build(**dict(zip(self.parameters, map(float, row), strict=True)))

    @property
    def dimension(self) -> int:
        return self._middle.dimension + len(self.parameters)

    @cached_property
    def measure(self) -> float:
        rows = self.rows(NODES)
        shares = zip(rows.points, rows.weights, strict=True)
        return math.fsum(weight * self.at(row).measure for row, weight in shares)

    @cached_property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        lows, highs = zip(*(self.at(row).bounding_box for row in self._seen()), strict=True)
        low, high = zip(*self.parameters.values(), strict=True)
        lower, upper = np.min(lows, axis=0), np.max(highs, axis=0)
        return (*map(float, lower), *low), (*map(float, upper), *high)

    @cached_property
    def pieces(self) -> Mapping[str, Piece]:
        pieces = self._middle.pieces.items()
        return {leaf: ParametrisedPiece(self, leaf) for leaf, p in pieces if p.measure > 0}

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {}

    def signed_distance(self, X: Any) -> Any:
        """Return the distance of x to the shape at p, shape (n,).

        Raises
        ------
        GeometryError
            If X is traced and the shape cannot have sizes that vary; if at some p the shape reaches
            out of the bounding box.
        """
        d = self._middle.dimension
        if isinstance(X, framework.Tensor):
            columns = {name: X[:, d + i] for i, name in enumerate(self.parameters)}
            try:
                return self.build(**columns).signed_distance(X[:, :d])
            except (TypeError, ValueError) as error:
                raise GeometryError(
                    f"Parametrised: {type(self._middle).__name__} has no derivative by its sizes, "
                    f"only numbers ({error}); use a shape that takes traced sizes"
                ) from error
        points = np.asarray(X, dtype=float)
        lower, upper = (np.array(end)[d:] for end in self.bounding_box)
        there = ((lower <= points[:, d:]) & (points[:, d:] <= upper)).all(axis=1)
        distance = np.full(len(points), np.inf)
        if self._at_once:
            distance[there] = self._distances(points[there])
        else:
            rows = (self._distances(points[i : i + 1]) for i in np.flatnonzero(there))
            distance[there] = np.concatenate([np.zeros(0), *rows])
        return distance

    def _distances(self, points: Array) -> Array:
        """Return the distances of points to one shape, whose sizes are arrays if there are many."""
        d = self._middle.dimension
        rows = points[:, d:]
        values = rows.T if len(points) != 1 else rows[0]
        shape = self.build(**dict(zip(self.parameters, values, strict=True)))
        lower, upper = (np.array(end)[:d] for end in self.bounding_box)
        low, high = (
            np.stack([np.broadcast_to(c, len(points)) for c in end], axis=1)
            for end in shape.bounding_box
        )
        room = (ROOM - 1) * (upper - lower)
        out = ((low < lower - room) | (high > upper + room)).any(axis=1)
        if out.any():
            raise GeometryError(
                f"Parametrised: at {self._told(rows[int(np.argmax(out))])} the shape reaches out "
                "of the box of those at the ends and at Gauss points of the ranges; split the "
                "range there"
            )
        return np.asarray(shape.signed_distance(points[:, :d]))

    @cached_property
    def _at_once(self) -> bool:
        """Whether the shape takes arrays as sizes, with the distances of one shape for each."""
        unit = unit_points("halton", PROBES, (1.0,) * self.dimension, 0)
        points = self.from_unit_cube(unit)
        single = [self._distances(row[None])[0] for row in points]
        try:
            return bool(np.array_equal(self._distances(points), single))
        except (TypeError, ValueError):  # what Python and NumPy say of a list in place of a number
            return False

    def from_unit_cube(self, unit: Array) -> Array:
        """Cover the bounding box."""
        lower, upper = map(np.array, self.bounding_box)
        return np.asarray((1 - unit) * lower + unit * upper)

    def quadrature(self, n: int) -> Quadrature:
        """Return the rule of the shape at n Gauss-Legendre points along each parameter."""
        rows = self.rows(n)
        rules = [self.at(row).quadrature(n) for row in rows.points]
        return Quadrature(
            np.concatenate(
                [_beside(r.points, row) for r, row in zip(rules, rows.points, strict=True)]
            ),
            np.concatenate([w * r.weights for r, w in zip(rules, rows.weights, strict=True)]),
        )

    def rows(self, n: int) -> Quadrature:
        """Return a Gauss-Legendre rule over the ranges, n points along each parameter."""
        low, high = zip(*self.parameters.values(), strict=True)
        return box_rule(n, low, high)

    def parameters_at(self, unit: Array) -> Array:
        """Map the unit cube to the ranges, shape (n, p)."""
        low, high = np.array(list(self.parameters.values())).T
        return np.asarray((1 - unit) * low + unit * high)

    def largest(self, leaf: str) -> float:
        """Return the largest measure of a part at the ends and at Gauss points of the ranges."""
        return max(self.at(row).pieces[leaf].measure for row in self._seen())

    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        """Return the factor of a shape whose sizes are symbols."""
        d = self._middle.dimension
        return self._symbolic(lambda s: s._factor(leaves, coordinates[:d]), coordinates)

    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        """Return the extension of a shape whose sizes are symbols."""
        d = self._middle.dimension
        return self._symbolic(lambda s: s._extension(values, coordinates[:d]), coordinates)

    def _symbolic(
        self, make: Callable[[Geometry], sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        """Return what is made of the shape whose sizes are the last coordinates."""
        symbols = coordinates[self._middle.dimension :]
        try:
            return make(self.build(**dict(zip(self.parameters, symbols, strict=True))))
        except TypeError as error:
            raise GeometryError(
                f"Parametrised: {type(self._middle).__name__} has no factor for sizes that are "
                f"symbols ({error}); impose the condition softly"
            ) from error

    def _told(self, row: Iterable[float]) -> dict[str, float]:
        return dict(zip(self.parameters, map(float, row), strict=True))

    def _ends(self) -> Iterator[tuple[float, ...]]:
        return product(*self.parameters.values())

    def _seen(self) -> list[tuple[float, ...]]:
        """Return parameters at the ends and at Gauss points of the ranges."""
        return [*self._ends(), *map(tuple, self.rows(NODES).points)]

    @cached_property
    def _middle(self) -> Geometry:
        return self.at(np.mean(list(self.parameters.values()), axis=1))


@final
@dataclass(frozen=True)
class ParametrisedPiece(Piece):
    """A piece of boundary at all parameters.

    Its unit cube is that of the piece, that of the parameters, and one more axis: a point is kept
    where that lies below the measure of the piece there, as a share of the largest one.

    Parameters
    ----------
    family
        The shapes.
    leaf
        Name of the piece.
    """

    family: Parametrised
    leaf: str

    @cached_property
    def measure(self) -> float:
        rows = self.family.rows(NODES)
        shares = zip(rows.points, rows.weights, strict=True)
        return math.fsum(weight * self._at(row).measure for row, weight in shares)

    @cached_property
    def parameters(self) -> int:
        return self._at(self._middle[0]).parameters + len(self.family.parameters) + 1

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        own, rows, _ = self._split(unit)
        frames = [self._at(row).frame(u[None]) for row, u in zip(rows, own, strict=True)]
        points, normals, curvatures = (
            np.concatenate(column) for column in zip(*frames, strict=True)
        )
        outward = np.concatenate([normals, np.zeros(rows.shape)], axis=1)
        return np.concatenate([points, rows], axis=1), outward, curvatures

    def kept(self, unit: Array) -> Array:
        own, rows, level = self._split(unit)
        pieces = [self._at(row) for row in rows]
        share = np.array([piece.measure for piece in pieces]) / self._largest
        if (share > ROOM).any():
            worst = int(np.argmax(share))
            raise GeometryError(
                f"Parametrised: {self.leaf!r} is larger at {tuple(map(float, rows[worst]))} than "
                "at the ends and at Gauss points of the ranges; split the range there"
            )
        inside = [bool(p.kept(u[None])[0]) for p, u in zip(pieces, own, strict=True)]
        return np.asarray((level < share) & np.array(inside, dtype=bool))

    def rule(self, n: int, part: str) -> BoundaryPoints:
        """Return the rule of the piece at n Gauss-Legendre points along each parameter."""
        rows = self.family.rows(n)
        found = []
        for row, weight in zip(rows.points, rows.weights, strict=True):
            edge = self._at(row).rule(n, part)
            outward = _beside(edge.normals, np.zeros(len(row)))
            found.append(
                boundary.make(
                    _beside(edge.points, row), outward, edge.curvatures, weight * edge.weights, part
                )
            )
        return boundary.join(found, part)

    def rim(self) -> Array:
        """Return the ends of the piece in the middle and at Gauss points of the ranges."""
        rows = [*self._middle, *self.family.rows(2).points]
        return np.concatenate([_beside(self._at(row).rim(), row) for row in rows])

    def _at(self, row: Array) -> Piece:
        return self.family.at(row).pieces[self.leaf]

    def _split(self, unit: Array) -> tuple[Array, Array, Array]:
        p = len(self.family.parameters)
        return unit[:, : -p - 1], self.family.parameters_at(unit[:, -p - 1 : -1]), unit[:, -1]

    @property
    def _middle(self) -> Array:
        return self.family.parameters_at(np.full((1, len(self.family.parameters)), 0.5))

    @cached_property
    def _largest(self) -> float:
        return self.family.largest(self.leaf)


def _beside(points: Array, row: Array) -> Array:
    """Return points with the same further coordinates each."""
    return np.concatenate([points, np.tile(row, (len(points), 1))], axis=1)
