"""The stiff reaction of Robertson."""

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
class Robertson(PDE):
    """a' = -k1 a + k3 b c, b' = k1 a - k3 b c - k2 b^2, c' = k2 b^2.

    The residuals are ``rate_a``, ``rate_b``, ``rate_c``.

    Parameters
    ----------
    slow
        k1, rate of A [1/s].
    fast
        k2, rate of B [1/s].
    middle
        k3, rate of B with C [1/s].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Robertson (1966); Hairer and Wanner (1996), Solving Ordinary Differential Equations II,
    section IV.1.
    """

    slow: Coefficient = coefficient("k1", "1/s", 0.04, "rate of A")
    fast: Coefficient = coefficient("k2", "1/s", 3e7, "rate of B")
    middle: Coefficient = coefficient("k3", "1/s", 1e4, "rate of B with C")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return (TIME,)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("a b c", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (a, b, c), (k1, k2, k3) = self.fields, self.coefficient_values()
        first, second, third = k1 * a, k2 * b**2, k3 * b * c
        return {
            "rate_a": a.diff(TIME) + first - third,
            "rate_b": b.diff(TIME) - first + third + second,
            "rate_c": c.diff(TIME) - second,
        }

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | dict.fromkeys("abc", "-")

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields, positive="abc")
