"""The condition on an integral over the domain or a part of its boundary."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..pde import PDE
from .condition import Condition
from .operator import boundary_expression


@final
@dataclass(frozen=True)
class Integral(Condition):
    """The integral of an expression over a part equals a number; residual ``integral``.

    Two common ones: the flow rate through an outlet, ``"u*n_x + v*n_y"``, and the mean of a
    pressure, ``"p"`` over ``interior`` with value 0.

    Parameters
    ----------
    field
        Name of the field it is chiefly about.
    expression
        Integrand: text or sympy expression in coordinates, fields, derivatives, derived
        quantities and, on a boundary, the normal ``n_x``, ``n_y``, ``n_z``.
    value
        Number the integral is equal to.
    part
        A boundary part, or ``interior``.
    name
        Name of the residual.

    Examples
    --------
    >>> Integral("p", "p").where
    'interior'
    """

    field: str
    expression: str | sympy.Expr
    value: float = 0.0
    part: str = "interior"
    name: str = "integral"

    def __post_init__(self) -> None:
        if isinstance(self.value, bool) or not math.isfinite(float(self.value)):
            raise EquationError(f"Integral over {self.part!r}: value must be finite")

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    @property
    def where(self) -> str:
        return self.part

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        """Return the integrand; the value is taken off its integral."""
        parsed = boundary_expression(self.expression, pde)
        if not parsed.has(pde.field(self.field)):
            raise EquationError(
                f"Integral over {self.part!r}: the integrand {parsed} does not hold the field "
                f"{self.field!r}"
            )
        return {self.name: parsed}
