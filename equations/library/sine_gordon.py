"""The sine-Gordon equation."""

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
class SineGordon(PDE):
    """u_tt - c^2 laplacian(u) + m^2 sin(u) = 0, coupled pendulums and Josephson junctions.

    The residual ``sine_gordon`` is the left side; u is an angle.

    Parameters
    ----------
    speed
        c, speed of propagation [m/s]; positive.
    frequency
        m, frequency of small oscillations [rad/s].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Drazin and Johnson (1989), Solitons: an Introduction.
    """

    speed: Coefficient = coefficient("c", "m/s", 1.0, "speed of propagation", positive=True)
    frequency: Coefficient = coefficient("m", "rad/s", 1.0, "frequency of small oscillations")
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (u,), (c, m) = self.fields, self.coefficient_values()
        wave = u.diff(TIME, 2) - c**2 * laplacian(u, self.spatial)
        return {"sine_gordon": wave + m**2 * sympy.sin(u)}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "rad"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
