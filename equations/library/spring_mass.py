"""The damped oscillator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, TIME, coordinate_units, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class SpringMass(PDE):
    """m u'' + c u' + k u = f, a mass on a spring.

    The residual ``oscillator`` is the left side minus f [N].

    Parameters
    ----------
    mass
        m, mass [kg]; positive.
    damping
        c, damping [N s/m].
    stiffness
        k, stiffness of the spring [N/m].
    force
        f, force [N].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Den Hartog (1956), Mechanical Vibrations.
    """

    mass: Coefficient = coefficient("m", "kg", 1.0, "mass", positive=True)
    damping: Coefficient = coefficient("c", "N s/m", 0.0, "damping")
    stiffness: Coefficient = coefficient("k", "N/m", 1.0, "stiffness of the spring")
    force: Coefficient = coefficient("f", "N", 0.0, "force")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return (TIME,)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (u,), (m, c, k, f) = self.fields, self.coefficient_values()
        return {"oscillator": m * u.diff(TIME, 2) + c * u.diff(TIME) + k * u - f}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "m"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
