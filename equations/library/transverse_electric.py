"""Maxwell's equations of one frequency in the plane, by H_z."""

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
class TransverseElectric(PDE):
    """-div(grad(H_z)/eps) - omega^2 mu H_z = K, waves with H_z across the plane.

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
        K, source [V/(m^2 s)].

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
    source: Coefficient = coefficient("K", "V/(m^2 s)", 0.0, "source")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("H_z", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (f,), (mu, eps, omega, source) = (
            self.coordinates, self.fields, self.coefficient_values(),
        )  # fmt: skip
        return {"maxwell": -diffusion(f, 1 / eps, X) - omega**2 * mu * f - source}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"H_z": "A/m"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
