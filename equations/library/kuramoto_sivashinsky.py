"""The Kuramoto-Sivashinsky equation."""

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
class KuramotoSivashinsky(PDE):
    """u_t + u u_x + a u_xx + b u_xxxx = 0, flame fronts and thin films.

    The residual ``kuramoto_sivashinsky`` is the left side; a feeds long waves, b damps short ones.

    Parameters
    ----------
    growth
        a, negative diffusion [m^2/s].
    damping
        b, damping of short waves [m^4/s]; positive.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Kuramoto (1984), Chemical Oscillations, Waves and Turbulence, chapter 7.
    """

    growth: Coefficient = coefficient("a", "m^2/s", 1.0, "negative diffusion")
    damping: Coefficient = coefficient("b", "m^4/s", 1.0, "damping of short waves", positive=True)

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(1)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (x,), (u,), (a, b) = self.spatial, self.fields, self.coefficient_values()
        residual = u.diff(TIME) + u * u.diff(x) + a * u.diff(x, 2) + b * u.diff(x, 4)
        return {"kuramoto_sivashinsky": residual}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "m/s"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
