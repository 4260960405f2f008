"""Darcy flow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import div, grad
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class Darcy(PDE):
    """u = -(K/mu) (grad(p) - f), div(u) = s, slow flow in a porous medium.

    The residual ``darcy`` is div(u) - s.

    Parameters
    ----------
    permeability
        K, permeability [m^2]; positive.
    viscosity
        mu, dynamic viscosity [Pa s]; positive.
    force
        f, force per unit volume [N/m^3].
    source
        s, volume injected per volume and time [1/s].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range, or f has another number of components.

    References
    ----------
    Bear (1972), Dynamics of Fluids in Porous Media.
    """

    permeability: Coefficient = coefficient("K", "m^2", 1.0, "permeability", positive=True)
    viscosity: Coefficient = coefficient("mu", "Pa s", 1.0, "dynamic viscosity", positive=True)
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    source: Coefficient = coefficient("s", "1/s", 0.0, "volume injected per volume and time")
    dimension: int = 2

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("p", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        *_, source = self.coefficient_values()
        return {"darcy": div(tuple(self.derived().values()), self.coordinates) - source}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the seepage velocity u by components."""
        X, (p,), (K, mu, force, _) = self.coordinates, self.fields, self.coefficient_values()
        gradient = zip(X, grad(p, X), force, strict=True)
        return {f"velocity_{x}": -K / mu * (slope - f) for x, slope, f in gradient}

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates) | {"p": "Pa"} | dict.fromkeys(self.derived(), "m/s")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
