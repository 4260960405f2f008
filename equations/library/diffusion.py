"""The diffusion equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import grad
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth
from .tensors import diffusion


@final
@dataclass(frozen=True)
class Diffusion(PDE):
    """u_t = div(D grad(u)) + f, heat or a dissolved substance spreading.

    The residual ``diffusion`` is u_t - div(D grad(u)) - f.

    Parameters
    ----------
    diffusivity
        D, diffusivity [m^2/s]; positive.
    source
        f, source [u/s].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Crank (1975), The Mathematics of Diffusion.

    Examples
    --------
    >>> Diffusion.symbolic().residuals()
    {'diffusion': -D*Derivative(u(x, t), (x, 2)) - f + Derivative(u(x, t), t)}
    """

    diffusivity: Coefficient = coefficient("D", "m^2/s", 1.0, "diffusivity", positive=True)
    source: Coefficient = coefficient("f", "u/s", 0.0, "source")
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (u,), (D, f) = self.spatial, self.fields, self.coefficient_values()
        return {"diffusion": u.diff(TIME) - diffusion(u, D, X) - f}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the flux -D grad(u) by components, flux_x, flux_y, flux_z."""
        X, (u,), (D, _) = self.spatial, self.fields, self.coefficient_values()
        return {f"flux_{x}": -D * g for x, g in zip(X, grad(u, X), strict=True)}

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates) | {"u": "u"} | dict.fromkeys(self.derived(), "u m/s")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
