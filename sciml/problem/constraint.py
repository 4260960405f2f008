"""Constraints: residuals at collocation points, and the one loss they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sciml.framework.errors import ConfigError
from sciml.networks import Parameters

Array: TypeAlias = npt.NDArray[Any]
Residual: TypeAlias = Callable[..., Any]
"""(parameters, points, *more arrays by point) to the nondimensional residual, shape (points,)."""


@dataclass(frozen=True)
class Supply:
    """Where a constraint gets other points from.

    Parameters
    ----------
    coordinates : tuple of str
        Names of the columns of the points.
    draw : function
        Returns the arrays of a constraint for a number of points, a seed and a sampler.
    distance : function
        Signed distance of points to the boundary of the domain, shape (n,), negative inside.
    inside : bool
        Whether the points are those of the domain, as for an equation, not of a boundary.
    """

    coordinates: tuple[str, ...]
    draw: Callable[[int, int, str], tuple[Array, ...]]
    distance: Callable[[Any], Any]
    inside: bool


@dataclass(frozen=True)
class Constraint:
    """A requirement at points: ``weight`` times the mean of the squared residual is small.

    Parameters
    ----------
    name : str
        What it is called in records, such as ``interior`` or ``left: M_n``.
    residual : Residual
        Function of parameters and ``arrays``, divided by its scale already.
    arrays : tuple of arrays
        Points of shape (points, coordinates) and what else belongs to them, such as normals.
    weight : float
        Factor in the loss [-], > 0.
    supply : Supply or None
        Where other points come from; None if they are given, or belong together.
    """

    name: str
    residual: Residual
    arrays: tuple[Array, ...]
    weight: float = 1.0
    supply: Supply | None = None

    def cast(self, dtype: npt.DTypeLike) -> Constraint:
        """Return the constraint with arrays of another element type."""
        arrays = tuple(np.ascontiguousarray(a, dtype=dtype) for a in self.arrays)
        return replace(self, arrays=arrays)


def check_weights(weights: Mapping[str, float], names: Sequence[str]) -> None:
    """Refuse a weight that names no constraint, or is not positive."""
    for name, weight in weights.items():
        if name not in names or not weight > 0.0:
            known = ", ".join(repr(n) for n in names)
            raise ConfigError(f"weight {name!r}: {weight}; weights are > 0, for {known}")


def total_loss(constraints: Sequence[Constraint]) -> Callable[..., Any]:
    """Return the loss as a function of parameters and all arrays in a row.

    The arrays are arguments, not constants, so one compiled program serves any number of points.
    """
    parts = part_losses(constraints)
    weights = [c.weight for c in constraints]

    def loss(parameters: Parameters, *arrays: Any) -> Any:
        values = parts(parameters, *arrays)
        total = values[0] if weights[0] == 1.0 else weights[0] * values[0]
        for weight, value in zip(weights[1:], values[1:], strict=True):
            total = total + weight * value
        return total

    return loss


def weighted_loss(constraints: Sequence[Constraint]) -> Callable[..., Any]:
    """Return the loss as a function of parameters, a weight for each constraint and all arrays.

    A weight has the shape () or that of the residual, and multiplies the squares.
    """

    def loss(parameters: Parameters, *weights_and_arrays: Any) -> Any:
        weights = weights_and_arrays[: len(constraints)]
        squares = _squares(constraints, parameters, weights_and_arrays[len(constraints) :])
        total = None
        for weight, square in zip(weights, squares, strict=True):
            part = (weight * square).mean()
            total = part if total is None else total + part
        return total

    return loss


def part_losses(constraints: Sequence[Constraint]) -> Callable[..., list[Any]]:
    """Return the mean squared residual of each constraint, without weights."""

    def parts(parameters: Parameters, *arrays: Any) -> list[Any]:
        return [square.mean() for square in _squares(constraints, parameters, arrays)]

    return parts


def _squares(
    constraints: Sequence[Constraint], parameters: Parameters, arrays: Sequence[Any]
) -> Iterator[Any]:
    """Yield the squared residuals of each constraint."""
    first = 0
    for constraint in constraints:
        last = first + len(constraint.arrays)
        residual = constraint.residual(parameters, *arrays[first:last])
        yield residual * residual
        first = last


def all_arrays(constraints: Sequence[Constraint]) -> list[Array]:
    """Return the arrays of all constraints in the order the losses take them."""
    return [array for constraint in constraints for array in constraint.arrays]
