"""The beam of Timoshenko, with shear deformation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class TimoshenkoBeam(PDE):
    """-(S (w_x - phi))_x = q, -(E I phi_x)_x - S (w_x - phi) = 0.

    phi is the rotation of the cross-section and S = kappa G A. The residuals are ``shear`` and
    ``bending``.

    Parameters
    ----------
    rigidity
        B, bending rigidity E I [N m^2]; positive.
    shear_stiffness
        S, shear stiffness [N]; positive.
    load
        q, load per length [N/m].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Reddy (2002), Energy Principles and Variational Methods.
    """

    rigidity: Coefficient = coefficient("B", "N m^2", 1.0, "bending rigidity E I", positive=True)
    shear_stiffness: Coefficient = coefficient("S", "N", 1.0, "shear stiffness", positive=True)
    load: Coefficient = coefficient("q", "N/m", 1.0, "load per length")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(1)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("w phi", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (x,), (*_, q), forces = self.coordinates, self.coefficient_values(), self.derived()
        return {"shear": -forces["Q"].diff(x) - q, "bending": forces["M"].diff(x) - forces["Q"]}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the moment M = -E I phi_x and the shear force Q = S (w_x - phi)."""
        (x,), (w, phi), (B, S, _) = self.coordinates, self.fields, self.coefficient_values()
        return {"M": -B * phi.diff(x), "Q": S * (w.diff(x) - phi)}

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | {"w": "m", "phi": "rad", "M": "N m", "Q": "N"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
