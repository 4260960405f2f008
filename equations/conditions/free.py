"""The free edge of a beam or plate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..pde import PDE
from .condition import FieldCondition, Quantity, bending_of
from .forms import HardForm


@final
@dataclass(frozen=True)
class Free(FieldCondition):
    """M_n = 0 and V_n = 0; residuals ``M_n`` [N] and ``V_n`` [N/m].

    Where two free edges meet, the corner force is zero too: `ansatz` adds that condition.

    Parameters
    ----------
    part
        Name of a boundary part.
    field
        Name of the deflection.
    """

    part: str
    field: str = "w"

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {"M_n": (self.field, Quantity.MOMENT), "V_n": (self.field, Quantity.SHEAR)}

    def hard_form(self, field: str) -> HardForm | None:
        return None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        member = bending_of(self, pde)
        return {"M_n": member.normal_moment(), "V_n": member.effective_shear()}
