"""Poisson's equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import grad
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth
from .tensors import diffusion


@final
@dataclass(frozen=True)
class Poisson(PDE):
    """-div(k grad(u)) = f, a steady field with sources.

    The residual ``poisson`` is -div(k grad(u)) - f: a positive source raises u.

    Parameters
    ----------
    source
        f, per unit volume [u k / m^2].
    coefficient
        k, for example a conductivity; positive.
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite, k is a number that is not positive, or the dimension is not
        1, 2 or 3.

    Examples
    --------
    >>> Poisson(source=1, dimension=1).residuals()
    {'poisson': -Derivative(u(x), (x, 2)) - 1}
    """

    source: Coefficient = coefficient("f", "u k/m^2", 1.0, "source per unit volume")
    coefficient: Coefficient = coefficient("k", "k", 1.0, "conductivity", positive=True)
    dimension: int = 2

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(self.dimension)

    @property
    def u(self) -> AppliedUndef:
        """Unknown field u."""
        return unknowns("u", self.coordinates)[0]

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return (self.u,)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, u = self.coordinates, self.u
        f, k = self.coefficient_values()
        return {"poisson": -diffusion(u, k, X) - f}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the flux -k grad(u) by components, flux_x, flux_y, flux_z."""
        _, k = self.coefficient_values()
        gradient = grad(self.u, self.coordinates)
        return {f"flux_{x}": -k * g for x, g in zip(self.coordinates, gradient, strict=True)}

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates) | {"u": "u"} | dict.fromkeys(self.derived(), "u k/m")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
