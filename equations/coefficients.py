"""Coefficients given as numbers, text or expressions, brought to one form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import TypeAlias

import sympy

from sciml.framework.errors import EquationError

from .given import CoefficientSource
from .parser import parse_expression

Coefficient: TypeAlias = float | str | sympy.Expr | CoefficientSource


def as_expression(
    value: object, coordinates: Sequence[sympy.Symbol], where: str, letter: str = ""
) -> sympy.Expr:
    """Return a coefficient as an expression in the coordinates.

    Parameters
    ----------
    value
        A finite number, a text in the coordinates, or an expression, which may hold further
        symbols (parameters given later); or a table, function or unknown number.
    coordinates
        Symbols a text may name.
    where
        Name shown in errors, for example ``"KirchhoffPlate.load"``.
    letter
        Name of a table, function or unknown number in the expression; one of its own goes first.

    Raises
    ------
    EquationError
        If a number is not finite or the value is of another kind.
    ParseError
        If a text is not a valid expression.

    Examples
    --------
    >>> as_expression("2*sin(pi*x)", sympy.symbols("x y"), "load")
    2*sin(pi*x)
    """
    if isinstance(value, CoefficientSource):
        name = value.name or letter
        if not name:
            raise EquationError(
                f"{where}: a {type(value).__name__} needs a name here, name='k' for example"
            )
        return value.node(name, tuple(coordinates), where)
    if isinstance(value, str):
        return parse_expression(value, coordinates)
    if isinstance(value, sympy.Expr):
        if value.has(sympy.nan, sympy.oo, sympy.zoo):
            raise EquationError(f"{where} must be finite, got {value}")
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        raise EquationError(
            f"{where} must be a number, a text, a sympy expression, a table, a function or an "
            f"UnknownParameter, got {type(value).__name__}"
        )
    if not math.isfinite(float(value)):
        raise EquationError(f"{where} must be finite, got {value}")
    # The shortest decimal is what was meant: 0.3 is 3/10, so that terms cancel exactly.
    return sympy.Rational(repr(float(value)))
