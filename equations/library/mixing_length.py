"""Turbulence by Prandtl's mixing length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, coordinate_units, space_time
from .manufactured import smooth
from .navier_stokes import NavierStokes
from .tensors import contraction, strain


@final
@dataclass(frozen=True)
class MixingLength(PDE):
    """The mean flow with viscosity mu + mu_t, mu_t = rho l^2 sqrt(2 e : e), the zero-equation
    model.

    e is the rate of strain; near a wall l = 0.41 times the distance. The residuals are those of
    `NavierStokes`.

    Parameters
    ----------
    density
        rho, density [kg/m^3]; positive.
    viscosity
        mu, dynamic viscosity [Pa s]; positive.
    length
        l, mixing length [m].
    force
        f, force per unit volume [N/m^3].
    dimension
        2 or 3.
    steady
        Whether nothing changes in time and time is no coordinate.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Pope (2000), Turbulent Flows, section 10.1.
    """

    density: Coefficient = coefficient("rho", "kg/m^3", 1.0, "density", positive=True)
    viscosity: Coefficient = coefficient("mu", "Pa s", 0.01, "dynamic viscosity", positive=True)
    length: Coefficient = coefficient("l", "m", 0.1, "mixing length")
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    dimension: int = 2
    steady: bool = False

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension, self.steady, least=2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return self.flow.fields

    def residuals(self) -> dict[str, sympy.Expr]:
        return self.flow.residuals()

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the eddy viscosity mu_t."""
        rho, mu, length, _ = self.coefficient_values()
        plain = NavierStokes(rho, mu, (), self.dimension, self.steady)
        rates = strain(plain.fields[:-1], self.spatial)
        shear = sympy.sqrt(2 * contraction(rates, rates))
        return {"eddy_viscosity": rho * length**2 * shear}

    def units(self) -> dict[str, str]:
        velocity = dict.fromkeys(("u", "v", "w")[: self.dimension], "m/s")
        return coordinate_units(self.coordinates) | velocity | {"p": "Pa", "eddy_viscosity": "Pa s"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    @property
    def flow(self) -> NavierStokes:
        """The equations of the mean flow with the eddy viscosity."""
        rho, mu, _, force = self.coefficient_values()
        viscosity = mu + self.derived()["eddy_viscosity"]
        return NavierStokes(rho, viscosity, force, self.dimension, self.steady)
