"""Flow driven by buoyancy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import grad
from ..pde import PDE, TIME, space_time, unknowns
from .manufactured import smooth
from .navier_stokes import NavierStokes
from .tensors import advection, diffusion


@final
@dataclass(frozen=True)
class Boussinesq(PDE):
    """The Navier-Stokes equations with f = -rho beta (T - T_0) g and heat carried by the flow.

    The energy equation is rho c (T_t + u . grad(T)) = div(k grad(T)) + q. The residuals are those
    of `NavierStokes` and ``energy``.

    Parameters
    ----------
    density
        rho, density [kg/m^3]; positive.
    viscosity
        mu, dynamic viscosity [Pa s]; positive.
    gravity
        g, acceleration of gravity [m/s^2].
    expansion
        beta, thermal expansion [1/K].
    reference
        T_0, temperature without buoyancy [K].
    heat_capacity
        c, specific heat [J/(kg K)]; positive.
    conductivity
        k, thermal conductivity [W/(m K)]; positive.
    heat_source
        q, heat source [W/m^3].
    dimension
        2 or 3.
    steady
        Whether nothing changes in time and time is no coordinate.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range, or g has another number of components.

    References
    ----------
    Tritton (1988), Physical Fluid Dynamics.
    """

    density: Coefficient = coefficient("rho", "kg/m^3", 1.0, "density", positive=True)
    viscosity: Coefficient = coefficient("mu", "Pa s", 0.01, "dynamic viscosity", positive=True)
    gravity: tuple[Coefficient, ...] = coefficient("g", "m/s^2", (), "acceleration of gravity")
    expansion: Coefficient = coefficient("beta", "1/K", 1.0, "thermal expansion")
    reference: Coefficient = coefficient("T_0", "K", 0.0, "temperature without buoyancy")
    heat_capacity: Coefficient = coefficient("c", "J/(kg K)", 1.0, "specific heat", positive=True)
    conductivity: Coefficient = coefficient(
        "k", "W/(m K)", 1.0, "thermal conductivity", positive=True
    )
    heat_source: Coefficient = coefficient("q", "W/m^3", 0.0, "heat source")
    dimension: int = 2
    steady: bool = False

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension, self.steady, least=2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return (*self.flow.fields, *unknowns("T", self.coordinates))

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (*velocity, _, T) = self.spatial, self.fields
        rho, _, _, _, _, c, k, q = self.coefficient_values()
        carried = rho * c * (T.diff(TIME) + advection(velocity, T, X))
        return self.flow.residuals() | {"energy": carried - diffusion(T, k, X) - q}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the vorticity and the heat flux -k grad(T)."""
        X, T, k = self.spatial, self.fields[-1], self.coefficient_values()[6]
        flux = {f"heat_flux_{x}": -k * g for x, g in zip(X, grad(T, X), strict=True)}
        return self.flow.derived() | flux

    def units(self) -> dict[str, str]:
        return self.flow.units() | {"T": "K"} | {f"heat_flux_{x}": "W/m^2" for x in self.spatial}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    @property
    def flow(self) -> NavierStokes:
        """The equations of the flow with the buoyancy as force."""
        rho, mu, gravity, beta, reference, *_ = self.coefficient_values()
        (T,) = unknowns("T", self.coordinates)
        force = tuple(-rho * beta * (T - reference) * g for g in gravity)
        return NavierStokes(rho, mu, force, self.dimension, self.steady)
