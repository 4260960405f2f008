"""The condition on the normal derivative of a field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..coefficients import Coefficient
from ..pde import PDE
from .condition import FieldCondition, Quantity, normal_derivative
from .forms import HardForm, SlopeForm


@final
@dataclass(frozen=True)
class Neumann(FieldCondition):
    """n . grad(u) = g on a part, with the outward normal n; the residual is ``u_n``.

    The derivative is prescribed, not the flux: for -div(k grad u) = f the flux is -k g.

    Parameters
    ----------
    field
        Name of the field u.
    part
        Name of a boundary part.
    value
        g: number, text or expression in the coordinates [unit of u per m].
    hard
        Whether a trial function is to satisfy it exactly. It does where the part is straight or
        round and the values fit at its ends (`ansatz` tests that), and costs one derivative. By
        default where that is well-conditioned.

    Examples
    --------
    >>> from sciml.equations import Poisson
    >>> Neumann("u", "right", 2).residuals(Poisson(dimension=1))
    {'u_n': n_x*Derivative(u(x), x) - 2}
    """

    field: str
    part: str
    value: Coefficient = 0.0
    hard: bool | None = None

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {f"{self.field}_n": (self.field, Quantity.SLOPE)}

    def hard_form(self, field: str) -> HardForm | None:
        return SlopeForm(0.0, 1.0, self.value, self.names) if self.hard is not False else None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        name = f"{self.field}_n"
        slope = normal_derivative(pde.field(self.field), pde)
        return {name: slope - pde.expression(self.value, name)}
