"""The slender beam of Euler and Bernoulli."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth
from .thin_bending import Tensor, ThinBending


@final
@dataclass(frozen=True)
class EulerBernoulliBeam(ThinBending):
    """(E I w_xx)_xx + N w_xx + k w + m w_tt = q, bending with axial thrust and elastic foundation.

    The residual ``beam`` is the left side minus q [N/m]; N is positive in compression.

    Parameters
    ----------
    rigidity
        B, bending rigidity E I [N m^2]; positive.
    load
        q, load per length [N/m].
    thrust
        N, axial thrust [N].
    foundation
        k, stiffness of the foundation [N/m^2].
    mass
        m, mass per length, without effect where steady [kg/m]; positive.
    steady
        Whether nothing changes in time and time is no coordinate.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Timoshenko and Gere (1961), Theory of Elastic Stability, section 1.1; Hetenyi (1946), chapter 1.
    """

    rigidity: Coefficient = coefficient("B", "N m^2", 1.0, "bending rigidity E I", positive=True)
    load: Coefficient = coefficient("q", "N/m", 1.0, "load per length")
    thrust: Coefficient = coefficient("N", "N", 0.0, "axial thrust")
    foundation: Coefficient = coefficient("k", "N/m^2", 0.0, "stiffness of the foundation")
    mass: Coefficient = coefficient(
        "m", "kg/m", 1.0, "mass per length, without effect where steady", positive=True
    )
    steady: bool = True

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(1, self.steady)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("w", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (x,), (w,), (_, q, thrust, k, m) = self.spatial, self.fields, self.coefficient_values()
        bending = -self.derived()["M"].diff(x, 2)
        return {"beam": bending + thrust * w.diff(x, 2) + k * w + m * w.diff(TIME, 2) - q}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the moment M = -E I w_xx and the shear force Q = M_x."""
        ((moment,),), (shear,) = self.moments(), self.shear_forces()
        return {"M": moment, "Q": shear}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"w": "m", "M": "N m", "Q": "N"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    def moments(self) -> Tensor:
        (x,), B = self.spatial, self.coefficient_values()[0]
        return ((-B * self.w.diff(x, 2),),)

    def membrane_forces(self) -> Tensor:
        return ((-self.coefficient_values()[2],),)
