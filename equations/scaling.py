"""Scales of an equation, the dimensionless numbers left in it, and the way back to units."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import sympy

from sciml.framework.errors import EquationError

from .coefficients import Coefficient
from .dimensionless import Dimensionless
from .names import near


@final
@dataclass(frozen=True)
class Group:
    """A dimensionless number that is left in an equation.

    Parameters
    ----------
    residual
        Name of the residual it stands in.
    formula
        By coefficients and scales, where ``x_ref`` is the scale of x.
    value
        Its value [-].
    name
        What it is called, empty if it is not among the well-known ones.
    """

    residual: str
    formula: sympy.Expr
    value: float
    name: str = ""


@final
@dataclass(frozen=True)
class Scale:
    """The size of a coordinate, field, derived quantity or residual.

    Parameters
    ----------
    value
        In its unit.
    unit
        SI unit.
    formula
        What it was chosen from; its own letter if it was given.
    """

    value: sympy.Expr
    unit: str
    formula: sympy.Expr


@final
@dataclass(frozen=True)
class Scaling:
    """A dimensionless equation, its scales and numbers, and the way back to units.

    It prints as a table of scales and dimensionless numbers.

    Parameters
    ----------
    pde
        The dimensionless equation.
    scales
        Of coordinates, fields and derived quantities, by name.
    residuals
        Of residuals, by name.
    groups
        The dimensionless numbers that are not one.
    """

    pde: Dimensionless
    scales: Mapping[str, Scale]
    residuals: Mapping[str, Scale]
    groups: tuple[Group, ...]

    def to_units(self, name: str, values: Any) -> Any:
        """Return values of a coordinate, field or derived quantity in its unit."""
        return values * float(self._exact(name))

    def without_units(self, name: str, values: Any) -> Any:
        """Return values over their scale."""
        return values / float(self._exact(name))

    def expression(self, value: Coefficient, name: str) -> sympy.Expr:
        """Return a value of a field in its unit, such as boundary data, in dimensionless form.

        Parameters
        ----------
        value
            Number, text or expression in the coordinates with their units.
        name
            Name of the field.
        """
        exact = self.pde.expression(value, name)
        return sympy.expand_mul(self.pde.rewritten(exact) / self._exact(name))

    def in_units(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a quantity as a function of the coordinates with units, in its unit.

        Parameters
        ----------
        name
            Name of the field or derived quantity.
        function
            It without units, as ``solution["u"]``, called with the coordinates without units.
        """
        sizes = [float(self._exact(str(c))) for c in self.pde.coordinates]

        def quantity(*coordinates: Any) -> Any:
            places = [x / size for x, size in zip(coordinates, sizes, strict=True)]
            return self.to_units(name, function(*places))

        return quantity

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Return kind, name, formula and value with unit of each line of the report."""
        kinds = (("scale", self.scales), ("residual", self.residuals))
        found = [
            (kind, name, str(s.formula), f"{float(s.value):.6g} {s.unit}".removesuffix(" -"))
            for kind, scales in kinds
            for name, s in scales.items()
        ]
        for g in self.groups:
            label = f"{g.name} in {g.residual}" if g.name else f"in {g.residual}"
            found.append(("number", label, str(g.formula), f"{g.value:.6g}"))
        return found

    def __str__(self) -> str:
        rows = self.rows()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows
        )

    def _repr_html_(self) -> str:
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self.rows()
        )
        head = "<tr><th></th><th>of</th><th>formula</th><th>value</th></tr>"
        return f"<table>{head}{body}</table>"

    def _exact(self, name: str) -> sympy.Expr:
        if name not in self.scales:
            raise EquationError(f"there is no scale of {name!r}{near(name, list(self.scales))}")
        return self.scales[name].value
