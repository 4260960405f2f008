"""The eikonal equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import dot, grad
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class Eikonal(PDE):
    """|grad(T)|^2 = n^2, the time of arrival of a front.

    The residual ``eikonal`` is |grad(T)|^2 - n^2; with n = 1, T is a distance.

    Parameters
    ----------
    slowness
        n, inverse of the speed of the front [s/m]; positive.
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Born and Wolf (1999), Principles of Optics, section 3.1.
    """

    slowness: Coefficient = coefficient(
        "n", "s/m", 1.0, "inverse of the speed of the front", positive=True
    )
    dimension: int = 2

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("T", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (T,), (n,) = self.fields, self.coefficient_values()
        slope = grad(T, self.coordinates)
        return {"eikonal": dot(slope, slope) - n**2}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"T": "s"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
