"""The check that an equation makes sense in its units."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import sympy

from sciml.framework.errors import EquationError

from .custom import CustomPDE
from .declarations import declared
from .dimensions import check_terms, dimension
from .pde import PDE


def check_units(pde: PDE) -> dict[str, str]:
    """Return the unit of each residual, after a check that all its terms have the same.

    Parameters
    ----------
    pde
        An equation. Its coefficients are taken as letters with the units they are declared in,
        whatever their values; a number in the formula has no unit.

    Returns
    -------
    dict
        Product of base units for each residual.

    Raises
    ------
    EquationError
        If terms differ, a function is taken of something with a unit, a derived quantity has
        another unit than it is declared in, or a unit is missing.

    Examples
    --------
    >>> from sciml.equations import Diffusion
    >>> check_units(Diffusion(diffusivity=0.3))
    {'diffusion': 'u/s'}
    """
    lettered, units = _own(pde) if isinstance(pde, CustomPDE) else _declared(pde)
    derived = lettered.derived()
    found = {}
    for name, expression in (lettered.residuals() | derived).items():
        where = f"{type(pde).__name__}, {name!r}"
        kind = check_terms(where, expression, units)
        if name not in derived:
            found[name] = "0" if kind is None else str(kind)
        elif kind is not None and sympy.simplify(kind / units[name]) != 1:
            raise EquationError(f"{where}: expected the unit {units[name]}, got {kind}")
    return found


def _declared(pde: PDE) -> tuple[PDE, Mapping[str, sympy.Expr]]:
    """Return a library equation with letters for coefficients, and the units of all."""
    coefficients = declared(pde)
    chosen = {
        f.name: getattr(pde, f.name) for f in dataclasses.fields(pde) if f.name not in coefficients
    }
    lettered = type(pde).symbolic(**chosen)
    units = dict(lettered.units())
    for d in coefficients.values():
        letters = [f"{d.symbol}_{x}" for x in lettered.spatial] if d.vector else [d.symbol]
        units |= dict.fromkeys(letters, d.unit)
    return lettered, {name: dimension(unit) for name, unit in units.items()}


def _own(pde: CustomPDE) -> tuple[PDE, Mapping[str, sympy.Expr]]:
    """Return a user's equation with its coefficients as further fields, and the units of all."""
    lettered = dataclasses.replace(
        pde, unknowns=" ".join([pde.unknowns, *pde.coefficients]), coefficients={}
    )
    units = pde.stated_units
    known = [*map(str, pde.coordinates), *(f.func.__name__ for f in lettered.fields)]
    for name in (*known, *pde.derived()):
        if name not in units:
            raise EquationError(f"CustomPDE: no unit is given for {name!r}; add it to si_units")
    return lettered, {name: dimension(unit) for name, unit in units.items()}
