"""The thin plate under forces in its plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import biharmonic
from ..pde import coordinate_units, space, unknowns
from .manufactured import smooth
from .thin_bending import PLATE_UNITS, Tensor, ThinBending, isotropic_moments


@final
@dataclass(frozen=True)
class PlateBuckling(ThinBending):
    """D biharmonic(w) + N_x w_xx + 2 N_xy w_xy + N_y w_yy = q, the buckling of a thin plate.

    The residual ``plate`` is left minus right side; the thrusts are positive in compression and in
    equilibrium in the plane.

    Parameters
    ----------
    rigidity
        D, bending rigidity [N m]; positive; constant.
    poisson_ratio
        nu, Poisson's ratio, which acts at edges [-]; a number in (-1, 1); constant.
    thrust_x
        N_x, thrust along x [N/m].
    thrust_y
        N_y, thrust along y [N/m].
    shear
        N_xy, shear in the plane [N/m].
    load
        q, load per unit area [N/m^2].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Timoshenko and Gere (1961), Theory of Elastic Stability, chapter 9.
    """

    rigidity: Coefficient = coefficient(
        "D", "N m", 1.0, "bending rigidity", positive=True, constant=True
    )
    poisson_ratio: Coefficient = coefficient(
        "nu", "-", 0.3, "Poisson's ratio, which acts at edges", between=(-1, 1), constant=True
    )
    thrust_x: Coefficient = coefficient("N_x", "N/m", 1.0, "thrust along x")
    thrust_y: Coefficient = coefficient("N_y", "N/m", 0.0, "thrust along y")
    shear: Coefficient = coefficient("N_xy", "N/m", 0.0, "shear in the plane")
    load: Coefficient = coefficient("q", "N/m^2", 0.0, "load per unit area")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("w", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (x, y), (w,), (D, _, N_x, N_y, N_xy, q) = (
            self.coordinates, self.fields, self.coefficient_values(),
        )  # fmt: skip
        thrust = N_x * w.diff(x, 2) + 2 * N_xy * w.diff(x, y) + N_y * w.diff(y, 2)
        return {"plate": D * biharmonic(w, (x, y)) + thrust - q}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the moments M_x, M_y, M_xy and shear forces Q_x, Q_y per unit length."""
        return self.plate_quantities()

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"w": "m"} | PLATE_UNITS

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    def moments(self) -> Tensor:
        D, nu, *_ = self.coefficient_values()
        return isotropic_moments(D, nu, self.w, self.spatial)

    def membrane_forces(self) -> Tensor:
        _, _, N_x, N_y, N_xy, _ = self.coefficient_values()
        return (-N_x, -N_xy), (-N_xy, -N_y)
