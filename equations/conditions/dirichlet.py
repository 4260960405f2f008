"""The condition on the value of a field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..coefficients import Coefficient
from ..pde import PDE
from .condition import FieldCondition, Quantity
from .forms import HardForm, ValueForm


@final
@dataclass(frozen=True)
class Dirichlet(FieldCondition):
    """u = g on a part; the residual is named after the field.

    Parameters
    ----------
    field
        Name of the field u.
    part
        Name of a boundary part.
    value
        g: number, text or expression in the coordinates [unit of u].
    hard
        Whether a trial function is to satisfy it exactly, by ``u = g + phi*N``. By default where
        that is well-conditioned.

    Examples
    --------
    >>> from sciml.equations import Poisson
    >>> Dirichlet("u", "edges.left", "y").residuals(Poisson())
    {'u': -y + u(x, y)}
    """

    field: str
    part: str
    value: Coefficient = 0.0
    hard: bool | None = None

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {self.field: (self.field, Quantity.VALUE)}

    def hard_form(self, field: str) -> HardForm | None:
        return ValueForm(1, self.value, (self.field,)) if self.hard is not False else None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        return {self.field: pde.field(self.field) - pde.expression(self.value, self.field)}
