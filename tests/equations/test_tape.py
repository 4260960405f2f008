import numpy as np
import pytest
import sympy

import sciml.framework as framework
from sciml.equations.tape import record
from sciml.framework.errors import EquationError

x, y = sympy.symbols("x y")


def evaluate(expression, a, b):
    (value,) = record([expression], (x, y))([a, b])
    return value


@pytest.mark.parametrize(
    "expression",
    [
        x + y, x - y, -x - y, 1 - x, x * y / 3, -x, -x / 7, 2 / x, -1 / x, x / (y * (x + 1)),
        x**2, x**-2, x**7, sympy.sqrt(x), 1 / sympy.sqrt(x), x ** sympy.Rational(-3, 2),
        x ** sympy.Rational(1, 3), x**y, 2**x, x**1.5, sympy.exp(x - y), sympy.exp(-(x**2)),
        sympy.pi * x**2 / 4, sympy.sqrt(2) * x + sympy.pi, sympy.Float("0.1") * x,
        sympy.Max(x, y, sympy.Rational(1, 2)), sympy.Min(x, y), sympy.Abs(x - 1), sympy.sign(y - 1),
        sympy.sin(x) * sympy.cos(y) + sympy.tan(x), sympy.atan2(y, x), sympy.log(x) + sympy.erf(y),
        sympy.asin(x / 4) + sympy.acos(y / 4) + sympy.atan(x), sympy.sinh(x) + sympy.cosh(y),
        (x + y) ** 2 * sympy.tanh(x + y) / (x + y) ** 3,
    ],
)  # fmt: skip
def test_values_are_those_of_sympy(expression):
    a, b = np.array([0.3, 1.2, 2.5]), np.array([0.7, 2.0, 0.1])
    expected = [float(expression.subs({x: p, y: q}).evalf(30)) for p, q in zip(a, b, strict=True)]
    np.testing.assert_allclose(evaluate(expression, a, b), expected, rtol=4e-15, atol=1e-15)


def test_common_subexpressions_are_computed_once():
    inner = sympy.sin(x * y)
    tape = record([inner**2 + inner, sympy.exp(inner)], (x, y))
    assert [s.name for s in tape.steps].count("sin") == 1


def test_integer_powers_stay_integer_powers():
    tape = record([(x + y) ** 5], (x, y))
    assert [(s.name, s.power) for s in tape.steps][-1] == ("power", 5)


def test_square_roots_are_square_roots():
    names = [s.name for s in record([x ** sympy.Rational(3, 2)], (x, y)).steps]
    assert names == ["sqrt", "power"]


def test_numbers_are_folded():
    assert record([sympy.pi**2 / 4 + 1], ()).outputs == (float(sympy.pi**2 / 4 + 1),)
    assert record([sympy.Rational(1, 3)], ()).outputs == (1 / 3,)


def test_traced_values_give_the_same():
    expression = sympy.exp(-(x**2)) * sympy.sqrt(y) / (1 + x) - 3 * sympy.Max(x, y)
    a, b = np.array([0.3, 1.2]), np.array([0.7, 2.0])
    traced = framework.vmap(lambda p, q: evaluate(expression, p, q))(a, b)
    np.testing.assert_allclose(traced, evaluate(expression, a, b), rtol=1e-15)


@pytest.mark.parametrize("expression", [sympy.gamma(x), sympy.Heaviside(x), sympy.I + x])
def test_what_has_no_evaluation_is_refused(expression):
    with pytest.raises(EquationError):
        record([expression], (x, y))


def test_complex_numbers_are_kept_where_they_are_asked_for():
    expression = sympy.I * x / 2 + sympy.conjugate(x + 3 * sympy.I) * sympy.im(y) - sympy.re(x)
    (value,) = record([expression], (x, y), complex_valued=True)([np.array([2.0]), np.array([5.0])])
    np.testing.assert_array_equal(np.asarray(value), [-2.0 + 1.0j])
    with pytest.raises(EquationError, match="not a finite real number"):
        record([expression], (x, y))


def test_a_number_is_not_taken_for_the_input_at_its_place():
    """The steps x*z and 2*x have the operands (0, 2) and (0, 2.0), which compare as equal."""
    z = sympy.Symbol("z")
    assert record([x * z, 2 * x, x + z, x + 2], (x, y, z))([3.0, 5.0, 7.0]) == [21, 6, 10, 5]
