"""The functions an expression may use: one line gives the name, the symbol and the evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import sympy


@dataclass(frozen=True)
class Function:
    """A function known to text, to sympy and to `sciml.framework`.

    Parameters
    ----------
    symbol
        Class or function that builds the sympy expression.
    evaluate
        Name in `sciml.framework`.
    fewest, most
        Number of arguments in text.
    """

    symbol: Callable[..., sympy.Expr]
    evaluate: str
    fewest: int = 1
    most: int = 1


FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {
        "abs": Function(sympy.Abs, "abs"),
        "acos": Function(sympy.acos, "acos"),
        "asin": Function(sympy.asin, "asin"),
        "atan": Function(sympy.atan, "atan"),
        "atan2": Function(sympy.atan2, "atan2", 2, 2),
        "cos": Function(sympy.cos, "cos"),
        "cosh": Function(sympy.cosh, "cosh"),
        "erf": Function(sympy.erf, "erf"),
        "exp": Function(sympy.exp, "exp"),
        "log": Function(sympy.log, "log"),
        "max": Function(sympy.Max, "maximum", 2, 8),
        "min": Function(sympy.Min, "minimum", 2, 8),
        "sign": Function(sympy.sign, "sign"),
        "sin": Function(sympy.sin, "sin"),
        "sinh": Function(sympy.sinh, "sinh"),
        "sqrt": Function(sympy.sqrt, "sqrt"),
        "tan": Function(sympy.tan, "tan"),
        "tanh": Function(sympy.tanh, "tanh"),
    }
)

COMPLEX_FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {
        "conj": Function(sympy.conjugate, "conj"),
        "im": Function(sympy.im, "imag"),
        "re": Function(sympy.re, "real"),
    }
)
"""Functions an expression may use besides, where fields are complex."""

CONSTANTS: Mapping[str, sympy.Expr] = MappingProxyType({"pi": sympy.pi})

COMPLEX_CONSTANTS: Mapping[str, sympy.Expr] = MappingProxyType({"I": sympy.I})
"""Constants an expression may use besides, where fields are complex."""


def over_the_reals(expression: sympy.Expr) -> sympy.Expr:
    """Return an expression with all symbols and fields taken as real.

    Coordinates are plain symbols, for which sympy turns abs(exp(x)) into exp(re(x)).

    Examples
    --------
    >>> x = sympy.Symbol("x")
    >>> over_the_reals(sympy.Abs(sympy.exp(x)))
    exp(x)
    """
    for complex_part, real_value in _COMPLEX_PARTS.items():
        if expression.has(complex_part):
            expression = expression.replace(complex_part, real_value)
    return expression


_COMPLEX_PARTS: Mapping[type, Callable[[sympy.Expr], sympy.Expr]] = MappingProxyType(
    {
        sympy.conjugate: lambda e: e,
        sympy.re: lambda e: e,
        sympy.im: lambda e: sympy.Integer(0),
    }
)
