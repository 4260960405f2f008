"""The thin plate that swings with one frequency."""

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
class PlateMode(ThinBending):
    """D biharmonic(w) - m omega^2 w = q, the amplitude of a plate at one frequency.

    The residual ``plate`` is left minus right side. With q = 0 and omega unknown it is the
    eigenproblem, whose solution has the size that a further condition gives it.

    Parameters
    ----------
    rigidity
        D, bending rigidity [N m]; positive; constant.
    poisson_ratio
        nu, Poisson's ratio, which acts at edges [-]; a number in (-1, 1); constant.
    mass
        m, mass per unit area [kg/m^2]; positive.
    frequency
        omega, angular frequency [rad/s]; constant.
    load
        q, load per unit area [N/m^2].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Leissa (1969), Vibration of Plates, NASA SP-160, chapter 1.
    """

    rigidity: Coefficient = coefficient(
        "D", "N m", 1.0, "bending rigidity", positive=True, constant=True
    )
    poisson_ratio: Coefficient = coefficient(
        "nu", "-", 0.3, "Poisson's ratio, which acts at edges", between=(-1, 1), constant=True
    )
    mass: Coefficient = coefficient("m", "kg/m^2", 1.0, "mass per unit area", positive=True)
    frequency: Coefficient = coefficient("omega", "rad/s", 1.0, "angular frequency", constant=True)
    load: Coefficient = coefficient("q", "N/m^2", 0.0, "load per unit area")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("w", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (w,), (D, _, m, omega, q) = self.fields, self.coefficient_values()
        return {"plate": D * biharmonic(w, self.coordinates) - m * omega**2 * w - q}

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
        return uniform(sympy.Integer(0))
