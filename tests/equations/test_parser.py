import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from sciml.equations import format_expression, parse_expression
from sciml.equations.functions import over_the_reals
from sciml.framework.errors import ParseError

x, y, a, q0 = sympy.symbols("x y a q0")
w = sympy.Function("w")(x, y)
NAMES = {"x": x, "y": y, "a": a, "q0": q0, "w": w}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q0*sin(pi*x/a)", q0 * sympy.sin(sympy.pi * x / a)),
        ("1 - 2 - 3", -4),
        ("8/4/2", 1),
        ("2**3**2", 512),
        ("2^3", 8),
        ("-x**2", -(x**2)),
        ("2**-1", sympy.Rational(1, 2)),
        ("-+-x", x),
        ("0.1", sympy.Rational(1, 10)),
        ("1e-3*x", x / 1000),
        (".5*x**.5", sympy.sqrt(x) / 2),
        ("sqrt(x)", sympy.sqrt(x)),
        ("min(x, y, 1)", sympy.Min(x, y, 1)),
        ("max(x, 2)", sympy.Max(x, 2)),
        ("atan2(y, x)", sympy.atan2(y, x)),
        ("abs(x) + sign(y)", sympy.Abs(x) + sympy.sign(y)),
        ("exp(-x)*erf(y)", sympy.exp(-x) * sympy.erf(y)),
        ("tanh(x)*cosh(y)/sinh(x)", sympy.tanh(x) * sympy.cosh(y) / sympy.sinh(x)),
        ("w__x__x", w.diff(x, 2)),
        ("w__x__y__x", w.diff(x, 2, y)),
        ("w * w__y", w * w.diff(y)),
        ("(x\n + y)", x + y),
        ("1 + ((((x))))", 1 + x),
        ("abs(exp(x))", sympy.exp(x)),
    ],
)  # fmt: skip
def test_grammar(text, expected):
    assert parse_expression(text, NAMES) == expected


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "got the end of the text, expected a number, a name or '\\('"),
        ("x +", 1, 4, "got the end of the text"),
        ("x y", 1, 3, "got 'y', expected an operator or the end"),
        ("2x", 1, 2, "got 'x', expected an operator"),
        ("(x", 1, 3, "expected '\\)' to close"),
        ("x)", 1, 2, "got '\\)'"),
        ("x +\ny * zz", 2, 5, "unknown name 'zz'"),
        ("q1*x", 1, 1, "did you mean 'q0'"),
        ("snh(x)", 1, 1, "unknown function 'snh'; did you mean 'sinh'"),
        ("x(y)", 1, 1, "'x' is not a function; write \\* to multiply"),
        ("sin + 1", 1, 1, "'sin' is a function"),
        ("sin(x, y)", 1, 1, "sin takes 1 arguments, got 2"),
        ("max(x)", 1, 1, "max takes 2 to 8 arguments, got 1"),
        ("sin()", 1, 5, "got '\\)', expected a number"),
        ("w__x__t", 1, 1, "'w' depends on x, y, not on 't'"),
        ("a__x", 1, 1, "'a' is not a field"),
        ("w__" + "__".join("x" * 13), 1, 1, "order 12"),
        ("1 + v__x", 1, 5, "unknown name 'v__x'"),
        ("x/0", 1, 3, "division by zero"),
        ("x/(1 - 1)", 1, 3, "division by zero"),
        ("0**-1", 1, 4, "division by zero"),
        ("1 + log(0)", 1, 5, "not a finite real number"),
        ("sqrt(-1)", 1, 1, "not a finite real number"),
        ("(-8)**(1/3)", 1, 7, "not a finite real number"),
        ("9**9**9", 1, 4, "beyond the range"),
        ("x**99999", 1, 4, "exponents must be at most"),
        ("1e999", 1, 1, "beyond the range"),
        ("__import__('os')", 1, 12, "got"),
        ("x.real", 1, 2, "got '.'"),
        ("(" * 100 + "x" + ")" * 100, 1, 61, "nested more than"),
        ("-" * 500 + "x", 1, 61, "nested more than"),
    ],
)
def test_errors_tell_line_and_column(text, line, column, message):
    with pytest.raises(ParseError, match=message) as caught:
        parse_expression(text, NAMES)
    first, shown, caret = str(caught.value).split("\n")
    assert first.startswith(f"line {line}, column {column}:")
    assert shown == "  " + text.split("\n")[line - 1]
    assert caret == " " * (column + 1) + "^"


def test_a_tower_of_powers_is_stopped_before_it_fills_memory():
    with pytest.raises(ParseError, match="beyond the range"):
        parse_expression("((((10**300)**10)**300)**300)**300")
    with pytest.raises(ParseError, match="beyond the range"):
        parse_expression("*".join(["(10**300)"] * 20))


def test_names_may_be_given_as_words_symbols_or_fields():
    assert parse_expression("b*x", ["b", x]) == sympy.Symbol("b") * x
    assert parse_expression("w__x", [x, w]) == w.diff(x)


def test_a_name_of_ones_own_comes_before_a_constant():
    assert parse_expression("pi", {"pi": x}) == x


leaves = st.one_of(
    st.integers(-20, 20).map(sympy.Integer),
    st.fractions(min_value=-5, max_value=5, max_denominator=12).map(sympy.Rational),
    st.sampled_from([x, y, q0, w, w.diff(x, 2), w.diff(x, y), sympy.pi]),
)


def _grow(children):
    functions = [sympy.sin, sympy.tanh, sympy.exp, sympy.Abs, sympy.cosh]
    exponents = [sympy.Integer(n) for n in (2, 3, -1, -2)]
    exponents += [sympy.Rational(1, 2), sympy.Rational(-3, 2), sympy.Rational(1, 3), x]
    return st.one_of(
        st.tuples(children, children).map(lambda p: p[0] + p[1]),
        st.tuples(children, children).map(lambda p: p[0] - p[1]),
        st.tuples(children, children).map(lambda p: p[0] * p[1]),
        st.tuples(st.sampled_from(functions), children).map(lambda p: p[0](p[1])),
        st.tuples(st.sampled_from(exponents), children).map(lambda p: (p[1] ** 2 + 1) ** p[0]),
        st.tuples(children, children).map(
            lambda p: sympy.Max(sympy.sin(p[0]) * x, sympy.cos(p[1]))
        ),
    )


@settings(max_examples=150, deadline=None)
@given(st.recursive(leaves, _grow, max_leaves=8))
def test_text_of_an_expression_reads_back_as_the_same_expression(expression):
    expression = over_the_reals(expression)
    text = format_expression(expression)
    again = parse_expression(text, NAMES)
    assert again == expression or sympy.expand(again - expression) == 0


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="xyw_0129.e+-*/^(), \nsinpax", max_size=25))
def test_any_text_gives_an_expression_or_a_parse_error(text):
    try:
        result = parse_expression(text, NAMES)
    except ParseError as error:
        result = str(error)
    assert isinstance(result, sympy.Expr) or result.startswith("line ")


def test_expressions_with_a_name_have_derivatives():
    x, t = sympy.symbols("x t")
    u = sympy.Function("u")(x, t)
    names = {"x": x, "t": t, "u": u, "k": 1 + x**2 * u, "c": sympy.Integer(3)}
    assert parse_expression("k__x", names) == 2 * x * u + x**2 * u.diff(x)
    assert parse_expression("c__t + k__t__x", names) == sympy.diff(names["k"], t, x)
    with pytest.raises(ParseError, match="'k' depends on x, t, not on 'z'"):
        parse_expression("k__z", names)
    with pytest.raises(ParseError, match="'x' is not a field"):
        parse_expression("x__x", names)
