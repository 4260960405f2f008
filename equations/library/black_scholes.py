"""The Black-Scholes equation."""

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
class BlackScholes(PDE):
    """V_t + sigma^2 x^2 V_xx/2 + (r - q) x V_x - r V = 0, the price of an option.

    x is the price of the share in units of currency.
    The residual ``black_scholes`` is the left side.

    Parameters
    ----------
    volatility
        sigma, volatility [1/s^(1/2)]; positive.
    rate
        r, interest rate [1/s].
    dividend
        q, dividend yield [1/s].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Black and Scholes (1973), J. Polit. Econ. 81, equation 7; Hull (2018), chapter 15.
    """

    volatility: Coefficient = coefficient("sigma", "1/s^(1/2)", 0.2, "volatility", positive=True)
    rate: Coefficient = coefficient("r", "1/s", 0.05, "interest rate")
    dividend: Coefficient = coefficient("q", "1/s", 0.0, "dividend yield")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(1)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("V", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (x,), (V,), (sigma, r, q) = self.spatial, self.fields, self.coefficient_values()
        spread = sigma**2 * x**2 * V.diff(x, 2) / 2
        return {"black_scholes": V.diff(TIME) + spread + (r - q) * x * V.diff(x) - r * V}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the sensitivities V_x and V_xx."""
        (x,), (V,) = self.spatial, self.fields
        return {"delta": V.diff(x), "gamma": V.diff(x, 2)}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {
            "x": "currency",
            "V": "currency",
            "delta": "-",
            "gamma": "1/currency",
        }

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
