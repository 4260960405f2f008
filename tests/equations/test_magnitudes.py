import doctest

import pytest
import sympy

from sciml.equations import magnitudes
from sciml.equations.magnitudes import Magnitudes, balanced, letter

x, t, s = sympy.symbols("x t s")
u = sympy.Function("u")(x, t)
L, T, U, D, r = map(letter, "LTUDr")
LETTERS = {"x": L, "t": T, "u": U, "D": D, "r": r}


@pytest.mark.parametrize(
    ("expression", "size"),
    [
        (-3 * u.diff(x, 2, t), U / (L**2 * T)),
        (u**2 * sympy.sqrt(u), U ** sympy.Rational(5, 2)),
        (sympy.sin(x / L) * sympy.Symbol("D"), D),
        (sympy.Subs(u.diff(x), x, 0) + 0, U / L),
        (sympy.Integral(u.subs(x, s), (s, 0, x)), U * L),
        (sympy.Abs(u) * sympy.exp(-u), U),
        (2 ** (u / U), 1),
    ],
)
def test_sizes_are_products_of_letters(expression, size):
    assert Magnitudes(LETTERS, {}).size(expression) == size


def test_of_a_sum_the_largest_known_term_counts_and_absent_letters_are_zero():
    values = {U: sympy.Integer(3), D: sympy.Integer(2), r: sympy.Integer(0)}
    sizes = Magnitudes(LETTERS, values)
    assert sizes.size(1 / (u + sympy.Symbol("D") + x)) == 1 / U
    assert sizes.size(sympy.Max(sympy.Symbol("D"), u)) == U
    assert sizes.terms(sympy.Symbol("r") * u + 4 * u.diff(x)) == [U / L]
    assert (sizes.value(U * D), sizes.value(U / L)) == (6.0, None)
    assert Magnitudes(LETTERS, values, numbers=True).size(-4 * u + 1) == 4 * U


def test_growing_and_falling_terms_are_balanced_with_the_largest_other():
    known = Magnitudes({}, {D: sympy.Integer(2), r: sympy.Integer(8), U: sympy.Integer(1)})
    assert balanced(T, [U / T, D * U, r * U], known) == 1 / r
    assert balanced(L, [D / L**2, 2 * r / L, r], known) == 2
    assert balanced(L, [D * L, r * L**2, r], known) == 1
    assert balanced(L, [D * L, r / L, r], known) is None
    assert balanced(L, [D * L, r * L], known) is None


def test_an_unknown_factor_of_all_terms_does_not_matter():
    known = Magnitudes({}, {D: sympy.Integer(2), L: sympy.Integer(3)})
    assert balanced(T, [U / T, D * U / L**2], known) == L**2 / D
    assert balanced(T, [U / T, D * U**2 / L**2], known) is None


def test_examples():
    assert doctest.testmod(magnitudes).failed == 0
