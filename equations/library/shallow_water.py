"""The shallow water equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import div, dot
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class ShallowWater(PDE):
    """h_t + div(h u) = 0, (h u)_t + div(h u u) + g h grad(h + b) = 0, floods and tides.

    h is the depth, u = (u, v) the mean velocity. The residuals are ``continuity`` and
    ``momentum_x``, ``momentum_y``, in conservative form.

    Parameters
    ----------
    gravity
        g, acceleration of gravity [m/s^2]; positive.
    bed
        b, height of the bed [m].
    dimension
        1 or 2.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    LeVeque (2002), Finite Volume Methods for Hyperbolic Problems, section 13.1.
    """

    gravity: Coefficient = coefficient("g", "m/s^2", 9.81, "acceleration of gravity", positive=True)
    bed: Coefficient = coefficient("b", "m", 0.0, "height of the bed")
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension, most=2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return (
            *unknowns("h", self.coordinates),
            *unknowns("u v", self.coordinates, self.dimension),
        )

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (h, *velocity), (g, bed) = self.spatial, self.fields, self.coefficient_values()
        flow = [h * u for u in velocity]
        return {"continuity": h.diff(TIME) + div(flow, X)} | {
            f"momentum_{x}": q.diff(TIME)
            + div([q * u for u in velocity], X)
            + g * h * (h + bed).diff(x)
            for x, q in zip(X, flow, strict=True)
        }

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the height of the surface h + b and the Froude number."""
        h, *velocity = self.fields
        g, bed = self.coefficient_values()
        return {"surface": h + bed, "froude": sympy.sqrt(dot(velocity, velocity) / (g * h))}

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates)
            | {"h": "m", "surface": "m", "froude": "-"}
            | dict.fromkeys(("u", "v")[: self.dimension], "m/s")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields, positive=("h",))
