"""The thick plate of Mindlin and Reissner, with shear deformation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class MindlinPlate(PDE):
    """-div(Q) = q, div(M) = Q with Q = S (grad(w) - phi), a plate with shear deformation.

    phi is the rotation of the cross-sections and S = kappa G h. The residuals are ``shear`` and
    ``bending_x``, ``bending_y``; S to infinity is the thin plate.

    Parameters
    ----------
    rigidity
        D, bending rigidity [N m]; positive.
    poisson_ratio
        nu, Poisson's ratio [-]; a number in its range; constant.
    shear_stiffness
        S, shear stiffness [N/m]; positive.
    load
        q, load per unit area [N/m^2].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Mindlin (1951), J. Appl. Mech. 18.
    """

    rigidity: Coefficient = coefficient("D", "N m", 1.0, "bending rigidity", positive=True)
    poisson_ratio: Coefficient = coefficient(
        "nu", "-", 0.3, "Poisson's ratio", between=(-1, 1), constant=True
    )
    shear_stiffness: Coefficient = coefficient("S", "N/m", 1.0, "shear stiffness", positive=True)
    load: Coefficient = coefficient("q", "N/m^2", 1.0, "load per unit area")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("w phi_x phi_y", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (x, y), q, f = self.coordinates, self.coefficient_values()[-1], self.derived()
        return {
            "shear": -f["Q_x"].diff(x) - f["Q_y"].diff(y) - q,
            "bending_x": f["M_x"].diff(x) + f["M_xy"].diff(y) - f["Q_x"],
            "bending_y": f["M_xy"].diff(x) + f["M_y"].diff(y) - f["Q_y"],
        }

    def derived(self) -> dict[str, sympy.Expr]:
        """Return moments and shear forces.

        M_x = -D (phi_x,x + nu phi_y,y), M_y = -D (phi_y,y + nu phi_x,x),
        M_xy = -D (1 - nu) (phi_x,y + phi_y,x)/2, Q = S (grad(w) - phi).
        """
        (x, y), (w, p, r), (D, nu, S, _) = self.coordinates, self.fields, self.coefficient_values()
        return {
            "M_x": -D * (p.diff(x) + nu * r.diff(y)),
            "M_y": -D * (r.diff(y) + nu * p.diff(x)),
            "M_xy": -D * (1 - nu) * (p.diff(y) + r.diff(x)) / 2,
            "Q_x": S * (w.diff(x) - p),
            "Q_y": S * (w.diff(y) - r),
        }

    def units(self) -> dict[str, str]:
        moments = dict.fromkeys(("M_x", "M_y", "M_xy"), "N")
        fields = {"w": "m", "phi_x": "rad", "phi_y": "rad"}
        return coordinate_units(self.coordinates) | fields | moments | {"Q_x": "N/m", "Q_y": "N/m"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
