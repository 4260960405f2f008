"""Maxwell's equations at one frequency."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..curvilinear import CARTESIAN
from ..declarations import coefficient
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class Maxwell(PDE):
    """curl(curl(E)/mu) - omega^2 eps E = J, real fields without losses.

    The residuals are ``maxwell_x``, ``maxwell_y``, ``maxwell_z``;
    J holds i omega times the current.

    Parameters
    ----------
    permeability
        mu, permeability [H/m]; positive.
    permittivity
        eps, permittivity [F/m]; positive.
    frequency
        omega, angular frequency [rad/s].
    source
        J, source [A/(m^2 s)].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Monk (2003), Finite Element Methods for Maxwell's Equations.
    """

    permeability: Coefficient = coefficient("mu", "H/m", 1.0, "permeability", positive=True)
    permittivity: Coefficient = coefficient("eps", "F/m", 1.0, "permittivity", positive=True)
    frequency: Coefficient = coefficient("omega", "rad/s", 1.0, "angular frequency")
    source: tuple[Coefficient, ...] = coefficient("J", "A/(m^2 s)", (), "source")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(3)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("E_x E_y E_z", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, E, (mu, eps, omega, J) = self.coordinates, self.fields, self.coefficient_values()
        rotation = CARTESIAN.curl([c / mu for c in CARTESIAN.curl(E)])
        return {
            f"maxwell_{x}": c - omega**2 * eps * e - j
            for x, c, e, j in zip(X, rotation, E, J, strict=True)
        }

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {f.func.__name__: "V/m" for f in self.fields}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
