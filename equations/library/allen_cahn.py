"""The Allen-Cahn equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import laplacian
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class AllenCahn(PDE):
    """u_t = D laplacian(u) + k (u - u^3), phases that separate and coarsen.

    The residual ``allen_cahn`` is u_t - D laplacian(u) - k (u - u^3); the phases are u = 1 and -1.

    Parameters
    ----------
    diffusivity
        D, diffusivity [m^2/s]; positive.
    rate
        k, rate of the reaction [1/s].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Allen and Cahn (1979), Acta Metallurgica 27.
    """

    diffusivity: Coefficient = coefficient("D", "m^2/s", 0.01, "diffusivity", positive=True)
    rate: Coefficient = coefficient("k", "1/s", 1.0, "rate of the reaction")
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (u,), (D, k) = self.fields, self.coefficient_values()
        return {"allen_cahn": u.diff(TIME) - D * laplacian(u, self.spatial) - k * (u - u**3)}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "-"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
