"""The system of Lorenz."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, TIME, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class Lorenz(PDE):
    """X' = sigma (Y - X), Y' = X (rho - Z) - Y, Z' = X Y - beta Z.

    The residuals are ``rate_x``, ``rate_y``, ``rate_z`` of the fields X, Y, Z without dimension.

    Coordinates, fields and coefficients are numbers, over the scales of the model.

    Parameters
    ----------
    prandtl
        sigma, Prandtl number [-].
    rayleigh
        rho, ratio of Rayleigh numbers [-].
    aspect
        beta, shape of the cells [-].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Lorenz (1963), J. Atmos. Sci. 20, equations 25-27.
    """

    prandtl: Coefficient = coefficient("sigma", "-", 10.0, "Prandtl number")
    rayleigh: Coefficient = coefficient("rho", "-", 28.0, "ratio of Rayleigh numbers")
    aspect: Coefficient = coefficient("beta", "-", 8 / 3, "shape of the cells")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return (TIME,)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("X Y Z", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (X, Y, Z), (sigma, rho, beta) = self.fields, self.coefficient_values()
        return {
            "rate_x": X.diff(TIME) - sigma * (Y - X),
            "rate_y": Y.diff(TIME) - X * (rho - Z) + Y,
            "rate_z": Z.diff(TIME) - X * Y + beta * Z,
        }

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return dict.fromkeys(map(str, self.coordinates), "-") | dict.fromkeys("XYZ", "-")

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
