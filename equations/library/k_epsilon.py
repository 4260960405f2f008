"""The k-epsilon model of turbulence."""

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
class KEpsilon(PDE):
    """The mean flow with viscosity mu + mu_t, mu_t = rho C_mu k^2/eps, and transport of k, eps.

    With the production P = 2 mu_t e : e the residuals are those of `NavierStokes` and left minus
    right side of ``energy``, rho Dk/Dt = div((mu + mu_t/sigma_k) grad(k)) + P - rho eps, and of
    ``dissipation``, rho Deps/Dt = div((mu + mu_t/sigma_e) grad(eps)) + (C_1 P - C_2 rho eps) eps/k.
    The pressure holds 2 rho k/3. It ends at a `WallFunction` near walls.

    Parameters
    ----------
    density
        rho, density [kg/m^3]; positive.
    viscosity
        mu, dynamic viscosity [Pa s]; positive.
    viscosity_factor
        C_mu, factor of the eddy viscosity [-]; positive; constant.
    production_factor
        C_1, factor of the production [-]; positive; constant.
    destruction_factor
        C_2, factor of the destruction [-]; positive; constant.
    energy_prandtl
        sigma_k, Prandtl number of k [-]; positive; constant.
    dissipation_prandtl
        sigma_e, Prandtl number of eps [-]; positive; constant.
    force
        f, force per unit volume [N/m^3].
    dimension
        2 or 3.
    steady
        Whether nothing changes in time and time is no coordinate.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range, or f has another number of components.

    References
    ----------
    Launder and Spalding (1974), Comput. Methods Appl. Mech. Eng. 3.
    """

    density: Coefficient = coefficient("rho", "kg/m^3", 1.0, "density", positive=True)
    viscosity: Coefficient = coefficient("mu", "Pa s", 0.01, "dynamic viscosity", positive=True)
    viscosity_factor: Coefficient = coefficient(
        "C_mu", "-", 0.09, "factor of the eddy viscosity", positive=True, constant=True
    )
    production_factor: Coefficient = coefficient(
        "C_1", "-", 1.44, "factor of the production", positive=True, constant=True
    )
    destruction_factor: Coefficient = coefficient(
        "C_2", "-", 1.92, "factor of the destruction", positive=True, constant=True
    )
    energy_prandtl: Coefficient = coefficient(
        "sigma_k", "-", 1.0, "Prandtl number of k", positive=True, constant=True
    )
    dissipation_prandtl: Coefficient = coefficient(
        "sigma_e", "-", 1.3, "Prandtl number of eps", positive=True, constant=True
    )
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    dimension: int = 2
    steady: bool = False

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension, self.steady, least=2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return (*self.flow.fields, *unknowns("k eps", self.coordinates))

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (*velocity, _, k, eps) = self.spatial, self.fields
        rho, mu, _, C_1, C_2, sigma_k, sigma_e, _ = self.coefficient_values()
        eddy = self.derived()["eddy_viscosity"]
        stress = isotropic_stress(velocity, sympy.Integer(0), eddy, X)
        production = contraction(stress, strain(velocity, X))

        def transport(f: sympy.Expr, prandtl: sympy.Expr) -> sympy.Expr:
            carried = rho * (f.diff(TIME) + advection(velocity, f, X))
            return carried - diffusion(f, mu + eddy / prandtl, X)

        return self.flow.residuals() | {
            "energy": transport(k, sigma_k) - production + rho * eps,
            "dissipation": transport(eps, sigma_e) - (C_1 * production - C_2 * rho * eps) * eps / k,
        }

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the eddy viscosity mu_t."""
        rho, _, C_mu, *_ = self.coefficient_values()
        k, eps = unknowns("k eps", self.coordinates)
        return {"eddy_viscosity": rho * C_mu * k**2 / eps}

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates)
            | {"p": "Pa", "k": "m^2/s^2", "eps": "m^2/s^3", "eddy_viscosity": "Pa s"}
            | dict.fromkeys(("u", "v", "w")[: self.dimension], "m/s")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields, positive=("k", "eps"))

    @property
    def flow(self) -> NavierStokes:
        """The equations of the mean flow with the eddy viscosity."""
        rho, mu, *_, force = self.coefficient_values()
        viscosity = mu + self.derived()["eddy_viscosity"]
        return NavierStokes(rho, viscosity, force, self.dimension, self.steady)
