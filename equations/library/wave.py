"""The wave equation."""

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
class Wave(PDE):
    """u_tt = c^2 laplacian(u) + f, small vibrations and sound.

    The residual ``wave`` is u_tt - c^2 laplacian(u) - f.

    Parameters
    ----------
    speed
        c, speed of propagation [m/s]; positive.
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
    Courant and Hilbert (1989), Methods of Mathematical Physics, volume 1, chapter V.

    Examples
    --------
    >>> Wave.symbolic().residuals()
    {'wave': -c**2*Derivative(u(x, t), (x, 2)) - f + Derivative(u(x, t), (t, 2))}
    """

    speed: Coefficient = coefficient("c", "m/s", 1.0, "speed of propagation", positive=True)
    source: Coefficient = coefficient("f", "u/s^2", 0.0, "source")
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (u,), (c, f) = self.fields, self.coefficient_values()
        return {"wave": u.diff(TIME, 2) - c**2 * laplacian(u, self.spatial) - f}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "u"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
