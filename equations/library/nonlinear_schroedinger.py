"""The nonlinear Schroedinger equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..complex_form import parts
from ..declarations import coefficient
from ..operators import laplacian
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class NonlinearSchroedinger(PDE):
    """i psi_t + a laplacian(psi) + g |psi|^2 psi - V psi = 0, envelopes of waves and condensates.

    psi = u + i v; the residuals ``real`` and ``imaginary`` are the parts of the left side. With
    g = 0 it is the linear equation of a particle.

    Parameters
    ----------
    dispersion
        a, dispersion [m^2/s].
    coupling
        g, strength of the nonlinear term [1/(s psi^2)].
    potential
        V, potential [1/s].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or not real.

    References
    ----------
    Sulem and Sulem (1999), The Nonlinear Schroedinger Equation.
    """

    dispersion: Coefficient = coefficient("a", "m^2/s", 0.5, "dispersion")
    coupling: Coefficient = coefficient("g", "1/(s psi^2)", 1.0, "strength of the nonlinear term")
    potential: Coefficient = coefficient("V", "1/s", 0.0, "potential")
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u v", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (u, v), (a, g, V) = self.fields, self.coefficient_values()
        psi = u + sympy.I * v
        kinetic = a * laplacian(psi, self.spatial)
        real, imaginary = parts(
            sympy.I * psi.diff(TIME) + kinetic + g * self.derived()["density"] * psi - V * psi
        )
        return {"real": real, "imaginary": imaginary}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the density |psi|^2."""
        u, v = self.fields
        return {"density": u**2 + v**2}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"u": "psi", "v": "psi", "density": "psi^2"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
