"""The thin plate under forces in its plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import biharmonic
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class PlateBuckling(PDE):
    """D biharmonic(w) + N_x w_xx + 2 N_xy w_xy + N_y w_yy = q, the buckling of a thin plate.

    The residual ``plate`` is left minus right side; the thrusts are positive in compression and in
    equilibrium in the plane.

    Parameters
    ----------
    rigidity
        D, bending rigidity [N m]; positive; constant.
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
        (x, y), (w,), (D, N_x, N_y, N_xy, q) = (
            self.coordinates, self.fields, self.coefficient_values(),
        )  # fmt: skip
        thrust = N_x * w.diff(x, 2) + 2 * N_xy * w.diff(x, y) + N_y * w.diff(y, 2)
        return {"plate": D * biharmonic(w, (x, y)) + thrust - q}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"w": "m"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
