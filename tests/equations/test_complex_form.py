import doctest

import numpy as np
import pytest
import sympy

from sciml.equations import complex_form
from sciml.equations.complex_form import parts
from sciml.framework.errors import EquationError

x, t, a = sympy.symbols("x t a")
u, v = sympy.Function("u")(x, t), sympy.Function("v")(x, t)
psi = sympy.Function("psi")(x, t)
VALUE = sympy.exp(sympy.I * t) * (1 + x**2 + sympy.I * x * t)

TERMS = {
    "power": psi**3 - 2 / psi**2,
    "modulus": sympy.Abs(psi) ** 2 * psi + sympy.Abs(psi),
    "conjugate": sympy.conjugate(psi) * psi.diff(x) - sympy.conjugate(psi).diff(x),
    "parts": sympy.re(psi) * sympy.im(psi) + sympy.I * sympy.im(psi.diff(t)),
    "functions": sympy.exp(psi) + sympy.sin(psi) * sympy.cosh(psi) - sympy.cos(2 * psi),
    "more": sympy.sinh(psi) * (1 + 2 * sympy.I) + 2 ** (sympy.I * x) + sympy.sign(psi),
    "modulus's slope": sympy.Abs(psi).diff(x),
    "elsewhere": sympy.Subs(psi.diff(x), x, 0) * psi.subs(t, t - 1),
    "integral": sympy.Integral(psi, (x, 0, 1)) * sympy.I,
}


@pytest.mark.parametrize("term", TERMS)
def test_parts_have_the_values_complex_arithmetic_gives(term):
    real = {x: sympy.Symbol("X", real=True), t: sympy.Symbol("T", real=True)}
    value = VALUE.xreplace(real)
    re, im = sympy.re(value), sympy.im(value)

    def put(e, pairs):
        table = {name: sympy.Lambda(tuple(real.values()), w) for name, w in pairs.items()}
        e = e.xreplace(real)
        for name, w in table.items():
            e = e.replace(sympy.Function(name), w)
        e = e.doit()
        return complex(e.subs({real[x]: sympy.Rational(7, 10), real[t]: sympy.Rational(3, 10)}))

    found = [put(p, {"psi_re": re, "psi_im": im}) for p in parts(TERMS[term], ["psi"])]
    expected = put(TERMS[term], {"psi": value})
    np.testing.assert_allclose(found, [expected.real, expected.imag], rtol=1e-13, atol=1e-13)


def test_derivatives_and_products_separate():
    psi = u + sympy.I * v
    real, imaginary = parts(sympy.I * psi.diff(t) + a * psi.diff(x, 2) + psi**3)
    assert sympy.expand(real - (-v.diff(t) + a * u.diff(x, 2) + u**3 - 3 * u * v**2)) == 0
    assert sympy.expand(imaginary - (u.diff(t) + a * v.diff(x, 2) + 3 * u**2 * v - v**3)) == 0


def test_a_real_expression_has_no_imaginary_part():
    assert parts(sympy.exp(u) * u.diff(x)) == (sympy.exp(u) * u.diff(x), 0)
    assert parts(sympy.conjugate(psi) * psi, ["psi"])[1] == 0


def test_complex_numbers_without_an_i_are_complex():
    root = sympy.cbrt(-8)
    assert parts(root * u) == (u, sympy.sqrt(3) * u)
    re, im = (sympy.Function(f"psi_{part}")(x, t) for part in ("re", "im"))
    assert parts(root * psi, ["psi"]) == (re - sympy.sqrt(3) * im, sympy.sqrt(3) * re + im)
    real, imaginary = parts(sympy.sqrt(1 + sympy.I) * u)
    assert complex(real / u, imaginary / u) == pytest.approx((1 + 1j) ** 0.5, rel=1e-15)
    assert parts(sympy.Integral(u, (x, 0, sympy.oo)))[1] == 0


@pytest.mark.parametrize("e", [sympy.tan(psi), sympy.sqrt(psi), psi**a, sympy.atan2(psi, 1)])
def test_what_does_not_separate_is_refused(e):
    with pytest.raises(EquationError, match=r"do not separate; .* conjugate, cos, "):
        parts(e, ["psi"])


def test_examples():
    assert doctest.testmod(complex_form).failed == 0
