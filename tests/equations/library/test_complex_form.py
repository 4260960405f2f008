import pytest
import sympy

from sciml.equations.library.complex_form import parts
from sciml.framework.errors import EquationError

x, t, a = sympy.symbols("x t a")
u, v = sympy.Function("u")(x, t), sympy.Function("v")(x, t)


def test_derivatives_and_products_separate():
    psi = u + sympy.I * v
    real, imaginary = parts(sympy.I * psi.diff(t) + a * psi.diff(x, 2) + psi**3)
    assert sympy.expand(real - (-v.diff(t) + a * u.diff(x, 2) + u**3 - 3 * u * v**2)) == 0
    assert sympy.expand(imaginary - (u.diff(t) + a * v.diff(x, 2) + 3 * u**2 * v - v**3)) == 0


def test_a_real_expression_has_no_imaginary_part():
    assert parts(sympy.exp(u) * u.diff(x)) == (sympy.exp(u) * u.diff(x), 0)


def test_what_does_not_separate_is_refused():
    with pytest.raises(EquationError, match="do not separate"):
        parts(sympy.sin(u + sympy.I * v))
