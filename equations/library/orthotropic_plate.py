"""The thin plate with different stiffness along x and y."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import coordinate_units, space, unknowns
from .manufactured import smooth
from .thin_bending import PLATE_UNITS, Tensor, ThinBending, uniform


@final
@dataclass(frozen=True)
class OrthotropicPlate(ThinBending):
    """D_x w_xxxx + 2 (D_1 + 2 D_xy) w_xxyy + D_y w_yyyy = q, a thin orthotropic plate.

    The residual ``plate`` is -(M_x,xx + 2 M_xy,xy + M_y,yy) - q, which holds where stiffness
    varies. An isotropic plate has D_x = D_y = D, D_1 = nu D and D_xy = (1 - nu) D/2.

    Parameters
    ----------
    rigidity_x
        D_x, rigidity along x [N m]; positive.
    rigidity_y
        D_y, rigidity along y [N m]; positive.
    coupling
        D_1, coupling of the directions [N m].
    twisting
        D_xy, twisting rigidity [N m]; positive.
    load
        q, load per unit area [N/m^2].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Timoshenko and Woinowsky-Krieger (1959), Theory of Plates and Shells, section 85.
    """

    rigidity_x: Coefficient = coefficient("D_x", "N m", 1.0, "rigidity along x", positive=True)
    rigidity_y: Coefficient = coefficient("D_y", "N m", 1.0, "rigidity along y", positive=True)
    coupling: Coefficient = coefficient("D_1", "N m", 0.3, "coupling of the directions")
    twisting: Coefficient = coefficient("D_xy", "N m", 0.35, "twisting rigidity", positive=True)
    load: Coefficient = coefficient("q", "N/m^2", 1.0, "load per unit area")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("w", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (x, y), q, (Q_x, Q_y) = self.coordinates, self.coefficient_values()[-1], self.shear_forces()
        return {"plate": -Q_x.diff(x) - Q_y.diff(y) - q}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return moments and shear forces.

        M_x = -(D_x w_xx + D_1 w_yy), M_y = -(D_y w_yy + D_1 w_xx), M_xy = -2 D_xy w_xy,
        Q_x = M_x,x + M_xy,y, Q_y = M_xy,x + M_y,y.
        """
        return self.plate_quantities()

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"w": "m"} | PLATE_UNITS

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    def moments(self) -> Tensor:
        (x, y), w, (D_x, D_y, D_1, D_xy, _) = self.spatial, self.w, self.coefficient_values()
        M_x = -D_x * w.diff(x, 2) - D_1 * w.diff(y, 2)
        M_y = -D_y * w.diff(y, 2) - D_1 * w.diff(x, 2)
        M_xy = -2 * D_xy * w.diff(x, y)
        return (M_x, M_xy), (M_xy, M_y)

    def membrane_forces(self) -> Tensor:
        return uniform(sympy.Integer(0))
