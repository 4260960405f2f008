"""Predator and prey of Lotka and Volterra."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, TIME, coordinate_units, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class LotkaVolterra(PDE):
    """u' = alpha u - beta u v, v' = delta u v - gamma v.

    The residuals are ``prey`` for u and ``predator`` for v.

    Parameters
    ----------
    growth
        alpha, growth of the prey [1/s].
    predation
        beta, predation [1/s].
    reproduction
        delta, reproduction of the predator [1/s].
    death
        gamma, death of the predator [1/s].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Murray (2002), Mathematical Biology I, section 3.1.
    """

    growth: Coefficient = coefficient("alpha", "1/s", 1.0, "growth of the prey")
    predation: Coefficient = coefficient("beta", "1/s", 1.0, "predation")
    reproduction: Coefficient = coefficient("delta", "1/s", 1.0, "reproduction of the predator")
    death: Coefficient = coefficient("gamma", "1/s", 1.0, "death of the predator")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return (TIME,)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u v", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (u, v), (alpha, beta, delta, gamma) = self.fields, self.coefficient_values()
        return {
            "prey": u.diff(TIME) - alpha * u + beta * u * v,
            "predator": v.diff(TIME) - delta * u * v + gamma * v,
        }

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "-", "v": "-"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields, positive=("u", "v"))
