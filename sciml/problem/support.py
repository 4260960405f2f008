"""Where a residual holds: the points it is evaluated at, and what becomes of its values there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from sciml.equations import Condition, Data, Integral, LoweredResidual, PointValue
from sciml.equations.conditions.condition import BoundaryCondition
from sciml.equations.conditions.data import MEASURED
from sciml.framework.errors import EquationError
from sciml.geometry import Geometry
from sciml.geometry.boundary import BoundaryPoints

from .constraint import Array
from .points import Points


class Support(ABC):
    """A set of points that belongs to a residual."""

    @abstractmethod
    def arrays(
        self, geometry: Geometry, points: Points, seed: int, lowered: LoweredResidual
    ) -> tuple[Array, ...]:
        """Return points (n, d), an array (n,) for each parameter, then what `reduce` needs."""

    @abstractmethod
    def reduce(self, values: Any, rest: Sequence[Any]) -> Any:
        """Return the residual from values (n,) and the arrays after those of the parameters."""

    @property
    @abstractmethod
    def movable(self) -> bool:
        """Whether other points, or more of them, would do as well."""

    @abstractmethod
    def count(self, points: Points) -> str:
        """Return number and kind of the points in words."""


@final
@dataclass(frozen=True)
class Inside(Support):
    """Points inside the domain."""

    def arrays(
        self, geometry: Geometry, points: Points, seed: int, lowered: LoweredResidual
    ) -> tuple[Array, ...]:
        X = geometry.sample_interior(points.interior, points.sampler, seed)
        return (X, *_named(lowered, {}))

    def reduce(self, values: Any, rest: Sequence[Any]) -> Any:
        return values

    @property
    def movable(self) -> bool:
        return True

    def count(self, points: Points) -> str:
        return f"{points.interior} inside, {points.sampler}"


@final
@dataclass(frozen=True)
class OnPart(Support):
    """Points on a boundary part, with normals and curvatures."""

    part: str

    def arrays(
        self, geometry: Geometry, points: Points, seed: int, lowered: LoweredResidual
    ) -> tuple[Array, ...]:
        sampled = geometry.sample_boundary(self.part, points.on(self.part), points.sampler, seed)
        return (sampled.points, *_named(lowered, _frame(sampled, lowered)))

    def reduce(self, values: Any, rest: Sequence[Any]) -> Any:
        return values

    @property
    def movable(self) -> bool:
        return True

    def count(self, points: Points) -> str:
        return f"{points.on(self.part)} on {self.part}, {points.sampler}"


@final
@dataclass(frozen=True)
class OverPart(Support):
    """The integral over a part, or over the interior, minus a value."""

    part: str
    value: float

    def arrays(
        self, geometry: Geometry, points: Points, seed: int, lowered: LoweredResidual
    ) -> tuple[Array, ...]:
        if self.part == "interior":
            X = geometry.sample_interior(points.interior, points.sampler, seed)
            weights = np.full(len(X), geometry.measure / len(X))
            return (X, *_named(lowered, {}), weights)
        sampled = geometry.sample_boundary(self.part, points.on(self.part), points.sampler, seed)
        return (sampled.points, *_named(lowered, _frame(sampled, lowered)), sampled.weights)

    def reduce(self, values: Any, rest: Sequence[Any]) -> Any:
        (weights,) = rest
        return (values * weights).sum() - self.value

    @property
    def movable(self) -> bool:
        return False

    def count(self, points: Points) -> str:
        n = points.interior if self.part == "interior" else points.on(self.part)
        return f"integral from {n} on {self.part}, {points.sampler}"


@final
@dataclass(frozen=True)
class AtPoints(Support):
    """Given points with known values."""

    points: tuple[tuple[float, ...], ...]
    values: tuple[float, ...]

    def arrays(
        self, geometry: Geometry, points: Points, seed: int, lowered: LoweredResidual
    ) -> tuple[Array, ...]:
        X = np.array(self.points)
        outside = np.flatnonzero(~geometry.contains(X))
        if len(outside):
            raise EquationError(
                f"{len(outside)} of {len(X)} given points lie outside the domain, the first at "
                f"{self.points[int(outside[0])]}"
            )
        return (X, *_named(lowered, {MEASURED.name: np.array(self.values)}))

    def reduce(self, values: Any, rest: Sequence[Any]) -> Any:
        return values

    @property
    def movable(self) -> bool:
        return False

    def count(self, points: Points) -> str:
        return f"{len(self.points)} given"


def support_of(condition: Condition) -> Support:
    """Return where the residuals of a condition hold."""
    if isinstance(condition, BoundaryCondition):
        return OnPart(condition.part)
    if isinstance(condition, Integral):
        return OverPart(condition.part, float(condition.value))
    if isinstance(condition, PointValue):
        return AtPoints((condition.at,), (condition.value,))
    if isinstance(condition, Data):
        return AtPoints(condition.points, condition.values)
    raise EquationError(f"{type(condition).__name__} says of no place where it holds")


def _frame(sampled: BoundaryPoints, lowered: LoweredResidual) -> dict[str, Array]:
    normals = {f"n_{c}": sampled.normals[:, i] for i, c in enumerate(lowered.coordinates)}
    return normals | {"kappa": sampled.curvatures}


def _named(lowered: LoweredResidual, known: dict[str, Array]) -> list[Array]:
    for name in lowered.parameters:
        if name not in known:
            raise EquationError(
                f"a residual names {name!r}, which has no value where it holds; known there are "
                f"{', '.join(known) or 'coordinates and fields only'}"
            )
    return [known[name] for name in lowered.parameters]
