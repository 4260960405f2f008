"""The incompressible Navier-Stokes equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..curvilinear import CARTESIAN
from ..declarations import coefficient
from ..operators import div
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth
from .tensors import advection, isotropic_stress, tensor_divergence


@final
@dataclass(frozen=True)
class NavierStokes(PDE):
    """div(u) = 0, rho (u_t + (u . grad) u) = -grad(p) + div(2 mu e) + f, flow of a viscous liquid.

    e is the symmetric gradient of the velocity u = (u, v, w), so that mu may vary in space. The
    residuals are ``continuity`` and ``momentum_x``, ``momentum_y``, ``momentum_z``.

    Parameters
    ----------
    density
        rho, density [kg/m^3]; positive.
    viscosity
        mu, dynamic viscosity [Pa s]; positive.
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
    Batchelor (1967), An Introduction to Fluid Dynamics, section 3.3.

    Examples
    --------
    >>> NavierStokes(steady=True).residuals()["continuity"]
    Derivative(u(x, y), x) + Derivative(v(x, y), y)
    """

    density: Coefficient = coefficient("rho", "kg/m^3", 1.0, "density", positive=True)
    viscosity: Coefficient = coefficient("mu", "Pa s", 0.01, "dynamic viscosity", positive=True)
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    dimension: int = 2
    steady: bool = False

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension, self.steady, least=2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return (
            *unknowns("u v w", self.coordinates, self.dimension),
            *unknowns("p", self.coordinates),
        )

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (*velocity, p), (rho, mu, force) = self.spatial, self.fields, self.coefficient_values()
        viscous = tensor_divergence(isotropic_stress(velocity, sympy.Integer(0), mu, X), X)
        residuals = {"continuity": div(velocity, X)}
        for x, u, friction, f in zip(X, velocity, viscous, force, strict=True):
            inertia = rho * (u.diff(TIME) + advection(velocity, u, X))
            residuals[f"momentum_{x}"] = inertia + p.diff(x) - friction - f
        return residuals

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the vorticity curl(u), by components in three dimensions."""
        X, (*velocity, _) = self.spatial, self.fields
        if self.dimension == 2:
            return {"vorticity": velocity[1].diff(X[0]) - velocity[0].diff(X[1])}
        return {f"vorticity_{x}": c for x, c in zip(X, CARTESIAN.curl(velocity), strict=True)}

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates)
            | {"p": "Pa"}
            | dict.fromkeys(("u", "v", "w")[: self.dimension], "m/s")
            | dict.fromkeys(self.derived(), "1/s")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
