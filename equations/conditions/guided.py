"""The guided (sliding) edge of a beam or plate, also the line of symmetry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..pde import PDE
from .condition import FieldCondition, Quantity, bending_of
from .forms import HardForm, SlopeForm


@final
@dataclass(frozen=True)
class Guided(FieldCondition):
    """w_n = 0 and V_n = 0; residuals ``w_n`` [-] and ``V_n`` [N/m].

    Parameters
    ----------
    part
        Name of a boundary part.
    hard
        Whether a trial function is to satisfy w_n = 0 exactly, as for `Neumann`; V_n = 0 stays
        soft. By default where that is well-conditioned.
    field
        Name of the deflection.
    """

    part: str
    hard: bool | None = None
    field: str = "w"

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {"w_n": (self.field, Quantity.SLOPE), "V_n": (self.field, Quantity.SHEAR)}

    def hard_form(self, field: str) -> HardForm | None:
        return SlopeForm(0.0, 1.0, 0.0, ("w_n",)) if self.hard is not False else None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        member = bending_of(self, pde)
        return {"w_n": member.slope(), "V_n": member.effective_shear()}
