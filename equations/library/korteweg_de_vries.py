"""The Korteweg-de Vries equation."""

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
class KortewegDeVries(PDE):
    """u_t + a u u_x + b u_xxx = 0, long waves on shallow water.

    The residual ``korteweg_de_vries`` is the left side; a = 6, b = 1 is the usual scaling.

    Parameters
    ----------
    steepening
        a, strength of the nonlinear term [m/(s u)].
    dispersion
        b, dispersion [m^3/s].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Drazin and Johnson (1989), Solitons: an Introduction, chapter 1.
    """

    steepening: Coefficient = coefficient("a", "m/(s u)", 6.0, "strength of the nonlinear term")
    dispersion: Coefficient = coefficient("b", "m^3/s", 1.0, "dispersion")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(1)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (x,), (u,), (a, b) = self.spatial, self.fields, self.coefficient_values()
        return {"korteweg_de_vries": u.diff(TIME) + a * u * u.diff(x) + b * u.diff(x, 3)}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the density of the conserved momentum, u^2 / 2."""
        (u,) = self.fields
        return {"momentum": u**2 / 2}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "u", "momentum": "u^2"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
