"""Reading expressions from text by recursive descent over a fixed list of functions."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import ParseError

from . import tokens
from .fractional import caputo
from .functions import (
    COMPLEX_CONSTANTS,
    COMPLEX_FUNCTIONS,
    CONSTANTS,
    FUNCTIONS,
    over_the_reals,
)
from .tokens import Token

_DEEPEST = 60
_LARGEST_BITS = 1100  # a little more than the range of float64
_HIGHEST_ORDER = 12

Names = Mapping[str, sympy.Expr] | Iterable[str | sympy.Symbol]


def parse_expression(text: str, names: Names = (), complex_valued: bool = False) -> sympy.Expr:
    """Return the expression a text stands for.

    ::

        sum     = product (("+" | "-") product)*
        product = signed (("*" | "/") signed)*
        signed  = ("+" | "-") signed | power
        power   = atom (("**" | "^") signed)?
        atom    = number | name | name "(" sum ("," sum)* ")" | "(" sum ")"

    A name followed by coordinates, as in ``w__x__x``, is a derivative of a field, or of what an
    expression with a name, such as a coefficient that varies, stands for. With arguments,
    as in ``u(x, t - 1)`` or ``u__x(0, t)``, a field or derivative is taken at another place.
    ``integral(e, s, a, b)`` is the integral of e over s from a to b, and ``caputo(u, t, alpha)``
    the fractional derivative from t = 0 (`caputo`). Nothing is evaluated as Python. Decimal numbers
    are exact: 0.1 is 1/10.

    Parameters
    ----------
    text
        Text of at most 10000 characters; it may have several lines.
    names
        Names that may occur: symbols, words for symbols, or a mapping of words to expressions;
        fields are applied functions such as ``w(x, y)``. ``pi`` is known.
    complex_valued
        Whether fields may be complex; then ``I``, ``conj``, ``re`` and ``im`` are known as well.

    Returns
    -------
    sympy.Expr
        The expression.

    Raises
    ------
    ParseError
        With line, column and a caret, if the text does not follow the grammar, names something
        unknown, or takes a derivative in a coordinate the field does not depend on.

    Examples
    --------
    >>> parse_expression("q0*sin(pi*x/a)", ["q0", "x", "a"])
    q0*sin(pi*x/a)
    """
    return _Parser(text, _table(names), complex_valued).parse()


def _table(names: Names) -> dict[str, sympy.Expr]:
    if isinstance(names, Mapping):
        return dict(names)
    listed = [sympy.Symbol(n) if isinstance(n, str) else n for n in names]
    return {n.func.__name__ if isinstance(n, AppliedUndef) else n.name: n for n in listed}


class _Parser:
    """One pass over the tokens of a text."""

    def __init__(self, text: str, names: Mapping[str, sympy.Expr], complex_valued: bool) -> None:
        self.text = text
        self.names = names
        self.complex_valued = complex_valued
        self.functions = {**FUNCTIONS, **(COMPLEX_FUNCTIONS if complex_valued else {})}
        self.constants = {**CONSTANTS, **(COMPLEX_CONSTANTS if complex_valued else {})}
        self.tokens = tokens.tokenize(text)
        self.position = 0
        self.depth = 0

    def parse(self) -> sympy.Expr:
        result = self.sum()
        if self.next.kind != "end":
            raise self.unexpected("an operator or the end")
        return result

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def take(self, *signs: str) -> Token | None:
        """Step over the next token if it is one of these signs."""
        token = self.next
        if token.kind == "sign" and token.text in signs:
            self.position += 1
            return token
        return None

    def error(self, token: Token, message: str) -> ParseError:
        return tokens.error(self.text, token.offset, message)

    def unexpected(self, expected: str) -> ParseError:
        got = repr(self.next.text) if self.next.kind != "end" else "the end of the text"
        return self.error(self.next, f"got {got}, expected {expected}")

    def sum(self) -> sympy.Expr:
        terms = [self.product()]
        while sign := self.take("+", "-"):
            term = self.product()
            terms.append(term if sign.text == "+" else -term)
        return self.checked(sympy.Add(*terms), self.next)

    def product(self) -> sympy.Expr:
        factors = [self.signed()]
        while sign := self.take("*", "/"):
            place = self.next
            factor = self.signed()
            if sign.text == "/" and factor.is_zero:
                raise self.error(place, "division by zero")
            factors.append(factor if sign.text == "*" else 1 / factor)
        return self.checked(sympy.Mul(*factors), self.next)

    def signed(self) -> sympy.Expr:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(self.next, f"nested more than {_DEEPEST} deep")
        if sign := self.take("+", "-"):
            result = self.signed()
            result = result if sign.text == "+" else -result
        else:
            result = self.power()
        self.depth -= 1
        return result

    def power(self) -> sympy.Expr:
        base = self.atom()
        sign = self.take("**", "^")
        if sign is None:
            return base
        place = self.next
        exponent = self.signed()
        if base.is_zero:
            if exponent.is_negative:
                raise self.error(place, "division by zero")
        elif base.is_number and exponent.is_number:
            # Without this, a few characters could ask for a number of more digits than memory.
            size = abs(exponent.evalf(15)) * (1 + abs(sympy.log(abs(base), 2).evalf(15)))
            if not size < _LARGEST_BITS:
                raise self.error(place, "the power is beyond the range of floating point numbers")
        elif exponent.is_Integer and abs(exponent) > _LARGEST_BITS:
            raise self.error(place, f"exponents must be at most {_LARGEST_BITS}, got {exponent}")
        return self.checked(base**exponent, place)

    def atom(self) -> sympy.Expr:
        token = self.next
        if token.kind == "number":
            self.position += 1
            return self.number(token)
        if token.kind == "name":
            self.position += 1
            return self.call(token) if self.next.text == "(" else self.name(token)
        if self.take("("):
            result = self.sum()
            if not self.take(")"):
                raise self.unexpected("')' to close the bracket")
            return result
        raise self.unexpected("a number, a name or '('")

    def number(self, token: Token) -> sympy.Expr:
        mantissa, _, exponent = token.text.lower().partition("e")
        if abs(int(exponent or 0)) > 300 or len(mantissa) > 300:
            raise self.error(token, f"{token.text} is beyond the range of floating point numbers")
        return sympy.Rational(token.text)

    def call(self, token: Token) -> sympy.Expr:
        function = self.functions.get(token.text)
        if function is None:
            if isinstance(self.names.get(token.text.split("__")[0]), AppliedUndef):
                return self.elsewhere(token)
            known = self.names.get(token.text)
            if known is not None:
                raise self.error(token, f"{token.text!r} is not a function; write * to multiply")
            if token.text == "integral":
                return self.integral()
            if token.text == "caputo":
                return self.caputo(token)
            raise self.error(
                token, f"unknown function {token.text!r}{self.near(token, self.functions)}"
            )
        arguments = self.arguments()
        if not function.fewest <= len(arguments) <= function.most:
            count = str(function.fewest) if function.fewest == function.most else "2 to 8"
            raise self.error(token, f"{token.text} takes {count} arguments, got {len(arguments)}")
        result = function.symbol(*arguments)
        return self.checked(result if self.complex_valued else over_the_reals(result), token)

    def arguments(self) -> list[sympy.Expr]:
        self.take("(")
        found = [self.sum()]
        while self.take(","):
            found.append(self.sum())
        if not self.take(")"):
            raise self.unexpected("',' or ')'")
        return found

    def elsewhere(self, token: Token) -> sympy.Expr:
        """Read a field or a derivative of one at other arguments."""
        field = self.names[token.text.split("__")[0]]
        derivative = self.name(token)
        arguments = self.arguments()
        if len(arguments) != len(field.args):
            raise self.error(
                token,
                f"{token.text!r} depends on {', '.join(map(str, field.args))}, "
                f"got {len(arguments)} arguments; write * to multiply",
            )
        if derivative == field:
            return field.func(*arguments)
        moved = [(c, a) for c, a in zip(field.args, arguments, strict=True) if c != a]
        return sympy.Subs(derivative, *zip(*moved, strict=True)) if moved else derivative

    def integral(self) -> sympy.Expr:
        """Read ``(e, s, a, b)``; s is known in e, which comes before it."""
        start, depth = self.position, 0
        for place in range(start, len(self.tokens)):
            text = self.tokens[place].text
            depth += (text == "(") - (text == ")")
            if depth == 0 or (depth == 1 and text == ","):
                break
        found = depth == 1 and self.tokens[place].text == ","
        variable = self.tokens[place + 1] if found else self.tokens[place]
        if variable.kind != "name":
            raise self.error(variable, "expected integral(e, s, a, b), with a name s")
        outer = self.names
        s = sympy.Symbol(variable.text)
        self.names = {**outer, variable.text: s}
        self.take("(")
        integrand = self.sum()
        self.take(",")
        self.position += 1
        self.names = outer
        limits = []
        while self.take(","):
            limits.append(self.sum())
        if len(limits) != 2 or not self.take(")"):
            raise self.unexpected("two limits and ')', as in integral(e, s, a, b)")
        return sympy.Integral(integrand, (s, *limits))

    def caputo(self, token: Token) -> sympy.Expr:
        arguments = self.arguments()
        if len(arguments) != 3 or not arguments[1].is_Symbol or not arguments[2].is_positive:
            raise self.error(token, "expected caputo(u, t, alpha), t a coordinate and alpha > 0")
        return caputo(*arguments)

    def name(self, token: Token) -> sympy.Expr:
        if token.text in self.names:
            return self.names[token.text]
        head, *coordinates = token.text.split("__")
        if coordinates and head in self.names:
            return self.derivative(token, head, coordinates)
        if token.text in self.constants:
            return self.constants[token.text]
        if token.text in self.functions:
            raise self.error(token, f"{token.text!r} is a function; give its argument in brackets")
        known = {**self.names, **self.constants}
        raise self.error(token, f"unknown name {token.text!r}{self.near(token, known)}")

    def derivative(self, token: Token, head: str, words: list[str]) -> sympy.Expr:
        field = self.names[head]
        if isinstance(field, AppliedUndef):
            known = {str(c): c for c in field.args}
        elif isinstance(field, sympy.Symbol):
            raise self.error(token, f"{head!r} is not a field, so {token.text!r} is no derivative")
        else:  # an expression that has a name, such as a coefficient
            known = {word: c for word, c in self.names.items() if isinstance(c, sympy.Symbol)}
        if len(words) > _HIGHEST_ORDER:
            raise self.error(token, f"derivatives go to order {_HIGHEST_ORDER}, got {len(words)}")
        for word in words:
            if word not in known:
                raise self.error(token, f"{head!r} depends on {', '.join(known)}, not on {word!r}")
        return field.diff(*(known[word] for word in words))

    def near(self, token: Token, known: Mapping[str, object]) -> str:
        close = difflib.get_close_matches(token.text, known, n=1, cutoff=0.5)
        if close:
            return f"; did you mean {close[0]!r}?"
        return f", expected one of {', '.join(sorted(known))}"

    def checked(self, result: sympy.Expr, token: Token) -> sympy.Expr:
        """Refuse values that are infinite or, unless allowed, complex, and absurd numbers."""
        singular = result.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo)
        beyond = result.has(sympy.I) or (result.is_number and result.is_real is False)
        if singular or (beyond and not self.complex_valued):
            kind = "finite" if self.complex_valued else "finite real"
            raise self.error(token, f"the value here is not a {kind} number")
        if result.is_Rational and max(abs(result.p), result.q).bit_length() > 4 * _LARGEST_BITS:
            raise self.error(token, "the number is beyond the range of floating point numbers")
        return result
