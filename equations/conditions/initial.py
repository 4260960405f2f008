"""The state from which an evolution starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..coefficients import Coefficient
from ..given import CoefficientSource
from ..pde import PDE
from .condition import FieldCondition, Quantity, time_of
from .forms import HardForm, ValueForm


@final
@dataclass(frozen=True)
class Initial(FieldCondition):
    """u = g, and u_t = h where a rate is given, at the start; residuals ``u`` and ``u_t``.

    Parameters
    ----------
    field
        Name of the field u.
    value
        g: number, text or expression in the coordinates [unit of u].
    rate
        h [unit of u per s]; None for equations of first order in time.
    part
        The part of space and time that is the start.
    hard
        Whether a trial function is to take the value exactly, by ``u = g + phi*N``, and the rate
        by ``u = g + phi*h + phi**2*N`` if it is a number, a text or an expression. By default
        where that is well-conditioned.

    Examples
    --------
    >>> Initial("u", "sin(pi*x)", rate=0).names
    ('u', 'u_t')
    """

    field: str
    value: Coefficient = 0.0
    rate: Coefficient | None = None
    part: str = "initial"
    hard: bool | None = None

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        value = {self.field: (self.field, Quantity.VALUE)}
        if self.rate is None:
            return value
        return value | {f"{self.field}_t": (self.field, Quantity.SLOPE)}

    def hard_form(self, field: str) -> HardForm | None:
        if self.hard is False:
            return None
        if self.rate is None or isinstance(self.rate, CoefficientSource):
            return ValueForm(1, self.value, (self.field,))
        # The outward normal of the start points to the past.
        outward = f"-({self.rate})" if isinstance(self.rate, str) else -self.rate
        return ValueForm(2, self.value, self.names, outward)

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        u, t = pde.field(self.field), time_of(self, pde)
        result = {self.field: u - pde.expression(self.value, self.field)}
        if self.rate is not None:
            name = f"{self.field}_t"
            result[name] = u.diff(t) - pde.expression(self.rate, name)
        return result
