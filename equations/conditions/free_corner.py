"""The corner between two free edges of a plate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..pde import PDE, normal_symbols
from .condition import FieldCondition, Quantity, bending_of
from .forms import HardForm


@final
@dataclass(frozen=True)
class FreeCorner(FieldCondition):
    """R = M_ns(after) - M_ns(before) = 0 at a right corner; residual ``R`` [N].

    The normal n at a corner is the bisector, so the normals of the edges are n turned by -45 and
    +45 degrees, and R = (M_y - M_x) (n_x^2 - n_y^2) - 4 M_xy n_x n_y.

    Parameters
    ----------
    part
        Name of a corner, or of a group of corners.
    field
        Name of the deflection.
    """

    part: str
    field: str = "w"

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {"R": (self.field, Quantity.CORNER)}

    def hard_form(self, field: str) -> HardForm | None:
        return None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        member = bending_of(self, pde)
        nx, ny = normal_symbols(member.spatial)
        h = 1 / sympy.sqrt(2)
        before = (h * (nx + ny), h * (ny - nx))
        after = (h * (nx - ny), h * (ny + nx))
        return {"R": sympy.expand(member.corner_force(before, after))}
