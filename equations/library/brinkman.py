"""The Brinkman equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, space
from .manufactured import smooth
from .stokes import Stokes


@final
@dataclass(frozen=True)
class Brinkman(PDE):
    """div(u) = 0, -div(2 mu_e e) + (mu/K) u + grad(p) = f, flow in a very porous medium.

    The equations of `Stokes` with the effective viscosity mu_e and the drag mu/K; the residuals
    have the same names.

    Parameters
    ----------
    effective_viscosity
        mu_e, effective viscosity [Pa s]; positive.
    viscosity
        mu, dynamic viscosity [Pa s]; positive.
    permeability
        K, permeability [m^2]; positive.
    force
        f, force per unit volume [N/m^3].
    dimension
        2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range, or f has another number of components.

    References
    ----------
    Nield and Bejan (2006), Convection in Porous Media, section 1.5.3.
    """

    effective_viscosity: Coefficient = coefficient(
        "mu_e", "Pa s", 1.0, "effective viscosity", positive=True
    )
    viscosity: Coefficient = coefficient("mu", "Pa s", 1.0, "dynamic viscosity", positive=True)
    permeability: Coefficient = coefficient("K", "m^2", 1.0, "permeability", positive=True)
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    dimension: int = 2

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(self.dimension, least=2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return Stokes(dimension=self.dimension).fields

    def residuals(self) -> dict[str, sympy.Expr]:
        (*velocity, _), (mu_e, mu, K, force) = self.fields, self.coefficient_values()
        net = tuple(f - mu / K * u for f, u in zip(force, velocity, strict=True))
        return Stokes(mu_e, net, self.dimension).residuals()

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return Stokes(dimension=self.dimension).units()

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
