"""The Helmholtz equation with losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..complex_form import parts
from ..declarations import coefficient
from ..operators import laplacian
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class ComplexHelmholtz(PDE):
    """laplacian(p) + k^2 (1 + i eta) p = f, waves of one frequency with losses.

    p = u + i v and the time factor is exp(-i omega t); the residuals ``real`` and ``imaginary`` are
    the parts of left minus right side. A positive eta makes waves decay.

    Parameters
    ----------
    wave_number
        k, wave number [1/m].
    loss
        eta, loss factor [-].
    real_source
        f_r, real part of the source f [p/m^2].
    imaginary_source
        f_i, imaginary part of f [p/m^2].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or not real.

    References
    ----------
    Ihlenburg (1998), Finite Element Analysis of Acoustic Scattering.
    """

    wave_number: Coefficient = coefficient("k", "1/m", 1.0, "wave number")
    loss: Coefficient = coefficient("eta", "-", 0.0, "loss factor")
    real_source: Coefficient = coefficient("f_r", "p/m^2", 0.0, "real part of the source f")
    imaginary_source: Coefficient = coefficient("f_i", "p/m^2", 0.0, "imaginary part of f")
    dimension: int = 2

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u v", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (u, v), (k, eta, f_r, f_i) = self.fields, self.coefficient_values()
        p, f = u + sympy.I * v, f_r + sympy.I * f_i
        wave = laplacian(p, self.coordinates) + k**2 * (1 + sympy.I * eta) * p
        real, imaginary = parts(wave - f)
        return {"real": real, "imaginary": imaginary}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return |p|^2."""
        u, v = self.fields
        return {"intensity": u**2 + v**2}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "p", "v": "p", "intensity": "p^2"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
