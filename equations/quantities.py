"""Coefficients with a unit, such as ``"210 GPa"``, converted to the unit they are declared in."""

from __future__ import annotations

import functools
import re
from typing import Any

import sympy

from sciml.framework.errors import EquationError

from .dimensions import dimension

_QUANTITY = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s+([^\W\d].*?)\s*")


def is_quantity(text: object) -> bool:
    """Return whether a text is a number followed by a space and a unit, never an expression.

    Examples
    --------
    >>> is_quantity("2.1e11 Pa"), is_quantity("2.1*x")
    (True, False)
    """
    return isinstance(text, str) and _QUANTITY.fullmatch(text) is not None


@functools.cache
def converted(text: str, unit: str, where: str) -> sympy.Rational:
    """Return the number of SI units a quantity has.

    Parameters
    ----------
    text
        Number and unit, for example ``"210 GPa"``; in YAML a string as it is, ``2.1e11 Pa``.
    unit
        Unit the coefficient is declared in, by SI base units or derived units.
    where
        Name of the coefficient, for errors.

    Raises
    ------
    EquationError
        If the unit is unknown or of another kind than the declared one, or pint is not there.

    Examples
    --------
    >>> converted("210 GPa", "Pa", "modulus")
    210000000000
    """
    try:
        import pint
    except ImportError:
        raise EquationError(
            f"{where}: {text!r} has a unit, for which pint is needed; pip install 'sciml[units]', "
            f"or give the number [{unit}]"
        ) from None
    match = _QUANTITY.fullmatch(text)
    assert match is not None
    registry = _registry()
    try:
        amount = registry.Quantity(float(match[1]), match[2])
        base = amount.to_base_units()
    except (pint.errors.PintError, ValueError) as error:
        raise EquationError(f"{where}: {text!r} has no known unit: {error}") from None
    names = {
        f"{registry.Unit(name):~}": sympy.nsimplify(power)
        for name, power in base._units.items()
        if name != "radian"  # an angle is a number
    }
    found = sympy.prod(sympy.Symbol(n, positive=True) ** p for n, p in names.items())
    expected = dimension(unit)
    if sympy.simplify(found / expected) != 1:
        raise EquationError(
            f"{where} is declared in {unit} [{expected}], got {text!r}, which is in [{found}]"
        )
    # Fifteen digits are what a conversion keeps: 0.3 km/h must not carry the rounding of a factor.
    return sympy.Rational(f"{float(base.magnitude):.15g}")


@functools.cache
def _registry() -> Any:
    """Return the units that are known; reading their definitions takes a fifth of a second."""
    import pint

    return pint.UnitRegistry()
