"""Burgers' equation."""

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
class Burgers(PDE):
    """u_t + (u . grad) u = nu laplacian(u) + f, advection by itself with viscosity.

    The velocity u has components u, v, w; the residuals are ``burgers_x``, ``burgers_y`` and
    ``burgers_z``, one per dimension.

    Parameters
    ----------
    viscosity
        nu, kinematic viscosity [m^2/s]; positive.
    force
        f, force per unit mass [m/s^2].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Whitham (1974), Linear and Nonlinear Waves, chapter 4; Burgers (1948), Adv. Appl. Mech. 1.

    Examples
    --------
    >>> Burgers.symbolic().residuals()["burgers_x"]
    -f_x - nu*Derivative(u(x, t), (x, 2)) + u(x, t)*Derivative(u(x, t), x) + Derivative(u(x, t), t)
    """

    viscosity: Coefficient = coefficient("nu", "m^2/s", 0.01, "kinematic viscosity", positive=True)
    force: tuple[Coefficient, ...] = coefficient("f", "m/s^2", (), "force per unit mass")
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u v w", self.coordinates, self.dimension)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, velocity, (nu, force) = self.spatial, self.fields, self.coefficient_values()
        return {
            f"burgers_{x}": u.diff(TIME) + advection(velocity, u, X) - nu * laplacian(u, X) - f
            for x, u, f in zip(X, velocity, force, strict=True)
        }

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {f.func.__name__: "m/s" for f in self.fields}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
