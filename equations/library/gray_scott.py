"""The model of Gray and Scott."""

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
class GrayScott(PDE):
    """u_t = D_u laplacian(u) - u v^2 + F (1 - u), v_t = D_v laplacian(v) + u v^2 - (F + k) v.

    A reaction U + 2 V -> 3 V fed with U; the residuals are ``rate_u`` and ``rate_v``.

    Coordinates, fields and coefficients are numbers, over the scales of the model.

    Parameters
    ----------
    diffusivity_u
        D_u, diffusivity of U [-]; positive.
    diffusivity_v
        D_v, diffusivity of V [-]; positive.
    feed
        F, rate of feed [-].
    kill
        k, rate of removal of V [-].
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Pearson (1993), Science 261.
    """

    diffusivity_u: Coefficient = coefficient("D_u", "-", 2e-5, "diffusivity of U", positive=True)
    diffusivity_v: Coefficient = coefficient("D_v", "-", 1e-5, "diffusivity of V", positive=True)
    feed: Coefficient = coefficient("F", "-", 0.04, "rate of feed")
    kill: Coefficient = coefficient("k", "-", 0.06, "rate of removal of V")
    dimension: int = 2

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u v", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (u, v), (D_u, D_v, F, k) = self.spatial, self.fields, self.coefficient_values()
        return {
            "rate_u": u.diff(TIME) - D_u * laplacian(u, X) + u * v**2 - F * (1 - u),
            "rate_v": v.diff(TIME) - D_v * laplacian(v, X) - u * v**2 + (F + k) * v,
        }

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return dict.fromkeys(map(str, self.coordinates), "-") | {"u": "-", "v": "-"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields, positive=("u", "v"))
