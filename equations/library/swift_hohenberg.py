"""The Swift-Hohenberg equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import biharmonic, laplacian
from ..pde import PDE, TIME, space_time, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class SwiftHohenberg(PDE):
    """u_t = r u - (k^2 + laplacian)^2 u + g u^2 - u^3, patterns of wave number k.

    The residual ``swift_hohenberg`` is the left side minus the right side.

    Coordinates, fields and coefficients are numbers, over the scales of the model.

    Parameters
    ----------
    control
        r, distance from the threshold [-].
    wave_number
        k, wave number of the pattern [-].
    quadratic
        g, strength of the quadratic term [-].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite.

    References
    ----------
    Cross and Hohenberg (1993), Rev. Mod. Phys. 65, section IV.A.
    """

    control: Coefficient = coefficient("r", "-", 0.2, "distance from the threshold")
    wave_number: Coefficient = coefficient("k", "-", 1.0, "wave number of the pattern")
    quadratic: Coefficient = coefficient("g", "-", 0.0, "strength of the quadratic term")
    dimension: int = 2

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (u,), (r, k, g) = self.spatial, self.fields, self.coefficient_values()
        selection = k**4 * u + 2 * k**2 * laplacian(u, X) + biharmonic(u, X)
        return {"swift_hohenberg": u.diff(TIME) - r * u + selection - g * u**2 + u**3}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return dict.fromkeys(map(str, self.coordinates), "-") | {"u": "-"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
