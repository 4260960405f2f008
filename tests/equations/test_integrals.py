import doctest

import numpy as np
import pytest
import sympy
from scipy.integrate import quad

import sciml.framework as framework
from sciml.equations import integrals, lower, parse_expression
from sciml.equations.integrals import gauss_jacobi, split_weights
from sciml.framework.errors import EquationError, ParseError

x, t, s, r = sympy.symbols("x t s r")
u = sympy.Function("u")
T = np.array([[0.3], [0.8], [1.7]])


def value(expression, X=T, nodes=32, field=lambda X: framework.cos(2 * X[:, 0]), **parameters):
    lowered = lower({"r": expression}, (t,), [u(t)], list(parameters), nodes=nodes)
    return lowered({"u": field}, X, **parameters)["r"]


def test_fredholm_and_volterra_terms_against_adaptive_quadrature():
    fredholm = value(sympy.Integral(sympy.exp(t * s) * u(s), (s, 0, 2)))
    volterra = value(u(t) - sympy.Integral(sympy.exp(t - s) * u(s) ** 2, (s, 0, t)))
    for i, (p,) in enumerate(T):
        expected = quad(lambda z, p=p: np.exp(p * z) * np.cos(2 * z), 0, 2, epsabs=1e-13)[0]
        assert fredholm[i] == pytest.approx(expected, rel=1e-12)
        within = quad(lambda z, p=p: np.exp(p - z) * np.cos(2 * z) ** 2, 0, p, epsabs=1e-13)[0]
        assert volterra[i] == pytest.approx(np.cos(2 * p) - within, rel=1e-12)


def test_m_nodes_are_exact_for_polynomials_of_degree_2m_minus_1_and_not_above():
    for m in (1, 2, 5):
        below = value(sympy.Integral(u(s), (s, 0, t)), nodes=m, field=lambda X: X[:, 0] ** 9)
        exact = T[:, 0] ** 10 / 10
        if m == 5:
            np.testing.assert_allclose(below, exact, rtol=1e-13)
        else:
            assert np.all(abs(below - exact) > 1e-4 * exact)


def test_convergence_is_faster_than_any_power():
    exact = np.sin(2 * T[:, 0]) / 2
    errors = [
        abs(value(sympy.Integral(u(s), (s, 0, t)), nodes=m) - exact).max() for m in (2, 4, 6, 8)
    ]
    # Twice the nodes square the error, and more: the rest is of order (L/4)^2m / (2m)!.
    assert errors[0] < 2e-1
    assert errors[1] < errors[0] ** 2
    assert errors[2] < errors[0] ** 4
    assert errors[3] < 1e-13


@pytest.mark.parametrize(("beta", "gamma"), [("-1/2", "0"), ("-9/10", "1/3"), ("0", "-1/2")])
def test_singular_weights_are_integrated_exactly(beta, gamma):
    beta, gamma = sympy.Rational(beta), sympy.Rational(gamma)
    integral = sympy.Integral((t - s) ** beta * s**gamma * u(s), (s, 0, t))
    found = value(integral, nodes=2, field=lambda X: X[:, 0] ** 3)
    expected = [
        float(sympy.beta(beta + 1, gamma + 4).evalf() * p ** (4 + beta + gamma)) for (p,) in T
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_the_unknown_and_its_derivative_are_taken_at_the_nodes_in_one_call():
    calls = []

    def field(X):
        calls.append(X.shape)
        return X[:, 0] ** 2

    value(sympy.Integral(t * u(s), (s, 0, 1)), nodes=5, field=field)
    assert calls == [(15, 1)]
    slope = value(sympy.Integral(u(s).diff(s) * s, (s, 0, t)), field=lambda X: X[:, 0] ** 2)
    np.testing.assert_allclose(slope, 2 * T[:, 0] ** 3 / 3, rtol=1e-14)


def test_factors_without_the_variable_stay_outside():
    lowered = lower({"r": sympy.Integral(u(t) * s * u(s), (s, 0, 1))}, (t,), [u(t)])
    (quadrature,) = lowered.integrals
    assert quadrature.integrand.derivatives == {"u": ()}
    assert lowered.derivatives == {"u": ((0,),)}


def test_double_integrals_parameters_and_a_variable_called_as_a_coordinate():
    double = sympy.Integral(s * r * t, (r, 0, s), (s, 0, t))
    np.testing.assert_allclose(value(double + u(t) * 0), T[:, 0] ** 5 / 8, rtol=1e-13)
    k = sympy.Symbol("k")
    of_each = np.array([1.0, 2.0, 3.0])
    found = value(sympy.Integral(k * u(s), (s, 0, k)), field=lambda X: X[:, 0], k=of_each)
    np.testing.assert_allclose(found, of_each**3 / 2, rtol=1e-14)
    found = value(sympy.Integral(u(t), (t, 0, 1)), field=lambda X: X[:, 0])
    np.testing.assert_allclose(found, 0.5, rtol=1e-14)


def test_terms_of_different_weights_are_kept_apart():
    e = sympy.sin(s) / sympy.sqrt(t - s) + sympy.cos(s)
    half = sympy.Rational(1, 2)
    expected = {(-half, 0): sympy.sin(s), (0, 0): sympy.cos(s)}
    assert split_weights("r", e, s, sympy.Integer(0), t) == expected


def test_singular_factors_of_polynomials_are_found():
    # The integral of s^2/sqrt(t^2 - s^2) from 0 to t is pi t^2/4, that of 1/sqrt(s (t - s)) pi.
    abel = sympy.Integral(u(s) / sympy.sqrt(t**2 - s**2), (s, 0, t))
    found = value(abel, field=lambda X: X[:, 0] ** 2)
    np.testing.assert_allclose(found, np.pi * T[:, 0] ** 2 / 4, rtol=1e-13)
    both = sympy.Integral(u(t) / sympy.sqrt(s * (t - s)), (s, 0, t))
    np.testing.assert_allclose(value(both), np.pi * np.cos(2 * T[:, 0]), rtol=1e-13)


def test_it_compiles_and_gradients_pass_through():
    lowered = lower({"r": sympy.Integral(sympy.exp(t * s) * u(s), (s, 0, t))}, (t,), [u(t)])

    def loss(c):
        return (lowered({"u": lambda X: c * X[:, 0] ** 2}, T)["r"] ** 2).sum()

    c = np.array(0.7)
    assert framework.jit(loss)(c) == pytest.approx(float(loss(c)), rel=1e-14)
    # The loss is c^2 times its value at one.
    assert framework.grad(loss)(c) == pytest.approx(2 * float(loss(c)) / 0.7, rel=1e-13)


def test_text_names_integrals():
    found = parse_expression("integral(exp(t*s)*u(s), s, 0, t)", {"t": t, "u": u(t)})
    assert found == sympy.Integral(sympy.exp(t * s) * u(s), (s, 0, t))


@pytest.mark.parametrize(
    ("integral", "message"),
    [
        (sympy.Integral(u(s), (s, 0, sympy.oo)), "two finite limits"),
        (sympy.Integral(u(s), s), "two finite limits"),
        (sympy.Integral(u(s), (s, 0, u(t))), "limit u\\(t\\) depends on a field"),
        (sympy.Integral(u(s), (s, 0, r)), "names 'r', which is neither"),
        (sympy.Integral(u(s) * r, (s, 0, t)), "names 'r', which is neither"),
        (sympy.Integral(u(s) / sympy.sqrt(sympy.sin(s)), (s, 0, t)), "quadrature misses"),
        (sympy.Integral(u(s) / (t - s), (s, 0, t)), "diverges at a limit"),
        (sympy.Integral(u(s) * (t - s) ** r, (s, 0, t)), "exponent must be a number"),
    ],
)
def test_integrals_that_cannot_be_evaluated_are_refused(integral, message):
    with pytest.raises(EquationError, match=message):
        lower({"r": integral}, (t,), [u(t)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("integral(u", "expected integral"),
        ("integral(u)", "expected integral"),
        ("integral(u, 2, 0, 1)", "column 13: expected integral"),
        ("integral(u(s), s, 0)", "two limits"),
        ("integral(u(s), s, 0, s)", "unknown name 's'"),
        ("integral(u(s), s, 0, 1", "two limits"),
        ("caputo(u, 2, 0.5)", "expected caputo"),
        ("u(t, t)", "got 2 arguments"),
    ],
)
def test_texts_that_are_no_integrals_are_refused(text, message):
    with pytest.raises(ParseError, match=message):
        parse_expression(text, {"t": t, "u": u(t)})


def test_no_nodes_are_refused():
    with pytest.raises(EquationError, match="at least one quadrature node, got nodes=0"):
        gauss_jacobi(0, 0, 0)


def test_gauss_jacobi_has_the_moments_of_its_weight():
    xi, w = map(np.array, gauss_jacobi(4, -0.5, 0.25))
    for k in range(8):
        # With y = (1 + xi)/2 the moments are those of the beta distribution.
        expected = float(sympy.beta(0.5, 1.25 + k).evalf()) * 2**0.75
        assert (w * ((1 + xi) / 2) ** k).sum() == pytest.approx(expected, rel=1e-13)


def test_examples():
    assert doctest.testmod(integrals).failed == 0
