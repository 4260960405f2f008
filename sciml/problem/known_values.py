"""Values of a solution that are known at some points, such as measured or published ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from sciml.framework.errors import EquationError

from .comparison import FieldError, compare
from .problem import Problem
from .solution import Solution


@final
@dataclass(frozen=True, eq=False)
class KnownValues:
    """Values at points, to compare a solution with at these points.

    Parameters
    ----------
    points : array
        Coordinates, n rows of d numbers.
    values : Mapping of str to array
        For a field or derived quantity n numbers in its unit.
    name : str
        What they are, for tables.

    Raises
    ------
    EquationError
        If there is no point or no value, the numbers of both differ, or one is not finite.

    Examples
    --------
    >>> known = KnownValues([[0.5, 0.5]], {"w": [4.06e-3]}, "Timoshenko (1959)")
    >>> known.points.shape
    (1, 2)
    """

    points: Any
    values: Mapping[str, Any]
    name: str = "known values"

    def __post_init__(self) -> None:
        """Refuse numbers that do not fit each other."""
        try:
            points = np.array(self.points, dtype=float)
            values = {name: np.array(v, dtype=float) for name, v in self.values.items()}
        except (TypeError, ValueError) as error:
            raise EquationError(f"KnownValues: expected rows of numbers: {error}") from None
        if points.ndim != 2 or not points.size or not values:
            raise EquationError(
                f"KnownValues: expected points of shape (n, d) and values, got {points.shape} and "
                f"{len(values)} quantities"
            )
        for name, numbers in values.items():
            if numbers.shape != (len(points),):
                raise EquationError(
                    f"KnownValues: {name!r} needs one value for each of {len(points)} points, got "
                    f"shape {numbers.shape}"
                )
        if not all(np.isfinite(numbers).all() for numbers in (points, *values.values())):
            raise EquationError("KnownValues: every number must be finite")
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "values", values)

    def require_fit(self, problem: Problem) -> None:
        """Refuse values of another problem.

        Raises
        ------
        EquationError
            If a name is no quantity of the problem, or a point does not lie in its domain.
        """
        known = [f.func.__name__ for f in problem.pde.fields] + list(problem.pde.derived())
        for name in self.values:
            if name not in known:
                raise EquationError(
                    f"KnownValues: no quantity {name!r}; known are {', '.join(known)}"
                )
        dimension = problem.geometry.dimension
        if self.points.shape[1] != dimension:
            raise EquationError(
                f"KnownValues: points need {dimension} coordinates, got {self.points.shape[1]}"
            )
        outside = self.points[~np.asarray(problem.geometry.contains(self.points))]
        if len(outside):
            raise EquationError(
                f"KnownValues: {len(outside)} points lie outside the domain, the first at "
                f"{tuple(outside[0].tolist())}"
            )

    def errors(self, solution: Solution) -> dict[str, FieldError]:
        """Return the relative L2 and the largest absolute error of a solution by name."""
        return compare(solution.evaluate(list(self.values), self.points), self.values, self.name)
