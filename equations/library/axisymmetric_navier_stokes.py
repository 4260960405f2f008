"""Axisymmetric flow without swirl."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..curvilinear import CYLINDRICAL
from ..declarations import coefficient
from ..pde import PDE, TIME, coordinate_units, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class AxisymmetricNavierStokes(PDE):
    """The Navier-Stokes equations in cylindrical coordinates r, z with the velocity (u, w).

    Where D/Dt = d/dt + u d/dr + w d/dz and L f = f_rr + f_r/r + f_zz, the residuals are
    ``continuity``, u_r + u/r + w_z, ``momentum_r``, rho Du/Dt + p_r - mu (L u - u/r^2) - f_r, and
    ``momentum_z``, rho Dw/Dt + p_z - mu L w - f_z. They are singular on the axis r = 0, where
    u = 0 and w_r = 0.

    Parameters
    ----------
    density
        rho, density [kg/m^3]; positive.
    viscosity
        mu, dynamic viscosity [Pa s]; positive; constant.
    force
        f, force per unit volume [N/m^3].
    steady
        Whether nothing changes in time and time is no coordinate.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range, or f has another number of components.

    References
    ----------
    Batchelor (1967), An Introduction to Fluid Dynamics, appendix 2.
    """

    density: Coefficient = coefficient("rho", "kg/m^3", 1.0, "density", positive=True)
    viscosity: Coefficient = coefficient(
        "mu", "Pa s", 0.01, "dynamic viscosity", positive=True, constant=True
    )
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    steady: bool = False

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return (sympy.Symbol("r"), sympy.Symbol("z")) + (() if self.steady else (TIME,))

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u w p", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (u, w, p), (rho, mu, force) = self.fields, self.coefficient_values()
        velocity = (u, sympy.Integer(0), w)
        advected = CYLINDRICAL.advection(velocity, velocity)
        friction, gradient = CYLINDRICAL.vector_laplacian(velocity), CYLINDRICAL.grad(p)
        momentum = {
            f"momentum_{x}": rho * (velocity[i].diff(TIME) + advected[i])
            + gradient[i]
            - mu * friction[i]
            - f
            for x, i, f in zip(self.spatial, (0, 2), force, strict=True)
        }
        return {"continuity": CYLINDRICAL.div(velocity)} | momentum

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the vorticity u_z - w_r about the circumference."""
        (r, z), (u, w, _) = self.spatial, self.fields
        return {"vorticity": u.diff(z) - w.diff(r)}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {
            "u": "m/s",
            "w": "m/s",
            "p": "Pa",
            "vorticity": "1/s",
        }

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
