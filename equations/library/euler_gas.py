"""The Euler equations of an ideal gas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import div, dot
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class EulerGas(PDE):
    """rho_t + div(rho u) = 0, (rho u)_t + div(rho u u) + grad(p) = 0, E_t + div((E + p) u) = 0.

    E = p/(gamma - 1) + rho |u|^2/2 is the energy per volume. The residuals ``continuity``,
    ``momentum_x``, ``momentum_y``, ``momentum_z`` and ``energy`` are in conservative form, in the
    fields rho, u, v, w and p.

    Parameters
    ----------
    heat_ratio
        gamma, ratio of specific heats [-]; a number in (1, 3); constant.
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    LeVeque (2002), Finite Volume Methods for Hyperbolic Problems, section 14.3.
    """

    heat_ratio: Coefficient = coefficient(
        "gamma", "-", 1.4, "ratio of specific heats", between=(1, 3), constant=True
    )
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return (
            *unknowns("rho", self.coordinates),
            *unknowns("u v w", self.coordinates, self.dimension),
            *unknowns("p", self.coordinates),
        )

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (rho, *velocity, p), energy = self.spatial, self.fields, self.derived()["energy_density"]

        def conserved(density: sympy.Expr) -> sympy.Expr:
            return density.diff(TIME) + div([density * u for u in velocity], X)

        momentum = {
            f"momentum_{x}": conserved(rho * u) + p.diff(x)
            for x, u in zip(X, velocity, strict=True)
        }
        work = div([p * u for u in velocity], X)
        return {"continuity": conserved(rho)} | momentum | {"energy": conserved(energy) + work}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the energy per volume, the speed of sound and the Mach number."""
        (rho, *velocity, p), (gamma,) = self.fields, self.coefficient_values()
        sound, kinetic = sympy.sqrt(gamma * p / rho), rho * dot(velocity, velocity) / 2
        return {
            "energy_density": p / (gamma - 1) + kinetic,
            "sound": sound,
            "mach": sympy.sqrt(dot(velocity, velocity)) / sound,
        }

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates)
            | {
                "rho": "kg/m^3",
                "p": "Pa",
                "energy_density": "J/m^3",
                "sound": "m/s",
                "mach": "-",
            }
            | dict.fromkeys(("u", "v", "w")[: self.dimension], "m/s")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields, positive=("rho", "p"))
