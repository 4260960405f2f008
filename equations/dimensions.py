"""Units as products of base units, and the check that all terms of an equation have the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError, ParseError

from .parser import parse_expression

_DERIVED: Mapping[str, str] = MappingProxyType(
    {
        "rad": "1",
        "sr": "1",
        "Hz": "1/s",
        "N": "kg*m/s^2",
        "Pa": "kg/(m*s^2)",
        "J": "kg*m^2/s^2",
        "W": "kg*m^2/s^3",
        "C": "A*s",
        "V": "kg*m^2/(s^3*A)",
        "F": "A^2*s^4/(kg*m^2)",
        "ohm": "kg*m^2/(s^3*A^2)",
        "S": "s^3*A^2/(kg*m^2)",
        "Wb": "kg*m^2/(s^2*A)",
        "T": "kg/(s^2*A)",
        "H": "kg*m^2/(s^2*A^2)",
    }
)
"""Derived SI units by base units (BIPM 2019, The International System of Units, table 4)."""

_SAME_KIND = (sympy.Abs, sympy.Max, sympy.Min)
_ONE = sympy.Integer(1)


def dimension(unit: str) -> sympy.Expr:
    """Return a unit as a product of powers of base units.

    A word that is no SI unit is a base unit of its own, such as the unknown unit ``u`` of a field.

    Parameters
    ----------
    unit
        Such as ``"N/m^2"`` or ``"W/(m K)"``; a space multiplies and ``-`` is no unit.

    Raises
    ------
    EquationError
        If it is no product of powers.

    Examples
    --------
    >>> dimension("N m^2") == dimension("kg m^3/s^2")
    True
    >>> dimension("u m/s")
    m*u/s
    """
    text = unit.strip()
    if text == "-":
        return _ONE
    words = set(re.findall(r"[^\W\d]\w*", text))
    symbols = {w: _base(_DERIVED[w]) if w in _DERIVED else _symbol(w) for w in words}
    try:
        found = parse_expression(re.sub(r"(?<=[\w)])\s+(?=[\w(])", "*", text), symbols)
    except ParseError as error:
        raise EquationError(f"{unit!r} is not a unit: {error}") from None
    found = sympy.powsimp(sympy.expand_power_base(found))
    if not found.as_coeff_Mul()[0] == 1 or found.is_Add:
        raise EquationError(f"{unit!r} is not a unit, expected a product of powers such as N/m^2")
    return found


def _symbol(word: str) -> sympy.Symbol:
    return sympy.Symbol(word, positive=True)


def _base(text: str) -> sympy.Expr:
    return parse_expression(text, {w: _symbol(w) for w in re.findall(r"[A-Za-z]+", text)})


def check_terms(
    where: str, expression: sympy.Expr, units: Mapping[str, sympy.Expr]
) -> sympy.Expr | None:
    """Return the dimension of an expression after a check of all its terms.

    Parameters
    ----------
    where
        What the expression is, for errors.
    expression
        In symbols and fields.
    units
        Dimension of each symbol and field by name.

    Returns
    -------
    sympy.Expr or None
        Product of powers of base units; None for zero, which fits every dimension.

    Raises
    ------
    EquationError
        If two terms differ, a function has an argument with a unit, a power is not a number, or a
        symbol has no unit.

    Examples
    --------
    >>> x, v = sympy.symbols("x v")
    >>> check_terms("speed", v + x, {"x": dimension("m"), "v": dimension("m/s")})
    Traceback (most recent call last):
    sciml.framework.errors.EquationError: speed: the terms v [m/s] and x [m] are added, but ...
    """

    def found(e: sympy.Expr) -> sympy.Expr | None:
        if e.is_zero:
            return None
        if e.is_number:
            return _ONE
        if isinstance(e, sympy.Symbol):
            return named(str(e))
        if isinstance(e, AppliedUndef):
            return named(e.func.__name__)
        if isinstance(e, sympy.Add):
            return same("added", e.args)
        if isinstance(e, _SAME_KIND):
            return same("compared", e.args)
        if isinstance(e, sympy.Mul):
            return sympy.powsimp(sympy.Mul(*((found(a) or _ONE) for a in e.args)))
        if isinstance(e, sympy.Pow) and e.exp.is_number:
            return sympy.powsimp((found(e.base) or _ONE) ** e.exp)
        if isinstance(e, sympy.Derivative):
            below = sympy.Mul(*(named(str(v)) for v in e.variables))
            return sympy.powsimp((found(e.expr) or _ONE) / below)
        if isinstance(e, sympy.Subs):
            return found(e.expr)
        if isinstance(e, sympy.sign):
            return _ONE
        for argument in e.args:
            kind = found(argument)
            if kind not in (None, _ONE):
                raise EquationError(
                    f"{where}: {e} needs a number, but {argument} has the unit {kind}"
                )
        return _ONE

    def named(name: str) -> sympy.Expr:
        if name not in units:
            raise EquationError(f"{where}: no unit is given for {name!r}")
        return units[name]

    def same(how: str, terms: tuple[sympy.Expr, ...]) -> sympy.Expr | None:
        kinds = [(term, kind) for term in terms if (kind := found(term)) is not None]
        for term, kind in kinds[1:]:
            first, expected = kinds[0]
            if sympy.simplify(kind / expected) != 1:
                raise EquationError(
                    f"{where}: the terms {first} [{expected}] and {term} [{kind}] are {how}, but "
                    "must have the same unit"
                )
        return kinds[0][1] if kinds else None

    return found(sympy.sympify(expression).doit(integrals=False))
