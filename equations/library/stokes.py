"""The Stokes equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import div
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth
from .tensors import isotropic_stress, tensor_divergence


@final
@dataclass(frozen=True)
class Stokes(PDE):
    """div(u) = 0, -div(2 mu e) + grad(p) = f, creeping flow.

    e is the symmetric gradient of the velocity u = (u, v, w). The residuals are ``continuity`` and
    ``momentum_x``, ``momentum_y``, ``momentum_z``.

    Parameters
    ----------
    viscosity
        mu, dynamic viscosity [Pa s]; positive.
    force
        f, force per unit volume [N/m^3].
    dimension
        2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range, or f has another number of components.

    References
    ----------
    Batchelor (1967), An Introduction to Fluid Dynamics, section 4.8.
    """

    viscosity: Coefficient = coefficient("mu", "Pa s", 1.0, "dynamic viscosity", positive=True)
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    dimension: int = 2

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(self.dimension, least=2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return (
            *unknowns("u v w", self.coordinates, self.dimension),
            *unknowns("p", self.coordinates),
        )

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (*velocity, p), (mu, force) = self.coordinates, self.fields, self.coefficient_values()
        viscous = tensor_divergence(isotropic_stress(velocity, sympy.Integer(0), mu, X), X)
        return {"continuity": div(velocity, X)} | {
            f"momentum_{x}": p.diff(x) - friction - f
            for x, friction, f in zip(X, viscous, force, strict=True)
        }

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates)
            | {"p": "Pa"}
            | dict.fromkeys(("u", "v", "w")[: self.dimension], "m/s")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
