"""The Cahn-Hilliard equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import div, grad, laplacian
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class CahnHilliard(PDE):
    """c_t = div(M grad(mu)), mu = k (c^3 - c) - gamma laplacian(c), a mixture that separates.

    The residual ``cahn_hilliard`` is c_t - div(M grad(mu)); the phases are c = 1 and -1.

    Parameters
    ----------
    mobility
        M, mobility [m^5/(J s)]; positive.
    barrier
        k, height of the double well [J/m^3].
    gradient_energy
        gamma, gradient energy [J/m]; positive.
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Cahn and Hilliard (1958), J. Chem. Phys. 28.
    """

    mobility: Coefficient = coefficient("M", "m^5/(J s)", 1.0, "mobility", positive=True)
    barrier: Coefficient = coefficient("k", "J/m^3", 1.0, "height of the double well")
    gradient_energy: Coefficient = coefficient(
        "gamma", "J/m", 0.01, "gradient energy", positive=True
    )
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("c", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (c,), (M, _, _) = self.spatial, self.fields, self.coefficient_values()
        flux = [-M * g for g in grad(self.derived()["mu"], X)]
        return {"cahn_hilliard": c.diff(TIME) + div(flux, X)}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the chemical potential mu."""
        (c,), (_, k, gamma) = self.fields, self.coefficient_values()
        return {"mu": k * (c**3 - c) - gamma * laplacian(c, self.spatial)}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"c": "-", "mu": "J/m^3"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
