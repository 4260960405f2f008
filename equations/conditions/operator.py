"""The condition that any expression of the fields is zero on a part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from ..parser import parse_expression
from ..pde import CURVATURE, PDE, normal_symbols
from ..sourced import unsourced
from .condition import FieldCondition, Quantity, normal_derivative
from .forms import HardForm


@final
@dataclass(frozen=True)
class Operator(FieldCondition):
    """An expression of fields and their derivatives of any order is zero on a part.

    Parameters
    ----------
    field
        Name of the field it is chiefly about.
    part
        Name of a boundary part.
    expression
        Text or sympy expression in coordinates, fields, derivatives such as ``w__x__x``, normal
        derivatives such as ``w_n``, derived quantities such as ``M_x``, coefficients by their
        letter, the normal ``n_x``, ``n_y``, ``n_z`` and the curvature ``kappa``.
    name
        Name of the residual.

    Examples
    --------
    >>> from sciml.equations import Poisson
    >>> Operator("u", "left", "u__x__x - u**2").residuals(Poisson(dimension=1))
    {'operator': -u(x)**2 + Derivative(u(x), (x, 2))}
    """

    field: str
    part: str
    expression: str | sympy.Expr
    name: str = "operator"

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {self.name: (self.field, Quantity.OTHER)}

    def hard_form(self, field: str) -> HardForm | None:
        return None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        parsed = boundary_expression(self.expression, pde)
        field = pde.field(self.field)
        if not parsed.has(field):
            raise EquationError(
                f"Operator on {self.part!r}: the expression {parsed} does not hold the field "
                f"{self.field!r}"
            )
        return {self.name: parsed}


def boundary_expression(expression: str | sympy.Expr, pde: PDE) -> sympy.Expr:
    """Return an expression that may name all that is known of a PDE on its boundary."""
    if not isinstance(expression, str):
        return sympy.sympify(expression)
    symbols = (*pde.coordinates, *normal_symbols(pde.spatial), CURVATURE)
    fields: dict[str, AppliedUndef] = {f.func.__name__: f for f in pde.fields}
    slopes = {f"{name}_n": normal_derivative(f, pde) for name, f in fields.items()}
    known = (
        slopes | unsourced(pde).letters() | {s.name: s for s in symbols} | pde.derived() | fields
    )
    return parse_expression(expression, known)
