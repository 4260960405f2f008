"""The wall that a viscous fluid sticks to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..coefficients import Coefficient
from ..pde import PDE
from .condition import BoundaryCondition, Quantity, vector
from .forms import HardForm, ValueForm


@final
@dataclass(frozen=True)
class NoSlip(BoundaryCondition):
    """The velocity is that of the wall; one residual for each component, named after it.

    With other values it is an inlet with a given profile, or a lid.

    Parameters
    ----------
    part
        Name of a boundary part.
    velocity
        Names of the components.
    values
        Velocity of the wall or inlet, one number, text or expression per component [m/s]; none
        means at rest.
    hard
        Whether trial functions are to satisfy it exactly, by ``u = g + phi*N``. By default where
        that is well-conditioned.

    Examples
    --------
    >>> NoSlip("lid", values=(1.0, 0.0)).hard_form("u").value
    1.0
    """

    part: str
    velocity: tuple[str, ...] = ("u", "v")
    values: tuple[Coefficient, ...] = ()
    hard: bool | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "velocity", tuple(self.velocity))
        values = tuple(self.values) or (0.0,) * len(self.velocity)
        if len(values) != len(self.velocity):
            raise EquationError(
                f"NoSlip on {self.part!r}: {len(values)} values for the {len(self.velocity)} "
                f"components {', '.join(self.velocity)}"
            )
        object.__setattr__(self, "values", values)

    @property
    def fields(self) -> tuple[str, ...]:
        return self.velocity

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {name: (name, Quantity.VALUE) for name in self.velocity}

    def hard_form(self, field: str) -> HardForm | None:
        value = self.values[self.velocity.index(field)]
        return ValueForm(1, value, (field,)) if self.hard is not False else None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        components = vector(self, pde, self.velocity)
        return {
            name: u - pde.expression(value, name)
            for name, u, value in zip(self.velocity, components, self.values, strict=True)
        }
