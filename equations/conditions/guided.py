"""The guided (sliding) edge of a plate, also the line of symmetry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..pde import PDE
from .condition import Condition, HardForm, Quantity, plate_of


@final
@dataclass(frozen=True)
class Guided(Condition):
    """w_n = 0 and V_n = 0; residuals ``w_n`` [-] and ``V_n`` [N/m].

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
    def prescribes(self) -> dict[Quantity, str]:
        return {Quantity.SLOPE: "w_n", Quantity.SHEAR: "V_n"}

    @property
    def hard_form(self) -> HardForm | None:
        return None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        plate = plate_of(self, pde)
        return {"w_n": plate.slope(), "V_n": plate.effective_shear()}
