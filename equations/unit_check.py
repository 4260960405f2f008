"""The check that an equation makes sense in its units."""

from __future__ import annotations

import sympy

from sciml.framework.errors import EquationError

from .dimensions import check_terms, dimension
from .lettered import lettered
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
    problem = lettered(pde)
    derived = problem.pde.derived()
    for name in (*problem.coordinates, *problem.fields, *problem.coefficients, *derived):
        if name not in problem.units:
            raise EquationError(f"CustomPDE: no unit is given for {name!r}; add it to si_units")
    units = {name: dimension(unit) for name, unit in problem.units.items()}
    found = {}
    for name, expression in (problem.pde.residuals() | derived).items():
        where = f"{type(pde).__name__}, {name!r}"
        kind = check_terms(where, expression, units)
        if name not in derived:
            found[name] = "0" if kind is None else str(kind)
        elif kind is not None and sympy.simplify(kind / units[name]) != 1:
            raise EquationError(f"{where}: expected the unit {units[name]}, got {kind}")
    return found
