"""Diffusion on a surface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import Vector, div, dot, grad
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class LaplaceBeltrami(PDE):
    """-div_s(k grad_s(u)) = f on a surface phi = 0, with grad_s = (I - n n^T) grad.

    n = grad(phi)/|grad(phi)|, and div_s(v) is the trace of the surface gradient of v. The residual
    ``laplace_beltrami`` is left minus right side, at points of the surface.

    Parameters
    ----------
    conductivity
        k, conductivity [W/(m K)]; positive.
    source
        f, source [W/m^3].
    level_set
        phi, whose zeros are the surface; its gradient must not vanish there.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Dziuk and Elliott (2013), Acta Numerica 22.
    """

    conductivity: Coefficient = coefficient("k", "W/(m K)", 1.0, "conductivity", positive=True)
    source: Coefficient = coefficient("f", "W/m^3", 0.0, "source")
    level_set: Coefficient = "x**2 + y**2 + z**2 - 1"

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(3)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    @property
    def normal(self) -> Vector:
        """Unit normal n of the surface, towards growing phi."""
        gradient = grad(self.expression(self.level_set, "level_set"), self.coordinates)
        return tuple(g / sympy.sqrt(dot(gradient, gradient)) for g in gradient)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (_, f), flux = self.coordinates, self.coefficient_values(), self.derived().values()
        n = self.normal
        across = dot(n, [dot(n, grad(q, X)) for q in flux])
        return {"laplace_beltrami": div(list(flux), X) - across - f}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the flux -k grad_s(u) by components, flux_x, flux_y, flux_z."""
        X, n, (k, _) = self.coordinates, self.normal, self.coefficient_values()
        gradient = grad(self.fields[0], X)
        across = dot(n, gradient)
        return {f"flux_{x}": -k * (g - across * c) for x, g, c in zip(X, gradient, n, strict=True)}

    def units(self) -> dict[str, str]:
        flux = dict.fromkeys(self.derived(), "W/m^2")
        return coordinate_units(self.coordinates) | {"u": "K"} | flux

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
