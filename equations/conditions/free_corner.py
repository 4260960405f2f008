"""The corner between two free edges of a plate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..pde import CURVATURE, PDE, normal_symbols
from .condition import FieldCondition, Quantity, bending_of
from .forms import HardForm


@final
@dataclass(frozen=True)
class FreeCorner(FieldCondition):
    """R = M_ns(after) - M_ns(before) = 0 at a corner; residual ``R`` [N].

    The normal n at a corner is the bisector, and ``kappa`` the angle by which the normal turns
    there, so that the normals of the edges are n turned by -kappa/2 and kappa/2.

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
        if len(member.spatial) != 2:
            raise EquationError(f"FreeCorner on {self.part!r}: a beam has no corners; use Free")
        nx, ny = normal_symbols(member.spatial)
        c, s = sympy.cos(CURVATURE / 2), sympy.sin(CURVATURE / 2)
        before = (c * nx + s * ny, c * ny - s * nx)
        after = (c * nx - s * ny, c * ny + s * nx)
        return {"R": sympy.expand(member.corner_force(before, after))}
