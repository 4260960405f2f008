"""Operators from expressions against sympy's closed forms, under transforms, and refusals."""

import doctest
import importlib

import numpy as np
import pytest
import sympy

import sciml.framework as sf
from sciml.equations import KirchhoffPlate, differential_operator
from sciml.framework.errors import EquationError, ParseError

t, x, y, nu = sympy.symbols("t x y nu")
u, v = sympy.Function("u")(t, x), sympy.Function("v")(t, x)
w = sympy.Function("w")(x, y)
POINTS = np.random.default_rng(0).uniform(0.2, 0.9, (7, 2))
VALUES = {nu: sympy.Rational(3, 10)}

CLOSED = sympy.sin(2 * t) * sympy.exp(-x) + t**2 * sympy.tanh(x) / 3
OTHER = sympy.cos(t * x) + x**3


def field(X):
    a, b = X[:, 0], X[:, 1]
    return sf.sin(2 * a) * sf.exp(-b) + a**2 * sf.tanh(b) / 3


def other(X):
    a, b = X[:, 0], X[:, 1]
    return sf.cos(a * b) + b**3


def closed(expression, first=t, second=x):
    """Evaluate an expression with sympy, the closed forms in place of the fields."""
    plain = expression.subs(VALUES).subs({u: CLOSED, v: OTHER})
    plain = plain.subs(w, CLOSED.subs({t: x, x: y}, simultaneous=True)).doit()
    function = sympy.lambdify((first, second), plain, "mpmath")
    return np.array([complex(function(*map(sympy.Float, row))) for row in POINTS.tolist()])


def assert_close(got, expected):
    scale = np.abs(expected).max()
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-12, atol=1e-13 * scale)


def test_examples():
    module = importlib.import_module("sciml.equations.differential_operators")
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("expression", [
    w.diff(x, 4) + 2 * w.diff(x, 2, y, 2) + w.diff(y, 4) - sympy.sin(x) * w,
    w.diff(x, 4) + 2 * w.diff(x, 2, y, 2) + x**2 * w,
    (x * w.diff(x)).diff(x) + sympy.exp(y) * w.diff(y) + 1,
    w.diff(x, 6) - w.diff(x, 3, y, 3) + y * w.diff(x, 2, y, 4),
    (1 + w.diff(y) ** 2) * w.diff(x, 2) - 2 * w.diff(x) * w.diff(y) * w.diff(x, y)
    + (1 + w.diff(x) ** 2) * w.diff(y, 2),
    w.diff(x, 2) * w.diff(y, 2) - w.diff(x, y) ** 2 - sympy.sqrt(1 + w**2),
])  # fmt: skip
def test_operators_in_space(expression):
    operator = differential_operator(expression)
    assert operator.coordinates == ("x", "y")
    exact = closed(expression, x, y).real
    assert_close(operator(field)(POINTS), exact)
    assert_close(sf.jit(operator(field))(POINTS), exact)


@pytest.mark.parametrize(("text", "expression"), [
    ("u__t + u*u__x - nu*u__x__x", u.diff(t) + u * u.diff(x) - nu * u.diff(x, 2)),
    ("u__t + 6*u*u__x + u__x__x__x", u.diff(t) + 6 * u * u.diff(x) + u.diff(x, 3)),
    ("u__t__t - nu^2*u__x__x + sin(u)", u.diff(t, 2) - nu**2 * u.diff(x, 2) + sympy.sin(u)),
    ("u__t__x__x - u__x__x__x__x", u.diff(t, 1, x, 2) - u.diff(x, 4)),
])  # fmt: skip
def test_text_and_expression_mean_the_same_in_time_and_space(text, expression):
    parameters = "nu" if "nu" in text else ()
    exact = closed(expression).real
    values = {"nu": 0.3} if parameters else {}
    for operator in (
        differential_operator(text, "t, x", "u", parameters),
        differential_operator(expression),
    ):
        assert operator.parameters == tuple(values)
        assert_close(operator(field, **values)(POINTS), exact)


def test_several_fields_and_named_expressions():
    expressions = {
        "r": u.diff(t) + u * v.diff(x) - v.diff(x, 2),
        "s": v.diff(t) - v * u.diff(x) + u**2,
    }
    operator = differential_operator(expressions)
    assert (operator.fields, operator.order) == (("u", "v"), 2)
    for found in (operator(field, other)(POINTS), operator(v=other, u=field)(POINTS)):
        for name, expression in expressions.items():
            assert_close(found[name], closed(expression).real)
    swapped = differential_operator(expressions["r"], fields=[v, u])
    assert_close(swapped(other, field)(POINTS), closed(expressions["r"]).real)


def test_a_field_of_some_coordinates_only():
    g = sympy.Function("g")(x)
    operator = differential_operator(g * u.diff(x, 2) - g.diff(x) * u)
    got = operator(g=lambda X: X[:, 1] ** 2, u=field)(POINTS)
    assert_close(got, closed(x**2 * u.diff(x, 2) - 2 * x * u).real)


def test_the_residuals_of_an_equation_are_an_operator():
    plate = KirchhoffPlate(2.0, 0.3, "sin(pi*x)")
    operator = differential_operator(plate.residuals(), plate.coordinates, plate.fields)
    for name, expression in plate.residuals().items():
        assert_close(operator(field)(POINTS)[name], closed(expression, x, y).real)


def test_operators_nest():
    laplace = differential_operator(w.diff(x, 2) + w.diff(y, 2))
    weighted = differential_operator(x * w - w.diff(y))
    both = w.diff(x, 2) + w.diff(y, 2)
    expected = x * both - both.diff(y)
    assert_close(weighted(laplace(field))(POINTS), closed(expected, x, y).real)
    assert_close(laplace(laplace(field))(POINTS), sf.biharmonic(field)(POINTS))


BURGERS = differential_operator(u.diff(t) + u * u.diff(x) - nu * u.diff(x, 2))


def test_parameters_are_traced_mapped_trained_and_recorded():
    second = sf.derivative(field, (0, 2))(POINTS)

    def loss(nu):
        return (BURGERS(field, nu=nu)(POINTS) ** 2).mean()

    residual = closed(u.diff(t) + u * u.diff(x) - nu * u.diff(x, 2)).real
    exact = -2 * (residual * second).mean()
    nu0 = np.array(0.3)
    assert float(sf.grad(loss)(nu0)) == pytest.approx(exact, rel=1e-12)
    assert float(sf.jit(sf.grad(loss))(nu0)) == pytest.approx(exact, rel=1e-12)
    leaf = sf.tensor(0.3, requires_grad=True)
    loss(leaf).backward()
    assert float(leaf.grad) == pytest.approx(exact, rel=1e-12)
    several = sf.vmap(lambda nu: BURGERS(field, nu=nu)(POINTS))(np.array([0.3, 0.5]))
    assert_close(several, np.stack([residual, residual - 0.2 * second]))
    per_point = BURGERS(field, nu=np.linspace(0.3, 0.9, 7))(POINTS)
    assert_close(per_point, residual - (np.linspace(0.3, 0.9, 7) - 0.3) * second)


def test_the_gradient_in_parameters_of_the_field():
    """d/dk of mean (u_t - u_xx)^2 for u = sin(k x) t is exact."""

    def loss(k):
        heat = differential_operator(u.diff(t) - u.diff(x, 2))
        return (heat(lambda X: sf.sin(k * X[:, 1]) * X[:, 0])(POINTS) ** 2).sum()

    k = sympy.Symbol("k")
    square = (sympy.sin(k * x) * (1 + k**2 * t)) ** 2
    exact = sum(float(square.diff(k).subs({k: 1.5, t: a, x: b})) for a, b in POINTS.tolist())
    assert float(sf.grad(loss)(np.array(1.5))) == pytest.approx(exact, rel=1e-13)


def test_real_operators_act_on_complex_fields():
    operator = differential_operator(u.diff(t, 2) - nu * u.diff(x, 2) + x * u)
    got = operator(lambda X: sf.exp(1j * X[:, 0]) * field(X), nu=0.3)(POINTS)
    wave = sympy.exp(sympy.I * t) * CLOSED
    expected = (u.diff(t, 2) - nu * u.diff(x, 2) + x * u).subs(u, wave)
    assert_close(got, closed(expected))


def test_the_imaginary_unit_gives_complex_operators():
    schroedinger = sympy.I * u.diff(t) + u.diff(x, 2) / 2
    free, cubic = (
        differential_operator(schroedinger + more) for more in (0, sympy.Abs(u) ** 2 * u)
    )

    def wave(X):
        return sf.exp(1j * (1.7 * X[:, 1] - 0.5 * 1.7**2 * X[:, 0]))

    def soliton(X):
        phase = sf.exp(1j * (0.6 * X[:, 1] + 0.5 * (1.4**2 - 0.6**2) * X[:, 0]))
        return 1.4 * phase / sf.cosh(1.4 * (X[:, 1] - 0.6 * X[:, 0]))

    assert np.abs(np.asarray(free(wave)(POINTS))).max() < 1e-12
    assert np.abs(np.asarray(cubic(soliton)(POINTS))).max() < 1e-12
    assert np.abs(np.asarray(sf.jit(cubic(soliton))(POINTS))).max() < 1e-12
    assert_close(free(field)(POINTS), closed(schroedinger))
    current = differential_operator(sympy.im(sympy.conjugate(u) * u.diff(x)))
    np.testing.assert_allclose(current(wave)(POINTS), np.full(7, 1.7), rtol=1e-14)
    constant = differential_operator({"r": u, "i": 2 * sympy.I})(wave)(POINTS)["i"]
    np.testing.assert_array_equal(np.asarray(constant), np.full(7, 2j))
    potential = differential_operator(sympy.I * u + nu * u)(wave, nu=2.0 - 1j)(POINTS)
    np.testing.assert_allclose(np.asarray(potential), 2 * np.asarray(wave(POINTS)), rtol=1e-15)


def test_text_of_an_operator():
    assert repr(differential_operator("u__t - u", "t", "u")) == (
        "<operator -u(t) + Derivative(u(t), t) on u>"
    )


@pytest.mark.parametrize(("arguments", "word"), [
    (({},), "at least one"),
    (("u__t",), r"coordinates and fields.*for example"),
    ((x**2,), "holds no field"),
    ((u, "t x", "u v"), "'v' does not occur.*leave it out"),
    ((w.diff(x), "x z"), "'y', which is not a coordinate"),
    ((u + sympy.Symbol("z"), "t x", [u], "zz"), "'z'.*did you mean 'zz'"),
    ((u + w,), r"give coordinates"),
    ((u + sympy.Function("u")(x, t),), "give coordinates"),
    ((sympy.Function("u")(0, x),), r"depend on coordinates, got 0"),
    ((u, None, "u"), "bare name"),
    ((u, None, [x]), r"names or applied functions, got x"),
    ((u, [x + t]), r"symbols or names"),
    ((u + sympy.Symbol("u"),), "'u' names a field and a symbol"),
    ((sympy.gamma(u),), "cannot be evaluated"),
])  # fmt: skip
def test_what_is_no_operator_is_refused(arguments, word):
    with pytest.raises(EquationError, match=word):
        differential_operator(*arguments)


def test_unknown_coordinates_and_names_in_text_are_refused():
    with pytest.raises(ParseError, match="depends on t, x, not on 'z'"):
        differential_operator("u__z", "t x", "u")
    with pytest.raises(ParseError, match="unknown name 'mu'"):
        differential_operator("u__t - mu*u", "t x", "u")


@pytest.mark.parametrize(("call", "word"), [
    (lambda: BURGERS(field), r"parameter 'nu' has no value.*nu=value.*Coordinates are t, x"),
    (lambda: BURGERS(field, nu=0.1, mu=1), r"unknown parameter 'mu'; the parameters are nu"),
    (lambda: BURGERS(nu=0.1), r"field 'u' needs a function.*L\(u\)"),
    (lambda: BURGERS(np.ones(7), nu=0.1), "needs a function of points"),
    (lambda: BURGERS(field, field, nu=0.1), "takes 1 functions, got 2"),
    (lambda: BURGERS(field, u=field, nu=0.1), "given twice"),
    (lambda: BURGERS(field, nu="a")(POINTS), "must be a number or an array"),
    (lambda: BURGERS(field, nu=np.ones((7, 1)))(POINTS), r"shape \(n,\)"),
    (lambda: BURGERS(field, nu=0.1)(np.ones((3, 3))), r"shape \(n, 2\).*t, x"),
    (lambda: BURGERS(lambda X: X, nu=0.1)(POINTS), "one column"),
])  # fmt: skip
def test_calls_that_do_not_fit_are_refused(call, word):
    with pytest.raises(EquationError, match=word):
        call()
