"""The simply supported edge of a beam or plate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..pde import PDE
from .condition import FieldCondition, Quantity, bending_of
from .forms import HardForm, ValueForm


@final
@dataclass(frozen=True)
class SimplySupported(FieldCondition):
    """w = 0 and M_n = 0; residuals ``w`` [m] and ``M_n`` [N].

    The moment is the normal one, in full. On a straight edge w = 0 already gives w_ss = 0, so that
    M_n = 0 means w_nn = 0, which must be imposed: the tangential moment -D nu w_nn would enforce
    nothing at nu = 0.

    Parameters
    ----------
    part
        Name of a boundary part.
    hard
        Whether a trial function is to satisfy w = 0 exactly, by ``w = phi*N``; M_n = 0 stays soft.
        By default where that is well-conditioned.
    field
        Name of the deflection.
    """

    part: str
    hard: bool | None = None
    field: str = "w"

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {"w": (self.field, Quantity.VALUE), "M_n": (self.field, Quantity.MOMENT)}

    def hard_form(self, field: str) -> HardForm | None:
        return ValueForm(1, 0.0, ("w",)) if self.hard is not False else None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        member = bending_of(self, pde)
        return {"w": member.w, "M_n": member.normal_moment()}
