"""The equation of Fisher, Kolmogorov, Petrovsky and Piskunov."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth
from .tensors import diffusion


@final
@dataclass(frozen=True)
class FisherKPP(PDE):
    """u_t = div(D grad(u)) + r u (1 - u/K), a population that grows and spreads.

    The residual ``fisher_kpp`` is u_t - div(D grad(u)) - r u (1 - u/K).

    Parameters
    ----------
    diffusivity
        D, diffusivity [m^2/s]; positive.
    growth
        r, rate of growth [1/s].
    capacity
        K, carrying capacity [u]; positive.
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Murray (2002), Mathematical Biology I, section 13.2.
    """

    diffusivity: Coefficient = coefficient("D", "m^2/s", 1.0, "diffusivity", positive=True)
    growth: Coefficient = coefficient("r", "1/s", 1.0, "rate of growth")
    capacity: Coefficient = coefficient("K", "u", 1.0, "carrying capacity", positive=True)
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (u,), (D, r, K) = self.spatial, self.fields, self.coefficient_values()
        return {"fisher_kpp": u.diff(TIME) - diffusion(u, D, X) - r * u * (1 - u / K)}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "u"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields, positive=("u",))
