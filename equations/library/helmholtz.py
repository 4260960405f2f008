"""The Helmholtz equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import laplacian
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class Helmholtz(PDE):
    """laplacian(u) + k^2 u = f, waves of one frequency.

    The residual ``helmholtz`` is laplacian(u) + k^2 u - f.

    Parameters
    ----------
    wave_number
        k, wave number [1/m].
    source
        f, source [u/m^2].
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
    >>> Helmholtz.symbolic(dimension=1).residuals()
    {'helmholtz': -f + k**2*u(x) + Derivative(u(x), (x, 2))}
    """

    wave_number: Coefficient = coefficient("k", "1/m", 1.0, "wave number")
    source: Coefficient = coefficient("f", "u/m^2", 0.0, "source")
    dimension: int = 2

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (u,), (k, f) = self.fields, self.coefficient_values()
        return {"helmholtz": laplacian(u, self.coordinates) + k**2 * u - f}

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "u"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
