"""Laplace's equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..operators import grad, laplacian
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class Laplace(PDE):
    """laplacian(u) = 0, potentials without sources.

    The residual ``laplace`` is the left side.

    Parameters
    ----------
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If the dimension is out of range.

    References
    ----------
    Evans (2010), Partial Differential Equations, section 2.2.
    """

    dimension: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        space(self.dimension)

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        return {"laplace": laplacian(self.fields[0], self.coordinates)}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the gradient by components, g_x, g_y, g_z."""
        X, (u,) = self.coordinates, self.fields
        return {f"g_{x}": g for x, g in zip(X, grad(u, X), strict=True)}

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates) | {"u": "u"} | dict.fromkeys(self.derived(), "u/m")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)
