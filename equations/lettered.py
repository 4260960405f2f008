"""An equation with letters for its coefficients."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import sympy

from .custom import CustomPDE
from .declarations import declared
from .dimensions import dimension
from .pde import PDE
from .sourced import Sourced


@final
@dataclass(frozen=True)
class Lettered:
    """An equation with a letter for each coefficient.

    Parameters
    ----------
    pde
        The equation. A coefficient that varies is a function of the coordinates in it.
    coefficients
        What each letter stands for.
    units
        The units that are known, of coordinates, fields, quantities and letters by name.
    """

    pde: PDE
    coefficients: Mapping[str, sympy.Expr]
    units: Mapping[str, str]

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates."""
        return [str(c) for c in self.pde.coordinates]

    @property
    def fields(self) -> list[str]:
        """Names of the unknown fields."""
        names = [f.func.__name__ for f in self.pde.fields]
        return [name for name in names if name not in self.coefficients]

    def kind(self, name: str) -> sympy.Expr | None:
        """Return the unit of a name in base units, None if it is not known."""
        return dimension(self.units[name]) if name in self.units else None


def lettered(pde: PDE) -> Lettered:
    """Return an equation with letters for its coefficients.

    Examples
    --------
    >>> from sciml.equations import Diffusion
    >>> found = lettered(Diffusion(0.5, source="x"))
    >>> found.pde.residuals()["diffusion"]
    -D*Derivative(u(x, t), (x, 2)) - f(x, t) + Derivative(u(x, t), t)
    >>> found.coefficients
    {'D': 1/2, 'f': x}
    """
    if isinstance(pde, Sourced):
        inner = lettered(pde.equation)
        return Lettered(Sourced(inner.pde, pde.sources), inner.coefficients, inner.units)
    return _own(pde) if isinstance(pde, CustomPDE) else _declared(pde)


def _declared(pde: PDE) -> Lettered:
    coefficients = declared(pde)
    chosen = {
        f.name: getattr(pde, f.name) for f in dataclasses.fields(pde) if f.name not in coefficients
    }
    found: dict[str, sympy.Expr] = {}
    units = dict(pde.units())
    for (name, d), value in zip(coefficients.items(), pde.coefficient_values(), strict=True):
        parts = value if d.vector else (value,)
        words = [f"{d.symbol}_{x}" for x in pde.spatial] if d.vector else [d.symbol]
        found |= dict(zip(words, parts, strict=True))
        units |= dict.fromkeys(words, d.unit)
        if any(part.has(*pde.coordinates) for part in parts):
            functions = tuple(sympy.Function(word)(*pde.coordinates) for word in words)
            chosen[name] = functions if d.vector else functions[0]
    return Lettered(type(pde).symbolic(**chosen), found, units)


def _own(pde: CustomPDE) -> Lettered:
    values = pde.letters()
    unknowns = " ".join([pde.unknowns, *values])
    plain = dataclasses.replace(pde, unknowns=unknowns, coefficients={})
    return Lettered(plain, values, pde.stated_units)
