"""Advection, diffusion and reaction of a scalar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import grad
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth
from .tensors import advection, diffusion


@final
@dataclass(frozen=True)
class AdvectionDiffusion(PDE):
    """u_t + a . grad(u) = div(D grad(u)) - sigma u + f, a scalar carried by a flow.

    The residual ``advection_diffusion`` is u_t + a . grad(u) - div(D grad(u)) + sigma u - f.

    Parameters
    ----------
    velocity
        a, velocity of the flow [m/s].
    diffusivity
        D, diffusivity [m^2/s]; positive.
    decay
        sigma, rate of a first-order reaction [1/s].
    source
        f, source [u/s].
    dimension
        1, 2 or 3.
    steady
        Whether u_t = 0 and time is no coordinate.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range, or a has another number of components.

    References
    ----------
    Hundsdorfer and Verwer (2003), Numerical Solution of Time-Dependent
    Advection-Diffusion-Reaction Equations, section I.1.
    """

    velocity: tuple[Coefficient, ...] = coefficient("a", "m/s", (), "velocity of the flow")
    diffusivity: Coefficient = coefficient("D", "m^2/s", 1.0, "diffusivity", positive=True)
    decay: Coefficient = coefficient("sigma", "1/s", 0.0, "rate of a first-order reaction")
    source: Coefficient = coefficient("f", "u/s", 0.0, "source")
    dimension: int = 1
    steady: bool = False

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension, self.steady)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (u,), (a, D, sigma, f) = self.spatial, self.fields, self.coefficient_values()
        carried = u.diff(TIME) + advection(a, u, X)
        return {"advection_diffusion": carried - diffusion(u, D, X) + sigma * u - f}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the flux a u - D grad(u) by components, flux_x, flux_y, flux_z."""
        X, (u,), (a, D, _, _) = self.spatial, self.fields, self.coefficient_values()
        gradient = zip(X, a, grad(u, X), strict=True)
        return {f"flux_{x}": velocity * u - D * slope for x, velocity, slope in gradient}

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates) | {"u": "u"} | dict.fromkeys(self.derived(), "u m/s")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
