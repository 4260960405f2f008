"""Weights that are given functions of the place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from sciml.equations import parse_expression
from sciml.framework.errors import ConfigError
from sciml.problem.constraint import Array, Constraint, Supply

from ..optimisers.base import require
from .base import Balancer, Weighing, check_names
from .view import View

_DISTANCE = "sdf"


@final
@dataclass(frozen=True)
class WeightFunctions(Balancer):
    """Weights that are functions of the coordinates and of the distance to the boundary.

    ``{"poisson": "sdf"}`` takes the distance itself: residuals count less near a boundary whose
    data jump, where no smooth function can satisfy them.

    Parameters
    ----------
    functions : Mapping of str to str
        For a constraint by name a text in its coordinates and ``sdf``, the distance to the
        boundary of the domain [unit of the coordinates]; others have the weight one. Values are
        at least zero and not all zero.
    every : int
        Kept for all balancers alike; these weights change with the points only.
    factors : Mapping of str to float
        What the weights are multiplied by, by name of the constraint, 1 where none is given.

    Raises
    ------
    ConfigError
        If there is no function, one names no constraint or one whose points are given, or its
        values are no weights.

    References
    ----------
    Hennigh et al. (2021), NVIDIA SimNet, section on signed distance weighting.
    """

    every: int = 1
    functions: Mapping[str, str] = field(default_factory=dict)

    def check_settings(self) -> None:
        """Refuse an empty mapping."""
        require(bool(self.functions), "WeightFunctions", "a function or more",
                functions=self.functions)  # fmt: skip

    @property
    def by_point(self) -> bool:
        return False  # weights are found anew for the points there are

    def check(self, constraints: Sequence[Constraint]) -> None:
        """Refuse names of no constraint, those without coordinates, and values below zero."""
        check_names("WeightFunctions", tuple(self.functions), constraints)
        for c in constraints:
            if c.name in self.functions:
                self._values(c)

    def update(self, view: View, before: Weighing | None) -> Weighing:
        weights: list[Array] = [
            self._values(c) if c.name in self.functions else np.ones(()) for c in view.constraints
        ]
        return Weighing(tuple(weights))

    def _values(self, constraint: Constraint) -> Array:
        import sympy

        supply, name = constraint.supply, constraint.name
        if supply is None:
            raise ConfigError(f"WeightFunctions: the points of {name!r} are given without a domain")
        names = (*supply.coordinates, _DISTANCE)
        expression = parse_expression(self.functions[name], names)
        X = np.asarray(constraint.arrays[0], dtype=float)
        function = sympy.lambdify([sympy.Symbol(n) for n in names], expression)
        columns: list[Any] = [*X.T, _distance(supply, X) if _DISTANCE in _names(expression) else 0]
        values = np.broadcast_to(np.asarray(function(*columns), dtype=float), (len(X),))
        if not (np.isfinite(values).all() and (values >= 0.0).all() and values.any()):
            raise ConfigError(
                f"WeightFunctions: {self.functions[name]!r} for {name!r} must be numbers of at "
                f"least 0, not all 0; its values go from {values.min():g} to {values.max():g}"
            )
        return np.array(values)


def _distance(supply: Supply, X: Array) -> Array:
    # rounding may leave a point of the boundary on either side
    return np.asarray(np.maximum(-np.asarray(supply.distance(X), dtype=float), 0.0))


def _names(expression: Any) -> set[str]:
    return {symbol.name for symbol in expression.free_symbols}
