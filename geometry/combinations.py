"""Union, intersection and difference of two shapes of the plane."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from .geometry import Geometry
from .parts import distinct, numbered
from .pieces import PlanePiece
from .plane_shape import PlaneShape, area, cover, plane_pieces
from .quadrature import Quadrature
from .trimming import Rule, corners, trimmed

Array = np.ndarray
Box = tuple[tuple[float, ...], tuple[float, ...]]


class Combination(PlaneShape, ABC):
    """A shape made of two others, with what stays of their boundaries.

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
        for word, shape in (("first", self.first), ("second", self.second)):
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

    @final
    @cached_property
    def measure(self) -> float:
        return area(self.pieces.values())

    @final
    @property
    def pieces(self) -> Mapping[str, PlanePiece]:
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
    def _boundary(self) -> tuple[Mapping[str, PlanePiece], Mapping[str, tuple[str, str]]]:
        """Pieces by name, and corners with the edges that end and begin there."""
        pairs = ((self.first, self.second), (self.second, self.first))
        size = float(max(np.abs(shape.bounding_box).max() for shape, _ in pairs))
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
        Shapes of the plane.

    Raises
    ------
    GeometryError
        If an operand is not a shape of the plane.

    Examples
    --------
    >>> from sciml.geometry import Rectangle
    >>> shape = Rectangle((0, 0), (2, 1)) | Rectangle((0, 0), (1, 2))
    >>> shape.measure, shape.boundary_measure("edges.right")
    (3.0, 2.0)
    """

    first: Geometry
    second: Geometry

    @property
    def rules(self) -> tuple[Rule, Rule]:
        return Rule(frozenset({OUTSIDE, SAME_SIDE})), Rule(frozenset({OUTSIDE}))

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
        Shapes of the plane.

    Raises
    ------
    GeometryError
        If an operand is not a shape of the plane or they have no area in common.

    Examples
    --------
    >>> from sciml.geometry import Rectangle
    >>> round((Rectangle((0, 0), (2, 1)) & Rectangle((1, 0), (3, 1))).measure, 10)
    1.0
    """

    first: Geometry
    second: Geometry

    @property
    def rules(self) -> tuple[Rule, Rule]:
        return Rule(frozenset({INSIDE, SAME_SIDE})), Rule(frozenset({INSIDE}))

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
        Shape of the plane.
    second
        Shape cut out of it.

    Raises
    ------
    GeometryError
        If an operand is not a shape of the plane or nothing is left.

    Examples
    --------
    >>> from sciml.geometry import Disk, Rectangle
    >>> plate = Rectangle((-1, -1), (1, 1)) - Disk((0, 0), 0.5)
    >>> round(plate.measure, 10), round(plate.boundary_measure("circle"), 10)
    (3.2146018366, 3.1415926536)
    """

    first: Geometry
    second: Geometry

    @property
    def rules(self) -> tuple[Rule, Rule]:
        return Rule(frozenset({OUTSIDE, OPPOSITE})), Rule(frozenset({INSIDE}), turned=True)

    @property
    def bounding_box(self) -> Box:
        """The box of the first shape; not always the smallest."""
        return self.first.bounding_box

    def signed_distance(self, X: Any) -> Any:
        """Return max(first, -second): exact inside, at most the truth outside."""
        return framework.maximum(self.first.signed_distance(X), -self.second.signed_distance(X))
