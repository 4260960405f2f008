"""The clamped edge of a plate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..pde import PDE
from .condition import FieldCondition, HardForm, Quantity, plate_of


@final
@dataclass(frozen=True)
class Clamped(FieldCondition):
    """w = 0 and w_n = 0; residuals ``w`` [m] and ``w_n`` [-].

    Parameters
    ----------
    part
        Name of a boundary part.
    hard
        Whether a trial function may satisfy both exactly, by ``w = phi**2*N``.
    field
        Name of the deflection.
    """

    part: str
    hard: bool = True
    field: str = "w"

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {"w": (self.field, Quantity.VALUE), "w_n": (self.field, Quantity.SLOPE)}

    def hard_form(self, field: str) -> HardForm | None:
        return HardForm(2, 0.0, ("w", "w_n")) if self.hard else None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        plate = plate_of(self, pde)
        return {"w": plate.w, "w_n": plate.slope()}
