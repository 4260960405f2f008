"""Writing expressions as text that `parse_expression` reads back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from .functions import FUNCTIONS, over_the_reals

_NAME_OF = {f.symbol: name for name, f in FUNCTIONS.items() if isinstance(f.symbol, type)}


def format_expression(expression: sympy.Expr) -> str:
    """Return text from which `parse_expression` makes an equal expression.

    Derivatives are written ``w__x__x``, and at another place ``w__x__x(0, y)``. A float is written
    with all its digits, and read back as the exact decimal number.

    Raises
    ------
    EquationError
        If the expression holds something the grammar has no words for.

    Examples
    --------
    >>> x = sympy.Symbol("x")
    >>> format_expression(sympy.Function("w")(x).diff(x, 2) - x**2 / 3)
    'w__x__x - x**2/3'
    """
    expression = over_the_reals(sympy.sympify(expression))
    if expression.has(sympy.I, sympy.oo, -sympy.oo, sympy.zoo, sympy.nan):
        raise EquationError(f"{expression} is not finite and real, so it cannot be written as text")
    declared: dict[str, tuple[sympy.Expr, ...]] = {}
    for field in expression.atoms(AppliedUndef):
        name = field.func.__name__
        if _here(field) and declared.setdefault(name, field.args) != field.args:
            raise EquationError(
                f"{expression} cannot be written as text: {name!r} occurs with the arguments "
                f"{declared[name]} and {field.args}, and text names the declared ones only"
            )
    return _sum(expression)


def _sum(e: sympy.Expr) -> str:
    if not e.is_Add:
        return _product(e)
    text = ""
    # Fields first, then the rest, each in sympy's printing order, so that the text is stable.
    for term in sorted(e.as_ordered_terms(), key=lambda t: not t.has(AppliedUndef)):
        part = _product(term)
        if not text:
            text = part
        elif part.startswith("-"):
            text += " - " + part[1:]
        else:
            text += " + " + part
    return text


def _product(e: sympy.Expr) -> str:
    inverse = e.is_Pow and e.exp.is_Rational and e.exp.is_negative
    if not (e.is_Mul or e.is_Number or inverse):
        return _power(e)
    coefficient, factors = e.as_coeff_mul()
    if e.is_Number:
        coefficient, factors = e, ()
    sign = "-" if coefficient.is_negative else ""
    coefficient = abs(coefficient)
    above, below = [], []
    if coefficient.is_Rational:
        if coefficient.p != 1 or not factors:
            above.append(str(coefficient.p))
        if coefficient.q != 1:
            below.append(str(coefficient.q))
    elif coefficient != 1:
        above.append(_atom(coefficient))
    for factor in sorted(factors, key=sympy.default_sort_key):
        base, exponent = factor.as_base_exp()
        if exponent.is_Rational and exponent.is_negative and not isinstance(factor, sympy.exp):
            below.append(_power(base**-exponent))
        else:
            above.append(_power(factor))
    text = sign + ("*".join(above) or "1")
    if len(below) == 1:
        return f"{text}/{below[0]}"
    return f"{text}/({'*'.join(below)})" if below else text


def _power(e: sympy.Expr) -> str:
    if not e.is_Pow or (e.exp.is_Rational and e.exp.is_negative):
        return _atom(e)
    if e.exp == sympy.Rational(1, 2):
        return f"sqrt({_sum(e.base)})"
    return f"{_atom(e.base)}**{_atom(e.exp)}"


def _atom(e: sympy.Expr) -> str:
    for kind, write in _WRITERS.items():
        if isinstance(e, kind):
            return write(e)
    name = _NAME_OF.get(e.func)
    if name is not None:
        return f"{name}({', '.join(_sum(a) for a in e.args)})"
    if e.is_Add or e.is_Mul or e.is_Pow or e.is_Number:
        return f"({_sum(e)})"
    raise EquationError(
        f"{e} ({type(e).__name__}) cannot be written as text; known functions: "
        f"{', '.join(FUNCTIONS)}"
    )


def _number(e: sympy.Expr) -> str:
    text = repr(float(e)) if e.is_Float else str(e)
    return text if e.is_nonnegative and e.is_finite and "/" not in text else f"({text})"


def _derivative(e: sympy.Derivative) -> str:
    if not isinstance(e.expr, AppliedUndef):
        raise EquationError(f"{e} is not a derivative of a field; call .doit() on it first")
    return "__".join([e.expr.func.__name__, *(str(v) for v in e.variables)])


def _field(e: AppliedUndef) -> str:
    name = str(e.func.__name__)
    return name if _here(e) else f"{name}({', '.join(map(_sum, e.args))})"


def _here(e: AppliedUndef) -> bool:
    # Arguments that are coordinates are taken for those of the declaration; others are a place.
    return all(a.is_Symbol for a in e.args) and len(set(e.args)) == len(e.args)


def _elsewhere(e: sympy.Subs) -> str:
    if not isinstance(e.expr, sympy.Derivative) or any(
        isinstance(v, sympy.Dummy) for v in e.variables
    ):
        raise EquationError(f"{e} cannot be written as text: its coordinate has no name")
    there = dict(zip(e.variables, e.point, strict=True))
    arguments = [a.subs(there, simultaneous=True) for a in e.expr.expr.args]
    return f"{_derivative(e.expr)}({', '.join(map(_sum, arguments))})"


_WRITERS: Mapping[type, Callable[[sympy.Expr], str]] = MappingProxyType(
    {
        sympy.Symbol: lambda e: str(e.name),
        type(sympy.pi): lambda e: "pi",
        type(sympy.E): lambda e: "exp(1)",
        sympy.Float: _number,
        sympy.Integer: _number,
        sympy.Derivative: _derivative,
        AppliedUndef: _field,
        sympy.Subs: _elsewhere,
        sympy.exp: lambda e: f"exp({_sum(e.args[0])})",
    }
)
