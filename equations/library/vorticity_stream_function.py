"""Plane flow by vorticity and stream function."""

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
from .tensors import advection


@final
@dataclass(frozen=True)
class VorticityStreamFunction(PDE):
    """omega_t + psi_y omega_x - psi_x omega_y = nu laplacian(omega) + f, laplacian(psi) = -omega.

    The residuals are ``vorticity_transport`` and ``stream_function``, both of second order.

    Parameters
    ----------
    viscosity
        nu, kinematic viscosity [m^2/s]; positive.
    torque
        f, curl of the force per unit mass [1/s^2].
    steady
        Whether nothing changes in time and time is no coordinate.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Ferziger and Peric (2002), Computational Methods for Fluid Dynamics.
    """

    viscosity: Coefficient = coefficient("nu", "m^2/s", 0.01, "kinematic viscosity", positive=True)
    torque: Coefficient = coefficient("f", "1/s^2", 0.0, "curl of the force per unit mass")
    steady: bool = True

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(2, self.steady)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("omega psi", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (omega, psi), (nu, f) = self.spatial, self.fields, self.coefficient_values()
        velocity = tuple(self.derived().values())
        transport = omega.diff(TIME) + advection(velocity, omega, X)
        return {
            "vorticity_transport": transport - nu * laplacian(omega, X) - f,
            "stream_function": laplacian(psi, X) + omega,
        }

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the velocity u, v."""
        (x, y), (_, psi) = self.spatial, self.fields
        return {"u": psi.diff(y), "v": -psi.diff(x)}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {
            "omega": "1/s",
            "psi": "m^2/s",
            "u": "m/s",
            "v": "m/s",
        }

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
