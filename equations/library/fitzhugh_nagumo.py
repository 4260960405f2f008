"""The model of FitzHugh and Nagumo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import laplacian
from ..pde import PDE, TIME, space_time, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class FitzHughNagumo(PDE):
    """v_t = D laplacian(v) + v - v^3/3 - w + I, w_t = eps (v + a - b w).

    Pulses in a nerve: v is the potential, w the recovery, all without dimension but length and
    time. The residuals are ``potential`` and ``recovery``.

    Coordinates, fields and coefficients are numbers, over the scales of the model.

    Parameters
    ----------
    diffusivity
        D, diffusivity [-]; positive.
    current
        I, applied current [-].
    slowness
        eps, rate of the recovery [-].
    offset
        a, offset [-].
    decay
        b, decay of the recovery [-].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    FitzHugh (1961), Biophys. J. 1; Murray (2002), Mathematical Biology I, section 7.5.
    """

    diffusivity: Coefficient = coefficient("D", "-", 1.0, "diffusivity", positive=True)
    current: Coefficient = coefficient("I", "-", 0.5, "applied current")
    slowness: Coefficient = coefficient("eps", "-", 0.08, "rate of the recovery")
    offset: Coefficient = coefficient("a", "-", 0.7, "offset")
    decay: Coefficient = coefficient("b", "-", 0.8, "decay of the recovery")
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("v w", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        (v, w), (D, current, eps, a, b) = self.fields, self.coefficient_values()
        return {
            "potential": v.diff(TIME) - D * laplacian(v, self.spatial) - v + v**3 / 3 + w - current,
            "recovery": w.diff(TIME) - eps * (v + a - b * w),
        }

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return dict.fromkeys(map(str, self.coordinates), "-") | {"v": "-", "w": "-"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
