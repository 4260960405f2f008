"""Values that are known at points, measured or chosen."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..pde import PDE
from .condition import Condition

MEASURED = sympy.Symbol("measured")
"""The known value at a point, given with the points."""


@final
@dataclass(frozen=True)
class Data(Condition):
    """A field equals known values at given points; the residual is named after the field.

    Parameters
    ----------
    field
        Name of the field.
    points
        Coordinates of the points inside the domain, n rows of d numbers; an array will do.
    values
        Known values, n numbers in the unit of the field.
    name
        Name of the place in records.

    Raises
    ------
    EquationError
        If the shapes do not fit or a number is not finite.

    Examples
    --------
    >>> Data("u", [(0.0, 0.5), (1.0, 0.5)], [1.0, 2.0]).where
    'data'
    """

    field: str
    points: tuple[tuple[float, ...], ...]
    values: tuple[float, ...]
    name: str = "data"

    def __post_init__(self) -> None:
        where = f"Data of {self.field!r}"
        try:
            points = tuple(_finite(row, where) for row in self.points)
        except TypeError:
            raise EquationError(f"{where}: points must be rows of coordinates") from None
        values = _finite(self.values, where)
        if not points or len({len(row) for row in points}) > 1 or len(points) != len(values):
            raise EquationError(
                f"{where}: give one value per point and equally many coordinates for all points, "
                f"got {len(points)} points with {sorted({len(row) for row in points})} "
                f"coordinates and {len(values)} values"
            )
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "values", values)

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    @property
    def where(self) -> str:
        return self.name

    @property
    def names(self) -> tuple[str, ...]:
        return (self.field,)

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        return {self.field: measured_residual(self.field, self.points[0], pde)}


@final
@dataclass(frozen=True)
class PointValue(Condition):
    """A field has a value at one point, such as a pressure that is else free by a constant.

    Parameters
    ----------
    field
        Name of the field; the residual is named after it.
    at
        Coordinates of the point, inside the domain or on its boundary.
    value
        Known value in the unit of the field.

    Examples
    --------
    >>> PointValue("p", (0.0, 0.0)).where
    'point'
    """

    field: str
    at: tuple[float, ...]
    value: float = 0.0

    def __post_init__(self) -> None:
        where = f"PointValue of {self.field!r}"
        object.__setattr__(self, "at", _finite(self.at, where))
        object.__setattr__(self, "value", _finite((self.value,), where)[0])

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    @property
    def where(self) -> str:
        return "point"

    @property
    def names(self) -> tuple[str, ...]:
        return (self.field,)

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        return {self.field: measured_residual(self.field, self.at, pde)}


def measured_residual(field: str, point: tuple[float, ...], pde: PDE) -> sympy.Expr:
    """Return the field minus its known value, after a look at the number of coordinates."""
    if len(point) != len(pde.coordinates):
        raise EquationError(
            f"values of {field!r}: points need the coordinates "
            f"{', '.join(map(str, pde.coordinates))}, got {point}"
        )
    return pde.field(field) - MEASURED


def _finite(numbers: Iterable[float], where: str) -> tuple[float, ...]:
    try:
        result = tuple(float(x) for x in numbers)
    except (TypeError, ValueError):
        raise EquationError(f"{where}: expected a row of numbers, got {numbers!r}") from None
    if not all(map(math.isfinite, result)):
        raise EquationError(f"{where}: numbers must be finite, got {result}")
    return result
