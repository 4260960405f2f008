"""The condition that a field goes on after a period as it began."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..pde import PDE
from .condition import FieldCondition, Quantity
from .forms import HardForm, PeriodicForm


@final
@dataclass(frozen=True)
class Periodic(FieldCondition):
    """u(x) = u(x + L) on a part, and the same for derivatives; residuals ``u_periodic_0``, ...

    Parameters
    ----------
    field
        Name of the field u.
    part
        Name of the boundary part at the lower end of the period, such as ``edges.left``.
    coordinate
        Name of the coordinate x.
    period
        L [unit of x], positive: the part at the other end lies at x + L.
    order
        Derivatives in x up to this one agree, >= 0; an equation of order m needs m - 1.
    hard
        Whether the network is to see x as a point of a circle, which satisfies it exactly in all
        derivatives. It does where every field of the problem has this period in x and the other
        conditions have it as well. By default where that is well-conditioned.

    Raises
    ------
    EquationError
        If the period or the order is out of range.

    Examples
    --------
    >>> from sciml.equations import Poisson
    >>> Periodic("u", "left", period=2, order=0).residuals(Poisson(dimension=1))
    {'u_periodic_0': u(x) - u(x + 2)}
    """

    field: str
    part: str
    coordinate: str = "x"
    period: float = 1.0
    order: int = 1
    hard: bool | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.period) and self.period > 0):
            raise EquationError(f"Periodic on {self.part!r}: period must be > 0, got {self.period}")
        if isinstance(self.order, bool) or not isinstance(self.order, int) or self.order < 0:
            raise EquationError(f"Periodic on {self.part!r}: order must be >= 0, got {self.order}")

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        orders = range(self.order + 1)
        return {f"{self.field}_periodic_{k}": (self.field, Quantity.OTHER) for k in orders}

    def hard_form(self, field: str) -> HardForm | None:
        return (
            PeriodicForm(self.coordinate, self.period, self.names)
            if self.hard is not False
            else None
        )

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        known = {c.name: c for c in pde.coordinates}
        if self.coordinate not in known:
            raise EquationError(
                f"Periodic on {self.part!r}: no coordinate {self.coordinate!r}, "
                f"{type(pde).__name__} has {', '.join(known)}"
            )
        x, u = known[self.coordinate], pde.field(self.field)
        there = x + pde.expression(self.period, "period")
        return {
            name: u.diff(x, k) - u.diff(x, k).subs(x, there)
            for k, name in enumerate(self.prescribes)
        }
