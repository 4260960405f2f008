import doctest

import numpy as np
import pytest
import sympy

import sciml.framework as framework
from sciml.equations import caputo, fractional, lower, parse_expression, riesz
from sciml.framework.errors import EquationError

t = sympy.Symbol("t")
u = sympy.Function("u")(t)
T = np.array([[0.2], [0.5], [0.9]])


def value(expression, field, nodes):
    return lower({"r": expression}, (t,), [u], nodes=nodes)({"u": field}, T)["r"]


@pytest.mark.parametrize("order", [0.1, 0.5, sympy.Rational(9, 10), 1.3, 2.5])
@pytest.mark.parametrize("power", [3, 4])
def test_caputo_of_powers(order, power):
    # D^alpha t^k = Gamma(k + 1)/Gamma(k + 1 - alpha) t^(k - alpha); Podlubny (1999), eq. 2.117.
    found = value(caputo(u, t, order), lambda X: X[:, 0] ** power, nodes=3)
    factor = float(sympy.gamma(power + 1) / sympy.gamma(power + 1 - order))
    np.testing.assert_allclose(found, factor * T[:, 0] ** (power - float(order)), rtol=2e-13)


def test_caputo_of_an_exponential_converges_spectrally():
    # D^(1/2) exp(t) = exp(t) erf(sqrt(t)).
    exact = [float((sympy.exp(p) * sympy.erf(sympy.sqrt(p))).evalf()) for (p,) in T]
    errors = [
        abs(value(caputo(u, t, 0.5), lambda X: framework.exp(X[:, 0]), m) - exact).max()
        for m in (1, 2, 4, 8)
    ]
    assert errors[1] < errors[0] / 10
    assert errors[2] < errors[1] ** 2
    assert errors[3] < 1e-14


def test_caputo_of_a_constant_vanishes_and_integer_orders_are_derivatives():
    assert caputo(sympy.Integer(3), t, 0.5).doit() == 0
    assert caputo(u, t, 2) == u.diff(t, 2)


def riemann_liouville(polynomial, z, order):
    terms = sympy.Poly(polynomial, t).terms()
    return sum(
        c * sympy.gamma(k + 1) / sympy.gamma(k + 1 - order) * z ** (k - order) for (k,), c in terms
    )


@pytest.mark.parametrize("order", ["1/2", "3/2", "19/10"])
@pytest.mark.parametrize("power", [2, 3])
def test_riesz_of_symmetric_polynomials(order, power):
    order = sympy.Rational(order)
    polynomial = (t * (1 - t)) ** power
    both = riemann_liouville(polynomial, t, order) + riemann_liouville(polynomial, 1 - t, order)
    closed = -both / (2 * sympy.cos(sympy.pi * order / 2))
    expected = [float(closed.subs(t, sympy.Rational(str(p))).evalf(30)) for (p,) in T]
    found = value(riesz(u, t, order, (0, 1)), lambda X: (X[:, 0] * (1 - X[:, 0])) ** power, nodes=4)
    np.testing.assert_allclose(found, expected, rtol=1e-11)


def test_riesz_with_values_at_the_ends():
    # For u = 1 on (0, 1): -(t^-alpha + (1 - t)^-alpha)/(2 Gamma(1 - alpha) cos(pi alpha/2)).
    found = value(riesz(u, t, 0.5, (0, 1)), lambda X: X[:, 0] ** 0, nodes=2)
    p = T[:, 0]
    factor = 2 * float(sympy.gamma(0.5)) * np.cos(np.pi / 4)
    np.testing.assert_allclose(found, -(p**-0.5 + (1 - p) ** -0.5) / factor, rtol=1e-14)


def test_riesz_of_order_two_is_the_second_derivative():
    assert riesz(u, t, 2, (0, 1)) == u.diff(t, 2)


def test_text_names_caputo():
    assert parse_expression("caputo(u, t, 0.5)", {"t": t, "u": u}) == caputo(u, t, 0.5)


@pytest.mark.parametrize("order", [0, -1, float("nan"), sympy.Symbol("a")])
def test_orders_that_are_not_positive_numbers_are_refused(order):
    with pytest.raises(EquationError, match="the order must be a positive number"):
        caputo(u, t, order)


@pytest.mark.parametrize("order", [1, 2.5])
def test_riesz_has_orders_up_to_two_but_one(order):
    with pytest.raises(EquationError, match=r"in \(0, 2\] and not 1"):
        riesz(u, t, order, (0, 1))


def test_examples():
    assert doctest.testmod(fractional).failed == 0
