"""The equation of optimal control of a linear system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class HamiltonJacobiBellman(PDE):
    """V_t + a x V_x - b^2 V_x^2/(4 r) + q x^2 = 0, the least cost of steering x' = a x + b u.

    The cost is the integral of q x^2 + r u^2 from t to the end; the minimum over u is at
    u = -b V_x/(2 r). The residual ``bellman`` is the left side; V is given at the end.

    Parameters
    ----------
    drift
        a, growth without control [1/s].
    gain
        b, effect of the control [m/(s u)].
    state_cost
        q, cost of the state [cost/(m^2 s)].
    control_cost
        r, cost of the control [cost/(s u^2)]; positive.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Fleming and Soner (2006), Controlled Markov Processes and Viscosity Solutions, section I.5.
    """

    drift: Coefficient = coefficient("a", "1/s", 1.0, "growth without control")
    gain: Coefficient = coefficient("b", "m/(s u)", 1.0, "effect of the control")
    state_cost: Coefficient = coefficient("q", "cost/(m^2 s)", 1.0, "cost of the state")
    control_cost: Coefficient = coefficient(
        "r", "cost/(s u^2)", 1.0, "cost of the control", positive=True
    )

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(1)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("V", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (x, _), (V,), (a, b, q, r) = self.coordinates, self.fields, self.coefficient_values()
        steering = a * x * V.diff(x) - b**2 * V.diff(x) ** 2 / (4 * r)
        return {"bellman": V.diff(TIME) + steering + q * x**2}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the best control u = -b V_x/(2 r)."""
        (x, _), (V,), (_, b, _, r) = self.coordinates, self.fields, self.coefficient_values()
        return {"control": -b * V.diff(x) / (2 * r)}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"V": "cost", "control": "u"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
