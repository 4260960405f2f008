"""The clamped edge of a beam or plate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..coefficients import Coefficient
from ..pde import PDE
from .condition import FieldCondition, Quantity, bending_of
from .forms import HardForm, ValueForm


@final
@dataclass(frozen=True)
class Clamped(FieldCondition):
    """w = g and w_n = h, both zero unless given; residuals ``w`` [m] and ``w_n`` [-].

    Parameters
    ----------
    part
        Name of a boundary part.
    hard
        Whether a trial function is to satisfy both exactly, by ``w = g + phi**2*N``. By default
        where that is well-conditioned.
    field
        Name of the deflection.
    value, slope
        g [m] and h [-]: numbers, texts or expressions in the coordinates, for a support that
        has moved or tilted.
    """

    part: str
    hard: bool | None = None
    field: str = "w"
    value: Coefficient = 0.0
    slope: Coefficient = 0.0

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {"w": (self.field, Quantity.VALUE), "w_n": (self.field, Quantity.SLOPE)}

    def hard_form(self, field: str) -> HardForm | None:
        return ValueForm(2, self.value, self.names, self.slope) if self.hard is not False else None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        member = bending_of(self, pde)
        g, h = member.expression(self.value, "w"), member.expression(self.slope, "w_n")
        return {"w": member.w - g, "w_n": member.slope() - h}
