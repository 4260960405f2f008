"""The edge of a beam or plate on springs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..coefficients import Coefficient
from ..pde import PDE
from .condition import FieldCondition, Quantity, bending_of
from .forms import HardForm


@final
@dataclass(frozen=True)
class ElasticEdge(FieldCondition):
    """V_n = -k w and M_n = c w_n; residuals ``V_n`` [N/m] and ``M_n`` [N].

    V_n is the force on the edge in the direction of w, so springs, which pull back, make it -k w;
    this makes the elastic energy k w^2/2 + c w_n^2/2 per length stationary. k = c = 0 is a free
    edge.

    Parameters
    ----------
    part
        Name of a boundary part.
    stiffness
        k, force per length and deflection [N/m^2], >= 0.
    rotational_stiffness
        c, moment per length and angle [N], >= 0.
    field
        Name of the deflection.

    References
    ----------
    Timoshenko and Woinowsky-Krieger (1959), Theory of Plates and Shells, section 22.
    """

    part: str
    stiffness: Coefficient
    rotational_stiffness: Coefficient = 0.0
    field: str = "w"

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {"M_n": (self.field, Quantity.MOMENT), "V_n": (self.field, Quantity.SHEAR)}

    def hard_form(self, field: str) -> HardForm | None:
        return None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        member = bending_of(self, pde)
        k = pde.expression(self.stiffness, "stiffness")
        c = pde.expression(self.rotational_stiffness, "rotational_stiffness")
        for name, value in (("stiffness", k), ("rotational_stiffness", c)):
            if value.is_number and value.is_negative:
                raise EquationError(
                    f"ElasticEdge on {self.part!r}: {name} must be at least 0, got {value}, since "
                    "springs pull back"
                )
        return {
            "M_n": member.normal_moment() - c * member.slope(),
            "V_n": member.effective_shear() + k * member.w,
        }
