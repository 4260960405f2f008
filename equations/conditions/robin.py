"""The condition on a sum of the value and the normal derivative of a field."""

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
class Robin(FieldCondition):
    """a u + b n . grad(u) = g on a part, with the outward normal n; residual ``u_robin``.

    Convection from a wall of conductivity k into a fluid at T_0 is a = h, b = k, g = h T_0.

    Parameters
    ----------
    field
        Name of the field u.
    part
        Name of a boundary part.
    value
        g: number, text or expression in the coordinates.
    a, b
        Factors of the value and of the normal derivative.
    hard
        Whether a trial function is to satisfy it exactly. It does where the part is straight or
        round and the values fit at its ends (`ansatz` tests that), and costs one derivative. By
        default where that is well-conditioned.

    References
    ----------
    Gustafson and Abe (1998), The third boundary condition - was it Robin's?

    Examples
    --------
    >>> from sciml.equations import Poisson
    >>> Robin("u", "right", value=3, a=2).residuals(Poisson(dimension=1))
    {'u_robin': n_x*Derivative(u(x), x) + 2*u(x) - 3}
    """

    field: str
    part: str
    value: Coefficient = 0.0
    a: Coefficient = 1.0
    b: Coefficient = 1.0
    hard: bool | None = None

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {f"{self.field}_robin": (self.field, Quantity.ROBIN)}

    def hard_form(self, field: str) -> HardForm | None:
        return SlopeForm(self.a, self.b, self.value, self.names) if self.hard is not False else None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        name, u = f"{self.field}_robin", pde.field(self.field)
        a, b, g = (pde.expression(v, name) for v in (self.a, self.b, self.value))
        return {name: a * u + b * normal_derivative(u, pde) - g}
