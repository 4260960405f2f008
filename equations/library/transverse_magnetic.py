"""Maxwell's equations of one frequency in the plane, by E_z."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth
from .tensors import diffusion


@final
@dataclass(frozen=True)
class TransverseMagnetic(PDE):
    """-div(grad(E_z)/mu) - omega^2 eps E_z = J, waves with E_z across the plane.

    The residual ``maxwell`` is left minus right side; real fields without losses.

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
    Jin (2014), The Finite Element Method in Electromagnetics.
    """

    permeability: Coefficient = coefficient("mu", "H/m", 1.0, "permeability", positive=True)
    permittivity: Coefficient = coefficient("eps", "F/m", 1.0, "permittivity", positive=True)
    frequency: Coefficient = coefficient("omega", "rad/s", 1.0, "angular frequency")
    source: Coefficient = coefficient("J", "A/(m^2 s)", 0.0, "source")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("E_z", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (f,), (mu, eps, omega, source) = (
            self.coordinates, self.fields, self.coefficient_values(),
        )  # fmt: skip
        return {"maxwell": -diffusion(f, 1 / mu, X) - omega**2 * eps * f - source}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"E_z": "V/m"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
