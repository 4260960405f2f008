"""The interface of a partial differential equation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, final

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from .coefficients import Coefficient, as_expression
from .declarations import declared
from .names import near
from .quantities import converted, is_quantity

TIME = sympy.Symbol("t")
"""Time [s], the last coordinate where there is one; a steady field's derivative in it is 0."""


def space(dimension: int, least: int = 1, most: int = 3) -> tuple[sympy.Symbol, ...]:
    """Return the first coordinates of x, y, z, of which there are ``least`` to ``most``."""
    if isinstance(dimension, bool) or dimension not in range(least, most + 1):
        allowed = ", ".join(map(str, range(least, most + 1)))
        raise EquationError(f"the dimension must be one of {allowed}, got {dimension!r}")
    return tuple(map(sympy.Symbol, "xyz"[:dimension]))


def space_time(
    dimension: int, steady: bool = False, least: int = 1, most: int = 3
) -> tuple[sympy.Symbol, ...]:
    """Return the first coordinates of x, y, z, then t unless steady.

    Examples
    --------
    >>> space_time(2)
    (x, y, t)
    """
    return space(dimension, least, most) + (() if steady else (TIME,))


def unknowns(
    names: str, coordinates: Sequence[sympy.Symbol], most: int | None = None
) -> tuple[AppliedUndef, ...]:
    """Return fields of all coordinates from names between spaces, the first ``most`` of them.

    Examples
    --------
    >>> unknowns("u v w", space_time(2), 2)
    (u(x, y, t), v(x, y, t))
    """
    return tuple(sympy.Function(name)(*coordinates) for name in names.split()[:most])


def coordinate_units(coordinates: Sequence[sympy.Symbol]) -> dict[str, str]:
    """Return s for t and m for every other coordinate."""
    return {str(c): "s" if c == TIME else "m" for c in coordinates}


def normal_symbols(coordinates: Sequence[sympy.Symbol]) -> tuple[sympy.Symbol, ...]:
    """Return the symbols of the outward unit normal, n_x, n_y, ..."""
    return tuple(sympy.Symbol(f"n_{c}") for c in coordinates)


CURVATURE = sympy.Symbol("kappa")
"""Curvature of the boundary [1/m], positive where the shape is convex."""


@dataclass(frozen=True)
class PDE(ABC):
    """A system of partial differential equations, residual = 0.

    A PDE is a frozen dataclass whose fields are its coefficients, declared with `coefficient`,
    and its choices, such as the dimension. Coordinates are plain symbols x, y, z and t; fields
    are functions of them.

    Raises
    ------
    EquationError
        If a declared coefficient is not finite or out of its range.
    """

    def __post_init__(self) -> None:
        """Check the declared coefficients; an equation with more to check does that as well."""
        self.coefficient_values()

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

    @abstractmethod
    def manufactured(self) -> dict[str, sympy.Expr]:
        """Return a smooth expression for each field, to be put in where the equation is tested.

        What the residuals then are is the source for which these fields are the exact solution
        (Roache 2002, J. Fluids Eng. 124, the method of manufactured solutions). Densities,
        depths and the like are positive.
        """

    @final
    @classmethod
    def symbolic(cls, **chosen: Any) -> Self:
        """Return the equation with every declared coefficient as its symbol, to print formulas.

        Parameters
        ----------
        **chosen
            Fields with values of their own.
        """
        plain = cls(**chosen)
        letters = {
            name: tuple(sympy.Symbol(f"{d.symbol}_{x}") for x in plain.spatial)
            if d.vector
            else sympy.Symbol(d.symbol)
            for name, d in declared(cls).items()
            if name not in chosen
        }
        return replace(plain, **letters)

    @final
    @property
    def spatial(self) -> tuple[sympy.Symbol, ...]:
        """Coordinates without time."""
        return tuple(c for c in self.coordinates if c != TIME)

    @final
    def coefficient_values(self) -> tuple[Any, ...]:
        """Return the declared coefficients as expressions in the order of the fields.

        A vector is a tuple with one component per space coordinate.
        """
        return tuple(
            self._vector(name) if d.vector else self._scalar(name)
            for name, d in declared(self).items()
        )

    def letters(self) -> dict[str, sympy.Expr]:
        """Return the declared coefficients by their letters, of a vector by ``a_x`` and so on."""
        found: dict[str, sympy.Expr] = {}
        for d, value in zip(declared(self).values(), self.coefficient_values(), strict=True):
            if d.vector:
                found |= {f"{d.symbol}_{x}": v for x, v in zip(self.spatial, value, strict=True)}
            else:
                found[d.symbol] = value
        return found

    def _scalar(self, name: str) -> sympy.Expr:
        value = self._given(getattr(self, name), name, declared(self)[name].symbol)
        where = f"{type(self).__name__}: {name}"
        declared(self)[name].check(value, self.coordinates, where)
        return value

    def _vector(self, name: str) -> tuple[sympy.Expr, ...]:
        given, d = getattr(self, name), len(self.spatial)
        if not isinstance(given, tuple) or len(given) not in (0, d):
            raise EquationError(
                f"{type(self).__name__}: {name} must be a tuple of {d} components, or () for "
                f"zero, got {given!r}"
            )
        letter = declared(self)[name].symbol
        parts = zip(given, self.spatial, strict=False)
        components = tuple(self._given(c, name, f"{letter}_{x}") for c, x in parts)
        return components or (sympy.Integer(0),) * d

    def _given(self, value: Coefficient, name: str, letter: str) -> sympy.Expr:
        if is_quantity(value):
            where = f"{type(self).__name__}: {name}"
            value = converted(str(value), declared(self)[name].unit, where)
        return self.expression(value, name, letter)

    @final
    @property
    def order(self) -> int:
        """Order of the highest derivative in the residuals."""
        found = [
            d.derivative_count
            for r in self.residuals().values()
            # Integrals stay as they are: sympy would spend seconds on solving them.
            for d in r.doit(integrals=False).atoms(sympy.Derivative)
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
        raise EquationError(
            f"{type(self).__name__} has no field {name!r}{near(str(name), list(known))}"
        )

    @final
    def expression(self, value: Coefficient, name: str, letter: str = "") -> sympy.Expr:
        """Return a coefficient or boundary value as an expression in the coordinates."""
        return as_expression(value, self.coordinates, f"{type(self).__name__}.{name}", letter)

    @final
    def _repr_latex_(self) -> str:
        lines = [sympy.latex(r) + " &= 0" for r in self.residuals().values()]
        return "$\\displaystyle \\begin{aligned}" + r" \\ ".join(lines) + "\\end{aligned}$"
