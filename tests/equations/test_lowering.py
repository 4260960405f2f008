import os
import subprocess
import sys

import numpy as np
import pytest
import sympy

import sciml.framework as framework
from sciml.equations import KirchhoffPlate, Poisson, lower
from sciml.framework.errors import EquationError

x, y, k = sympy.symbols("x y k")
w = sympy.Function("w")(x, y)
POINTS = np.random.default_rng(0).uniform(0.2, 1.0, (9, 2))
CLOSED = sympy.sin(2 * x) * sympy.exp(-y) + x**5 * y**4 / 10


def field(X):
    a, b = X[:, 0], X[:, 1]
    return framework.sin(2 * a) * framework.exp(-b) + a**5 * b**4 / 10


def closed(expression, **values):
    plain = expression.subs(w, CLOSED).doit()
    evaluate = sympy.lambdify((x, y, *map(sympy.Symbol, values)), plain)
    return np.array([evaluate(*row, *values.values()) for row in POINTS], dtype=float)


def test_plate_and_derived_quantities_against_closed_forms():
    plate = KirchhoffPlate(2, 0.3, "sin(pi*x)")
    expressions = plate.residuals() | plate.derived()
    lowered = lower(expressions, plate.coordinates, plate.fields)
    values = lowered({"w": field}, POINTS)
    assert list(values) == list(expressions)
    for name, expression in expressions.items():
        np.testing.assert_allclose(values[name], closed(expression), rtol=1e-12, atol=1e-12)


def test_the_residual_asks_for_the_three_derivatives_only():
    plate = KirchhoffPlate()
    lowered = lower(plate.residuals(), plate.coordinates, plate.fields)
    assert lowered.derivatives == {"w": ((0, 4), (2, 2), (4, 0))}
    assert lowered.order == 4


def test_edge_quantities_take_normals_as_arrays():
    plate = KirchhoffPlate(2, 0.3)
    expression = plate.effective_shear()
    lowered = lower({"V_n": expression}, (x, y), [plate.w], ["n_x", "n_y", "kappa"])
    angle = np.linspace(0, 6, len(POINTS))
    n = {"n_x": np.cos(angle), "n_y": np.sin(angle)}
    values = lowered({"w": field}, POINTS, **n, kappa=0.5)["V_n"]
    for i, row in enumerate(POINTS):
        plain = expression.subs(w, CLOSED).doit()
        place = {"x": row[0], "y": row[1], "n_x": n["n_x"][i], "n_y": n["n_y"][i], "kappa": 0.5}
        assert values[i] == pytest.approx(float(plain.subs(place)), rel=1e-11, abs=1e-11)


def test_several_fields_and_nonlinear_terms():
    u, v = sympy.Function("u")(x, y), sympy.Function("v")(x, y)
    expression = u * u.diff(x) + v * u.diff(y) + sympy.exp(v) / (1 + u**2)
    lowered = lower({"r": expression}, (x, y), [u, v])
    assert lowered.derivatives == {"u": ((0, 0), (0, 1), (1, 0)), "v": ((0, 0),)}
    functions = {"u": field, "v": lambda X: X[:, 0] * X[:, 1]}
    value = lowered(functions, POINTS)["r"]
    expected = closed(expression.subs({u: w, v: x * y}).doit())
    np.testing.assert_allclose(value, expected, rtol=1e-12)


def test_a_field_of_some_coordinates_gets_padded_indices():
    g = sympy.Function("g")(y)
    lowered = lower({"r": g.diff(y, 2) + x}, (x, y), [g])
    assert lowered.derivatives == {"g": ((0, 2),)}
    value = lowered({"g": lambda X: X[:, 1] ** 3}, POINTS)["r"]
    np.testing.assert_allclose(value, 6 * POINTS[:, 1] + POINTS[:, 0], rtol=1e-13)


def test_constant_expressions_have_one_value_per_point():
    lowered = lower({"c": sympy.Rational(1, 3), "p": k**2}, (x, y), [], [k])
    values = lowered({}, POINTS, k=2)
    np.testing.assert_array_equal(values["c"], np.full(9, 1 / 3))
    np.testing.assert_array_equal(values["p"], np.full(9, 4.0))


def test_unevaluated_derivatives_are_carried_out():
    product = sympy.Derivative(x * w, x)
    lowered = lower({"r": product}, (x, y), [w])
    value = lowered({"w": field}, POINTS)["r"]
    np.testing.assert_allclose(value, closed(product.doit()), rtol=1e-12)


def test_gradient_passes_through_the_residual():
    pde = Poisson("x*y", dimension=2)
    lowered = lower(pde.residuals(), pde.coordinates, pde.fields)

    def loss(c):
        r = lowered({"u": lambda X: c * framework.sin(X[:, 0]) * X[:, 1] ** 2}, POINTS)
        return (r["poisson"] ** 2).sum()

    c, step = np.array(0.7), 1e-6
    difference = (loss(c + step) - loss(c - step)) / (2 * step)
    assert framework.grad(loss)(c) == pytest.approx(difference, rel=1e-7)


def test_points_may_be_traced():
    pde = Poisson()
    lowered = lower(pde.derived(), pde.coordinates, pde.fields)

    def total(X):
        return lowered({"u": field}, X)["flux_x"].sum()

    gradient = framework.grad(total)(POINTS)
    np.testing.assert_allclose(gradient[:, 0], closed(-w.diff(x, 2)), rtol=1e-12)


def test_symbols_are_real():
    expression = sympy.Abs(sympy.exp(x) * w) + sympy.Abs(w).diff(x) + sympy.Abs(x - 1).diff(x)
    lowered = lower({"r": expression}, (x, y), [w])
    value = lowered({"w": lambda X: -field(X)}, POINTS)["r"]
    expected = closed(sympy.exp(x) * w + w.diff(x) - 1)
    np.testing.assert_allclose(value, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (w + k, "names 'k', which is neither a coordinate nor a parameter"),
        (w + sympy.Symbol("n_z"), "did you mean 'n_x'"),
        (sympy.Function("v")(x, y), "names the field 'v', which is not declared"),
        (sympy.Function("v")(x, y).diff(x), "names the field 'v'"),
        (sympy.Function("w")(x, k), "names 'k', which is neither"),
        (sympy.Function("w")(x, w), r"field 'w' at w\(x, y\), which depends on a field"),
        (w.diff(x).subs(x, w), r"field 'w' at w\(x, y\), which depends on a field"),
        (sympy.Function("w")(x), "was declared as"),
        (sympy.gamma(x), "gamma is not among the functions"),
        (w > 0, "must be an expression"),
    ],
)
def test_undeclared_names_are_refused(expression, message):
    with pytest.raises(EquationError, match=message):
        lower({"r": expression}, (x, y), [w], ["n_x"])


def test_derivatives_in_what_is_not_a_coordinate_are_refused():
    v = sympy.Function("v")(x, k)
    with pytest.raises(EquationError, match="depends on 'k', which is not a coordinate"):
        lower({"r": v.diff(k)}, (x, y), [v])
    with pytest.raises(EquationError, match="names 'k', which is neither a coordinate"):
        lower({"r": v.diff(k)}, (x, y), ["v"])


def test_a_field_declared_twice_is_refused():
    with pytest.raises(EquationError, match="twice"):
        lower({"r": w}, (x, y), [w, "w"])


def test_wrong_calls_are_refused():
    lowered = lower({"r": w.diff(x) * k}, (x, y), [w], [k])
    with pytest.raises(EquationError, match="no field function is given for 'w'"):
        lowered({"v": field}, POINTS, k=1)
    with pytest.raises(EquationError, match="no parameter is given for 'k'"):
        lowered({"w": field}, POINTS)
    with pytest.raises(EquationError, match="unknown parameter 'kk'; did you mean 'k'"):
        lowered({"w": field}, POINTS, k=1, kk=2)
    with pytest.raises(EquationError, match=r"points must have shape \(n, 2\)"):
        lowered({"w": field}, POINTS[:, :1], k=1)
    with pytest.raises(EquationError, match=r"shape \(n,\), got \(9, 1\)"):
        lowered({"w": lambda X: X[:, :1] * X[:, 1:]}, POINTS, k=1)
    with pytest.raises(EquationError, match=r"parameter 'k' must be a number"):
        lowered({"w": field}, POINTS, k=np.ones((9, 1)))


def test_the_operations_do_not_depend_on_the_hash_seed():
    code = (
        "from sciml.equations import *\n"
        "p = KirchhoffPlate('1 + x*y', 0.3, 'sin(x)')\n"
        "e = p.residuals() | p.derived() | {'V': p.effective_shear()}\n"
        "print(lower(e, p.coordinates, p.fields, ['n_x', 'n_y', 'kappa']))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(texts) == 1
