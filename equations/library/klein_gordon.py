"""The nonlinear Klein-Gordon equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import laplacian
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class KleinGordon(PDE):
    """u_tt - c^2 laplacian(u) + m^2 u + g u^3 = f, a field with mass.

    The residual ``klein_gordon`` is the left side minus f.

    Parameters
    ----------
    speed
        c, speed of propagation [m/s]; positive.
    mass
        m, frequency of the mass [1/s].
    cubic
        g, strength of the cubic term [1/(s^2 u^2)].
    source
        f, source [u/s^2].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Drazin and Johnson (1989), Solitons: an Introduction.
    """

    speed: Coefficient = coefficient("c", "m/s", 1.0, "speed of propagation", positive=True)
    mass: Coefficient = coefficient("m", "1/s", 1.0, "frequency of the mass")
    cubic: Coefficient = coefficient("g", "1/(s^2 u^2)", 0.0, "strength of the cubic term")
    source: Coefficient = coefficient("f", "u/s^2", 0.0, "source")
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (u,), (c, m, g, f) = self.fields, self.coefficient_values()
        wave = u.diff(TIME, 2) - c**2 * laplacian(u, self.spatial)
        return {"klein_gordon": wave + m**2 * u + g * u**3 - f}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "u"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
