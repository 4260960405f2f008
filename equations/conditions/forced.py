"""A condition with a right-hand side that it does not have by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..pde import PDE
from .condition import BoundaryCondition, Quantity
from .forms import HardForm


@final
@dataclass(frozen=True)
class Forced(BoundaryCondition):
    """Residual = right side for each residual of another condition, under the same names.

    What the other condition satisfies exactly stays exact where its right side is zero.

    Parameters
    ----------
    condition
        Such as ``SimplySupported("edges")``, which asks for a moment of zero.
    right
        Pairs of a residual's name and its right side, an expression in the coordinates, the
        normal and the curvature [unit of the residual].

    Raises
    ------
    EquationError
        If the other condition says hard=True and its exact form does not have the right sides.

    Examples
    --------
    >>> from sciml.equations import KirchhoffPlate, SimplySupported
    >>> forced = Forced(SimplySupported("edges"), (("M_n", sympy.Symbol("x")),))
    >>> forced.where, forced.names, forced.hard_form("w").ansatz
    ('edges', ('w', 'M_n'), 'g + phi*N')
    """

    condition: BoundaryCondition
    right: tuple[tuple[str, sympy.Expr], ...]
    part: str = field(init=False)
    hard: bool | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "part", self.condition.part)
        object.__setattr__(self, "hard", self.condition.hard)
        for name in self.fields if self.hard else ():
            if self.condition.hard_form(name) is not None and self.hard_form(name) is None:
                raise EquationError(
                    f"{type(self.condition).__name__}({self.part!r}): hard=True, but {name!r} has "
                    "values there that are not zero, which its exact form cannot have; leave 'hard'"
                    " out"
                )

    @property
    def fields(self) -> tuple[str, ...]:
        return self.condition.fields

    @property
    def prescribes(self) -> Mapping[str, tuple[str, Quantity]]:
        return self.condition.prescribes

    def hard_form(self, field: str) -> HardForm | None:
        form, right = self.condition.hard_form(field), dict(self.right)
        if form is None or any(right.get(name, 0) != 0 for name in form.satisfies):
            return None
        return form

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        right = dict(self.right)
        return {n: r - right.get(n, 0) for n, r in self.condition.residuals(pde).items()}


def unforced(condition: BoundaryCondition) -> BoundaryCondition:
    """Return the condition a right side was given to, or the condition itself."""
    return condition.condition if isinstance(condition, Forced) else condition
