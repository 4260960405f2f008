"""The plate of von Karman, with large deflections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import biharmonic
from ..pde import coordinate_units, space, unknowns
from .kirchhoff_plate import KirchhoffPlate
from .manufactured import smooth
from .thin_bending import Tensor, ThinBending


@final
@dataclass(frozen=True)
class VonKarmanPlate(ThinBending):
    """D biharmonic(w) - [F, w] = q, biharmonic(F) = -E h [w, w]/2.

    [a, b] = a_xx b_yy + a_yy b_xx - 2 a_xy b_xy, F is Airy's function of the forces in the plane.
    The residuals are ``plate`` and ``compatibility``.

    Parameters
    ----------
    rigidity
        D, bending rigidity [N m]; positive.
    poisson_ratio
        nu, Poisson's ratio [-]; a number in (-1, 1); constant.
    load
        q, load per unit area [N/m^2].
    stretching
        S, stretching stiffness E h [N/m]; positive; constant.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Timoshenko and Woinowsky-Krieger (1959), Theory of Plates and Shells, section 101.
    """

    rigidity: Coefficient = coefficient("D", "N m", 1.0, "bending rigidity", positive=True)
    poisson_ratio: Coefficient = coefficient(
        "nu", "-", 0.3, "Poisson's ratio", between=(-1, 1), constant=True
    )
    load: Coefficient = coefficient("q", "N/m^2", 1.0, "load per unit area")
    stretching: Coefficient = coefficient(
        "S", "N/m", 1.0, "stretching stiffness E h", positive=True, constant=True
    )

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("w F", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (w, F), (*_, stretching) = self.coordinates, self.fields, self.coefficient_values()
        return {
            "plate": self.plate.residuals()["plate"] - bracket(F, w, X),
            "compatibility": biharmonic(F, X) + stretching * bracket(w, w, X) / 2,
        }

    def derived(self) -> dict[str, sympy.Expr]:
        """Return moments and shear forces of bending, and the forces N in the plane."""
        (N_x, N_xy), (_, N_y) = self.membrane_forces()
        return self.plate_quantities() | {"N_x": N_x, "N_y": N_y, "N_xy": N_xy}

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates)
            | self.plate.units()
            | {"F": "N m"}
            | dict.fromkeys(("N_x", "N_y", "N_xy"), "N/m")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    def moments(self) -> Tensor:
        return self.plate.moments()

    def membrane_forces(self) -> Tensor:
        (x, y), F = self.coordinates, self.fields[1]
        return (F.diff(y, 2), -F.diff(x, y)), (-F.diff(x, y), F.diff(x, 2))

    @property
    def plate(self) -> KirchhoffPlate:
        """The plate without forces in its plane."""
        return KirchhoffPlate(self.rigidity, self.poisson_ratio, self.load)


def bracket(a: sympy.Expr, b: sympy.Expr, coordinates: tuple[sympy.Symbol, ...]) -> sympy.Expr:
    """Return [a, b] = a_xx b_yy + a_yy b_xx - 2 a_xy b_xy."""
    x, y = coordinates
    straight = a.diff(x, 2) * b.diff(y, 2) + a.diff(y, 2) * b.diff(x, 2)
    return straight - 2 * a.diff(x, y) * b.diff(x, y)
