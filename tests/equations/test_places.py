import numpy as np
import pytest
import sympy

import sciml.framework as framework
from sciml.equations import lower, parse_expression
from sciml.equations.places import locate
from sciml.framework.errors import EquationError

x, t, tau, L = sympy.symbols("x t tau L")
u = sympy.Function("u")
X = np.random.default_rng(3).uniform(0.2, 1.0, (7, 2))
a, b = X.T


def field(X):
    return framework.sin(X[:, 0]) * X[:, 1] ** 3


def value(expression, **parameters):
    lowered = lower({"r": expression}, (x, t), [u(x, t)], list(parameters))
    return lowered({"u": field}, X, **parameters)["r"]


def same(found, expected):
    np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), rtol=2e-14)


def test_a_delay_and_its_derivatives():
    delayed = u(x, t - tau)
    same(value(delayed, tau=0.1), np.sin(a) * (b - 0.1) ** 3)
    same(value(delayed.diff(t), tau=0.1), np.sin(a) * 3 * (b - 0.1) ** 2)
    same(value(delayed.diff(x, 2), tau=0.1), -np.sin(a) * (b - 0.1) ** 3)
    tau_of_each = np.linspace(0, 0.1, 7)
    same(value(delayed, tau=tau_of_each), np.sin(a) * (b - tau_of_each) ** 3)


def test_a_wall_and_a_period():
    same(value(u(1, t)), np.sin(1) * b**3)
    same(value(u(x, t).diff(x).subs(x, 0)), b**3)
    same(value(u(x + L, t).diff(x, t), L=2), np.cos(a + 2) * 3 * b**2)
    same(value(u(t, x)), np.sin(b) * a**3)


def test_the_chain_rule_of_a_pantograph():
    same(value(u(x, t / 2).diff(t)), np.sin(a) * 3 * (b / 2) ** 2 / 2)
    same(value(u(x, x).diff(x)), np.cos(a) * a**3 + np.sin(a) * 3 * a**2)


def test_each_place_is_evaluated_once():
    expression = u(x, t) * u(x, t).diff(x) + u(x, t - 1) ** 2 + u(x, t - 1).diff(x, 2)
    lowered = lower({"r": expression, "s": u(x, t - 1)}, (x, t), ["u"])
    assert lowered.derivatives == {"u": ((0, 0), (1, 0))}
    assert [(p.field, p.indices) for p in lowered.places] == [("u", ((0, 0), (2, 0)))]
    assert lowered.order == 2


def test_a_field_of_one_coordinate():
    v = sympy.Function("v")
    lowered = lower({"r": v(t - 1).diff(t) + x}, (x, t), [v(t)])
    found = lowered({"v": lambda X: X[:, 1] ** 2}, X)["r"]
    same(found, 2 * (b - 1) + a)
    assert lowered.derivatives == {"v": ()}


def test_gradients_pass_through_a_place():
    lowered = lower({"r": u(x, t - tau)}, (x, t), ["u"], [tau])

    def total(delay):
        return lowered({"u": field}, X, tau=delay)["r"].sum()

    gradient = framework.grad(total)(np.array(0.1))
    assert gradient == pytest.approx((-np.sin(a) * 3 * (b - 0.1) ** 2).sum(), rel=1e-13)


def test_text_names_places():
    names = {"x": x, "t": t, "tau": tau, "u": u(x, t)}
    assert parse_expression("u(x, t - tau)", names) == u(x, t - tau)
    wall = parse_expression("u__x(0, t)", names)
    assert wall == sympy.Subs(u(x, t).diff(x), x, 0)
    same(value(wall), b**3)
    assert parse_expression("u__x(x, t)", names) == u(x, t).diff(x)


def test_locate_gives_orders_and_arguments():
    node = u(x + L, t).diff(x, 2)
    found = locate("r", node, {"u": u(x, t)})
    assert (found.field, found.orders, found.arguments) == ("u", (2, 0), (L + x, t))


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (u(x), r"names u\(x\), but the field was declared as u\(x, t\)"),
        (sympy.Derivative(u(x, 2 * t), t), "depends on x, 2\\*t"),
        (sympy.Derivative(u(x, t), tau, evaluate=False), "in 'tau', but 'u' depends on x, t"),
        (sympy.Function("uu")(x, t), "not declared; did you mean 'u'"),
        (sympy.Derivative(sympy.sin(x), x, evaluate=False), "which is not a field"),
    ],
)
def test_what_is_no_derivative_of_a_field_is_refused(node, message):
    with pytest.raises(EquationError, match=message):
        locate("r", node, {"u": u(x, t)})
