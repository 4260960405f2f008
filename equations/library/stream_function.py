"""Plane flow by its stream function."""

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
class StreamFunction(PDE):
    """omega_t + psi_y omega_x - psi_x omega_y = nu laplacian(omega) + f, omega = -laplacian(psi).

    The velocity is u = psi_y, v = -psi_x. The residual ``vorticity_transport`` is of fourth order.

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
    Batchelor (1967), An Introduction to Fluid Dynamics, section 2.2.
    """

    viscosity: Coefficient = coefficient("nu", "m^2/s", 0.01, "kinematic viscosity", positive=True)
    torque: Coefficient = coefficient("f", "1/s^2", 0.0, "curl of the force per unit mass")
    steady: bool = True

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(2, self.steady)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("psi", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (nu, f), flow = self.spatial, self.coefficient_values(), self.derived()
        omega, velocity = flow["vorticity"], (flow["u"], flow["v"])
        transport = omega.diff(TIME) + advection(velocity, omega, X)
        return {"vorticity_transport": sympy.expand(transport - nu * laplacian(omega, X) - f)}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the velocity u, v and the vorticity."""
        (x, y), (psi,) = self.spatial, self.fields
        return {"u": psi.diff(y), "v": -psi.diff(x), "vorticity": -laplacian(psi, (x, y))}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {
            "psi": "m^2/s",
            "u": "m/s",
            "v": "m/s",
            "vorticity": "1/s",
        }

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
