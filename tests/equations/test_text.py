import pytest
import sympy

from sciml.equations import format_expression, parse_expression
from sciml.framework.errors import EquationError

x, y = sympy.symbols("x y")
w = sympy.Function("w")(x, y)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (w.diff(x, 4) + 2 * w.diff(x, 2, y, 2) - 1, "w__x__x__x__x + 2*w__x__x__y__y - 1"),
        (-x, "-x"),
        (x / (2 * y), "x/(2*y)"),
        (1 / sympy.sqrt(x), "1/sqrt(x)"),
        (x ** sympy.Rational(1, 3), "x**(1/3)"),
        (sympy.exp(1), "exp(1)"),
        (sympy.Float(0.1) * x, "0.1*x"),
        (sympy.Max(x, y, 0), "max(0, x, y)"),
        ((x + y) ** -2, "1/(x + y)**2"),
        (sympy.exp(-x), "exp(-x)"),
    ],
)
def test_text(expression, text):
    assert format_expression(expression) == text


@pytest.mark.parametrize(
    "value", [sympy.gamma(x), sympy.I * x, sympy.oo, (x * w).diff(x, evaluate=False)]
)
def test_what_the_grammar_cannot_say_is_refused(value):
    with pytest.raises(EquationError):
        format_expression(value)


def test_fields_at_other_places_are_read_back():
    x, t = sympy.symbols("x t")
    u = sympy.Function("u")
    names = {"x": x, "t": t, "u": u(x, t)}
    expression = u(x, t - 1) + sympy.Subs(u(x, t).diff(x), x, 0) * u(0, t)
    text = format_expression(expression)
    assert parse_expression(text, names) == expression
    with pytest.raises(EquationError, match="its coordinate has no name"):
        format_expression(u(x + 1, t).diff(x))
    with pytest.raises(EquationError, match="occurs with the arguments"):
        format_expression(u(x, t) - u(t, x))
