"""The k-omega model of turbulence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth
from .navier_stokes import NavierStokes
from .tensors import advection, contraction, diffusion, isotropic_stress, strain


@final
@dataclass(frozen=True)
class KOmega(PDE):
    """The mean flow with viscosity mu + mu_t, mu_t = rho k/omega, and transport of k, omega.

    With the production P = 2 mu_t e : e the residuals are those of `NavierStokes` and left minus
    right side of ``energy``, rho Dk/Dt = div((mu + sigma_k mu_t) grad(k)) + P - C_k rho k omega,
    and of ``frequency``,
    rho Domega/Dt = div((mu + sigma_o mu_t) grad(omega)) + (C_1 P/k - C_2 rho omega) omega.
    The pressure holds 2 rho k/3.

    Parameters
    ----------
    density
        rho, density [kg/m^3]; positive.
    viscosity
        mu, dynamic viscosity [Pa s]; positive.
    energy_destruction
        C_k, factor of the destruction of k [-]; positive; constant.
    production_factor
        C_1, factor of the production [-]; positive; constant.
    destruction_factor
        C_2, factor of the destruction [-]; positive; constant.
    energy_diffusion
        sigma_k, diffusion of k [-]; positive; constant.
    frequency_diffusion
        sigma_o, diffusion of omega [-]; positive; constant.
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
    Wilcox (1988), AIAA Journal 26.
    """

    density: Coefficient = coefficient("rho", "kg/m^3", 1.0, "density", positive=True)
    viscosity: Coefficient = coefficient("mu", "Pa s", 0.01, "dynamic viscosity", positive=True)
    energy_destruction: Coefficient = coefficient(
        "C_k", "-", 0.09, "factor of the destruction of k", positive=True, constant=True
    )
    production_factor: Coefficient = coefficient(
        "C_1", "-", 0.5555555555555556, "factor of the production", positive=True, constant=True
    )
    destruction_factor: Coefficient = coefficient(
        "C_2", "-", 0.075, "factor of the destruction", positive=True, constant=True
    )
    energy_diffusion: Coefficient = coefficient(
        "sigma_k", "-", 0.5, "diffusion of k", positive=True, constant=True
    )
    frequency_diffusion: Coefficient = coefficient(
        "sigma_o", "-", 0.5, "diffusion of omega", positive=True, constant=True
    )
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    dimension: int = 2
    steady: bool = False

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension, self.steady, least=2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return (*self.flow.fields, *unknowns("k omega", self.coordinates))

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (*velocity, _, k, omega) = self.spatial, self.fields
        rho, mu, C_k, C_1, C_2, sigma_k, sigma_o, _ = self.coefficient_values()
        eddy = self.derived()["eddy_viscosity"]
        stress = isotropic_stress(velocity, sympy.Integer(0), eddy, X)
        production = contraction(stress, strain(velocity, X))

        def transport(f: sympy.Expr, share: sympy.Expr) -> sympy.Expr:
            carried = rho * (f.diff(TIME) + advection(velocity, f, X))
            return carried - diffusion(f, mu + share * eddy, X)

        balance = C_1 * production / k - C_2 * rho * omega
        return self.flow.residuals() | {
            "energy": transport(k, sigma_k) - production + C_k * rho * k * omega,
            "frequency": transport(omega, sigma_o) - balance * omega,
        }

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the eddy viscosity mu_t."""
        k, omega = unknowns("k omega", self.coordinates)
        return {"eddy_viscosity": self.coefficient_values()[0] * k / omega}

    def units(self) -> dict[str, str]:
        velocity = dict.fromkeys(("u", "v", "w")[: self.dimension], "m/s")
        return (
            coordinate_units(self.coordinates)
            | velocity
            | {"p": "Pa", "k": "m^2/s^2", "omega": "1/s", "eddy_viscosity": "Pa s"}
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields, positive=("k", "omega"))

    @property
    def flow(self) -> NavierStokes:
        """The equations of the mean flow with the eddy viscosity."""
        rho, mu, *_, force = self.coefficient_values()
        viscosity = mu + self.derived()["eddy_viscosity"]
        return NavierStokes(rho, viscosity, force, self.dimension, self.steady)
