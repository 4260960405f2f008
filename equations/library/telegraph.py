"""The telegraph equation."""

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
class Telegraph(PDE):
    """u_tt + a u_t + b u = c^2 laplacian(u) + f, waves with damping and leakage.

    The residual ``telegraph`` is u_tt + a u_t + b u - c^2 laplacian(u) - f. For a line with
    resistance R, inductance L, conductance G and capacitance C per length, c^2 = 1/(L C),
    a = R/L + G/C and b = R G/(L C).

    Parameters
    ----------
    speed
        c, speed of propagation [m/s]; positive.
    damping
        a, damping [1/s].
    leakage
        b, leakage [1/s^2].
    source
        f, source [u/s^2].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Courant and Hilbert (1989), Methods of Mathematical Physics, volume 2, section III.4.
    """

    speed: Coefficient = coefficient("c", "m/s", 1.0, "speed of propagation", positive=True)
    damping: Coefficient = coefficient("a", "1/s", 1.0, "damping")
    leakage: Coefficient = coefficient("b", "1/s^2", 0.0, "leakage")
    source: Coefficient = coefficient("f", "u/s^2", 0.0, "source")
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (u,), (c, a, b, f) = self.fields, self.coefficient_values()
        inertia = u.diff(TIME, 2) + a * u.diff(TIME) + b * u
        return {"telegraph": inertia - c**2 * laplacian(u, self.spatial) - f}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "u"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
