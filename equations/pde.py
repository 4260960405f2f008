"""The interface of a partial differential equation."""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from .coefficients import Coefficient, as_expression


def space(dimension: int) -> tuple[sympy.Symbol, ...]:
    """Return the first coordinates of x, y, z."""
    if isinstance(dimension, bool) or dimension not in (1, 2, 3):
        raise EquationError(f"the dimension must be 1, 2 or 3, got {dimension!r}")
    return tuple(map(sympy.Symbol, "xyz"[:dimension]))


def normal_symbols(coordinates: Sequence[sympy.Symbol]) -> tuple[sympy.Symbol, ...]:
    """Return the symbols of the outward unit normal, n_x, n_y, ..."""
    return tuple(sympy.Symbol(f"n_{c}") for c in coordinates)


CURVATURE = sympy.Symbol("kappa")
"""Curvature of the boundary [1/m], positive where the shape is convex."""


class PDE(ABC):
    """A system of partial differential equations, residual = 0.

    A PDE is a frozen dataclass whose fields are its coefficients. Coordinates are plain symbols
    x, y, z; fields are functions of them.
    """

    @property
    @abstractmethod
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        """Independent variables."""

    @property
    @abstractmethod
    def fields(self) -> tuple[AppliedUndef, ...]:
        """Unknown fields, for example ``(w(x, y),)``."""

    @abstractmethod
    def residuals(self) -> dict[str, sympy.Expr]:
        """Return the expressions that are zero for a solution, under their names."""

    @abstractmethod
    def derived(self) -> dict[str, sympy.Expr]:
        """Return quantities that follow from the fields, under their names."""

    @abstractmethod
    def units(self) -> dict[str, str]:
        """Return the SI unit of each coordinate, field and derived quantity."""

    @final
    @property
    def order(self) -> int:
        """Order of the highest derivative in the residuals."""
        found = [
            d.derivative_count
            for r in self.residuals().values()
            for d in r.doit().atoms(sympy.Derivative)
        ]
        return max(found, default=0)

    @final
    def field(self, name: str) -> AppliedUndef:
        """Return a field by name.

        Raises
        ------
        EquationError
            If there is no such field; the message names the nearest one.
        """
        known = {f.func.__name__: f for f in self.fields}
        if name in known:
            return known[name]
        near = difflib.get_close_matches(str(name), known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise EquationError(
            f"{type(self).__name__} has no field {name!r}, expected one of {list(known)}{hint}"
        )

    @final
    def expression(self, value: Coefficient, name: str) -> sympy.Expr:
        """Return a coefficient or boundary value as an expression in the coordinates."""
        return as_expression(value, self.coordinates, f"{type(self).__name__}.{name}")

    @final
    def _repr_latex_(self) -> str:
        lines = [sympy.latex(r) + " &= 0" for r in self.residuals().values()]
        return "$\\displaystyle \\begin{aligned}" + r" \\ ".join(lines) + "\\end{aligned}$"
