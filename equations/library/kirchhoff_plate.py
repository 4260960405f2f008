"""The thin elastic plate of Kirchhoff."""

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
from .thin_bending import PLATE_UNITS, Tensor, ThinBending, isotropic_moments, uniform


@final
@dataclass(frozen=True)
class KirchhoffPlate(ThinBending):
    """D (w_xxxx + 2 w_xxyy + w_yyyy) = q, the bending of a thin plate.

    The residual ``plate`` is D biharmonic(w) - q [N/m^2]. Where D varies it is the equilibrium
    -(M_x,xx + 2 M_xy,xy + M_y,yy) - q, which is the same for constant D.

    Parameters
    ----------
    rigidity
        D = E h^3 / (12 (1 - nu^2)) [N m], positive.
    poisson_ratio
        nu [-], a number in (-1, 1).
    load
        q, positive in the direction of w [N/m^2].

    Raises
    ------
    EquationError
        If a coefficient is not finite, D is not positive or nu is out of range.

    References
    ----------
    Timoshenko and Woinowsky-Krieger (1959), Theory of Plates and Shells, chapter 4.

    Examples
    --------
    >>> KirchhoffPlate(rigidity=1, poisson_ratio=0.3, load="sin(pi*x)").order
    4
    """

    rigidity: Coefficient = coefficient("D", "N m", 1.0, "bending rigidity", positive=True)
    poisson_ratio: Coefficient = coefficient(
        "nu", "-", 0.3, "Poisson's ratio", between=(-1, 1), constant=True
    )
    load: Coefficient = coefficient("q", "N/m^2", 1.0, "load per unit area")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("w", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        D, _, q = self.coefficient_values()
        if D.has(*self.coordinates):
            x, y = self.coordinates
            Q_x, Q_y = self.shear_forces()
            return {"plate": -Q_x.diff(x) - Q_y.diff(y) - q}
        return {"plate": D * biharmonic(self.w, self.coordinates) - q}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the moments M_x, M_y, M_xy and shear forces Q_x, Q_y per unit length.

        M_x = -D (w_xx + nu w_yy), M_y = -D (w_yy + nu w_xx), M_xy = -D (1 - nu) w_xy,
        Q_x = M_x,x + M_xy,y, Q_y = M_xy,x + M_y,y; for constant D, Q = -D grad(laplacian(w)).
        """
        return self.plate_quantities()

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"w": "m"} | PLATE_UNITS

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    def moments(self) -> Tensor:
        D, nu, _ = self.coefficient_values()
        return isotropic_moments(D, nu, self.w, self.coordinates)

    def membrane_forces(self) -> Tensor:
        return uniform(sympy.Integer(0))
