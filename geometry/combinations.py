"""Union, intersection and difference of two shapes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from . import distance_factors
from .clipped_piece import COUNTED, clipped
from .geometry import Geometry
from .parts import distinct, numbered
from .pieces import Piece, PlanePiece
from .plane_shape import area, cover, plane_pieces
from .quadrature import Quadrature
from .trimming import Rule, corners, trimmed

if TYPE_CHECKING:
    import sympy

Array = np.ndarray
Box = tuple[tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True)
class Combination(Geometry, ABC):
    """A shape made of two others, with what stays of their boundaries.

    In the plane boundaries are cut exactly where they cross. In space a surface is cut point by
    point: areas of what is cut and volumes of what overlaps are counted, to about 1e-4 of the
    whole, and there is no smooth factor, so that conditions are imposed softly.

    Parts keep their names. A name that stays in both shapes becomes a group with the members
    ``name.0``, of the first, and ``name.1``; numbers are counted on, so that ``edges.0`` of the
    second shape follows the last edge of the first. A piece that is cut apart becomes a group as
    well. Corners where both boundaries cross are ``crossings.i``.

    The distance has the right sign everywhere and slope one, but is only a bound where its text
    says so. Two boundaries are told apart down to 1e-12 of the largest coordinate.
    """

    first: Geometry
    second: Geometry

    def __post_init__(self) -> None:
        name = type(self).__name__
        operands = (("first", self.first), ("second", self.second))
        for word, shape in operands:
            if not isinstance(shape, Geometry) or shape.dimension < 2:
                raise GeometryError(
                    f"{name}: {word} must be a shape of the plane or of space, got {shape!r}"
                )
        if self.first.dimension != self.second.dimension:
            raise GeometryError(
                f"{name}: the shapes lie in {self.first.dimension} and {self.second.dimension} "
                "coordinates"
            )
        if self._plane:
            for word, shape in operands:
                plane_pieces(shape, f"{name}: {word}")
        if not self.pieces:
            raise GeometryError(
                f"{name}: nothing is left of {self.first!r} and {self.second!r}; move them so that "
                "their boundaries bound a region"
            )

    @property
    @abstractmethod
    def rules(self) -> tuple[Rule, Rule]:
        """What stays of the boundary of the first and of the second shape."""

    @abstractmethod
    def _measure(self, overlap: float) -> float:
        """Return the measure from that of what both shapes share."""

    @final
    @property
    def dimension(self) -> int:
        return self.first.dimension

    @final
    @cached_property
    def measure(self) -> float:
        if self._plane:
            return area(plane_pieces(self, type(self).__name__).values())
        small, other = sorted((self.first, self.second), key=lambda shape: shape.measure)
        inside = other.contains(small.sample_interior(COUNTED, "sobol"))
        return self._measure(small.measure * float(inside.mean()))

    @final
    @property
    def _plane(self) -> bool:
        return self.first.dimension == 2

    @final
    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        return distance_factors.factor(leaves, self._smooth(), self.measure, coordinates)

    @final
    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        return distance_factors.extension(values, self._smooth(), coordinates)

    @final
    def _smooth(self) -> Mapping[str, PlanePiece]:
        """Return the pieces, whose functions a factor is made of."""
        if self._plane:
            return plane_pieces(self, type(self).__name__)
        raise GeometryError(
            f"{type(self).__name__}: no factor in closed form in space; impose the condition "
            "softly: leave 'hard' out"
        )

    @final
    @property
    def pieces(self) -> Mapping[str, Piece]:
        return self._boundary[0]

    @final
    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return self._boundary[1]

    @final
    def from_unit_cube(self, unit: Array) -> Array:
        """Cover the bounding box."""
        return cover(self.bounding_box, unit)

    @final
    def quadrature(self, n: int) -> Quadrature:
        """Refuse: the shape is known by its boundary only."""
        raise GeometryError(
            f"{type(self).__name__}: no Gauss rule is known for it; use 'sample_interior' or "
            f"boundary integrals (asked for n = {n})"
        )

    @final
    @cached_property
    def _boundary(self) -> tuple[Mapping[str, Piece], Mapping[str, tuple[str, str]]]:
        """Pieces by name, and corners with the edges that end and begin there."""
        pairs = ((self.first, self.second), (self.second, self.first))
        size = float(max(np.abs(shape.bounding_box).max() for shape, _ in pairs))
        if not self._plane:
            first, second = (
                clipped(*pair, rule, size) for pair, rule in zip(pairs, self.rules, strict=True)
            )
            names = _named([n for n, _ in (*first, *second)], [0] * len(first) + [1] * len(second))
            surfaces = [piece for _, piece in (*first, *second)]
            return dict(zip(names, surfaces, strict=True)), {}
        kept = []
        for (shape, other), rule in zip(pairs, self.rules, strict=True):
            kept.append(trimmed(plane_pieces(shape, type(self).__name__), other, rule, size))
        edges = [*kept[0], *kept[1]]
        found = corners(edges, (self.first, self.second), size)
        # All pieces, each with the number of its shape: first, second, or neither.
        owner = [0] * len(kept[0]) + [1] * len(kept[1]) + [shape for _, shape, _ in found]
        names = [name for name, _ in edges]
        crossing = count()
        names += [name or f"crossings.{next(crossing)}" for name, _, _ in found]
        names = _named(names, owner)
        pieces = [piece for _, piece in edges] + [joint.vertex for *_, joint in found]
        ends = zip(names[len(edges) :], (joint for *_, joint in found), strict=True)
        return (
            dict(zip(names, pieces, strict=True)),
            {name: (names[joint.before], names[joint.after]) for name, joint in ends},
        )


def _named(names: Sequence[str], owner: Sequence[int]) -> list[str]:
    """Return names of pieces by which no two are the same, whatever shape they come from."""
    lists = [[name for name, i in zip(names, owner, strict=True) if i == k] for k in range(3)]
    lists[:2] = distinct(*lists[:2])
    both, lists[2] = distinct([*lists[0], *lists[1]], lists[2])
    lists[:2] = both[: len(lists[0])], both[len(lists[0]) :]
    sources = list(map(iter, lists))
    return numbered([next(sources[i]) for i in owner])


# What the other shape has on the outer and on the inner side of a boundary that stays.
OUTSIDE, INSIDE, SAME_SIDE, OPPOSITE = (1, 1), (-1, -1), (1, -1), (-1, 1)


@final
@dataclass(frozen=True)
class Union(Combination):
    """All points of two shapes; written ``first | second``.

    Parameters
    ----------
    first, second
        Shapes of the plane, or of space.

    Raises
    ------
    GeometryError
        If an operand is no shape of the plane or of space.

    Examples
    --------
    >>> from sciml.geometry import Rectangle
    >>> shape = Rectangle((0, 0), (2, 1)) | Rectangle((0, 0), (1, 2))
    >>> shape.measure, shape.boundary_measure("edges.right")
    (3.0, 2.0)
    """

    @property
    def rules(self) -> tuple[Rule, Rule]:
        return Rule(frozenset({OUTSIDE, SAME_SIDE})), Rule(frozenset({OUTSIDE}))

    def _measure(self, overlap: float) -> float:
        return self.first.measure + self.second.measure - overlap

    @property
    def bounding_box(self) -> Box:
        (a, b), (c, d) = self.first.bounding_box, self.second.bounding_box
        return tuple(map(min, a, c)), tuple(map(max, b, d))

    def signed_distance(self, X: Any) -> Any:
        """Return the smaller of both: exact outside, at most as deep as the truth inside."""
        return framework.minimum(self.first.signed_distance(X), self.second.signed_distance(X))


@final
@dataclass(frozen=True)
class Intersection(Combination):
    """The points that two shapes share; written ``first & second``.

    Parameters
    ----------
    first, second
        Shapes of the plane, or of space.

    Raises
    ------
    GeometryError
        If an operand is no shape of the plane or of space or they have no area in common.

    Examples
    --------
    >>> from sciml.geometry import Rectangle
    >>> round((Rectangle((0, 0), (2, 1)) & Rectangle((1, 0), (3, 1))).measure, 10)
    1.0
    """

    @property
    def rules(self) -> tuple[Rule, Rule]:
        return Rule(frozenset({INSIDE, SAME_SIDE})), Rule(frozenset({INSIDE}))

    def _measure(self, overlap: float) -> float:
        return overlap

    @property
    def bounding_box(self) -> Box:
        """The common part of both boxes; not always the smallest."""
        (a, b), (c, d) = self.first.bounding_box, self.second.bounding_box
        return tuple(map(max, a, c)), tuple(map(min, b, d))

    def signed_distance(self, X: Any) -> Any:
        """Return the larger of both: exact inside, at most the truth outside."""
        return framework.maximum(self.first.signed_distance(X), self.second.signed_distance(X))


@final
@dataclass(frozen=True)
class Difference(Combination):
    """The points of one shape that are not in another; written ``first - second``.

    Parameters
    ----------
    first
        Shape of the plane, or of space.
    second
        Shape cut out of it.

    Raises
    ------
    GeometryError
        If an operand is no shape of the plane or of space or nothing is left.

    Examples
    --------
    >>> from sciml.geometry import Disk, Rectangle
    >>> plate = Rectangle((-1, -1), (1, 1)) - Disk((0, 0), 0.5)
    >>> round(plate.measure, 10), round(plate.boundary_measure("circle"), 10)
    (3.2146018366, 3.1415926536)
    """

    @property
    def rules(self) -> tuple[Rule, Rule]:
        return Rule(frozenset({OUTSIDE, OPPOSITE})), Rule(frozenset({INSIDE}), turned=True)

    def _measure(self, overlap: float) -> float:
        return self.first.measure - overlap

    @property
    def bounding_box(self) -> Box:
        """The box of the first shape; not always the smallest."""
        return self.first.bounding_box

    def signed_distance(self, X: Any) -> Any:
        """Return max(first, -second): exact inside, at most the truth outside."""
        return framework.maximum(self.first.signed_distance(X), -self.second.signed_distance(X))
