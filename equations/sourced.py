"""An equation with sources of its own added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from .names import near
from .pde import PDE


@final
@dataclass(frozen=True)
class Sourced(PDE):
    """Residual minus source = 0 for each residual of another equation.

    Parameters
    ----------
    equation
        The equation without the sources; fields, quantities and units are its own.
    sources
        Expressions in the coordinates by the names of residuals, in their units; none is zero.

    Raises
    ------
    EquationError
        If there is no such residual.

    Examples
    --------
    >>> from sciml.equations import Poisson
    >>> Sourced(Poisson(0, dimension=1), {"poisson": sympy.Symbol("x")}).residuals()
    {'poisson': -x - Derivative(u(x), (x, 2))}
    """

    equation: PDE
    sources: Mapping[str, sympy.Expr]

    def __post_init__(self) -> None:
        super().__post_init__()
        known = list(self.equation.residuals())
        for name in self.sources:
            if name not in known:
                raise EquationError(
                    f"Sourced: {type(self.equation).__name__} has no residual {name!r}"
                    f"{near(name, known)}"
                )

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return self.equation.coordinates

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return self.equation.fields

    def residuals(self) -> dict[str, sympy.Expr]:
        return {n: r - self.sources.get(n, 0) for n, r in self.equation.residuals().items()}

    def derived(self) -> dict[str, sympy.Expr]:
        return self.equation.derived()

    def units(self) -> dict[str, str]:
        return self.equation.units()

    def manufactured(self) -> dict[str, sympy.Expr]:
        return self.equation.manufactured()


def unsourced(pde: PDE) -> PDE:
    """Return the equation to which sources were added, or the equation itself."""
    while isinstance(pde, Sourced):
        pde = pde.equation
    return pde
