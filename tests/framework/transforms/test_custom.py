"""Functions with a derivative of their own, under every transform."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.core.dims import Dim
from sciml.framework.errors import DifferentiationError, TraceError
from sciml.framework.ir.parser import parse_program
from sciml.framework.ir.types import TensorType
from sciml.framework.passes.verify import verify_program
from sciml.framework.transforms.batching import vmap_program
from sciml.framework.transforms.collapse import collapse
from sciml.framework.transforms.custom import expand
from sciml.framework.transforms.reverse import influencing_inputs, vjp_program
from sciml.framework.transforms.trace import evaluate

X = np.array([0.3, -0.7, 1.1])
CLOUD = np.random.default_rng(0).normal(size=(12, 2))


@sf.custom_jvp
def doubled_slope(x: Any) -> Any:
    """sin, with twice its derivative: a rule that shows wherever it is not honoured."""
    return sf.sin(x)


@doubled_slope.defjvp
def _doubled_slope_rule(primals: Any, tangents: Any) -> Any:
    return doubled_slope(*primals), 2.0 * sf.cos(primals[0]) * tangents[0]


@sf.custom_jvp
def squash(x: Any) -> Any:
    return sf.tanh(x)


@squash.defjvp
def _squash_rule(primals: Any, tangents: Any) -> Any:
    y = squash(*primals)
    return y, (1.0 - y * y) * tangents[0]


@sf.custom_jvp
def wave(x: Any) -> Any:
    return sf.sin(x)


@sf.custom_jvp
def other_wave(x: Any) -> Any:
    return sf.cos(x)


wave.defjvp(lambda p, t: (wave(*p), other_wave(*p) * t[0]))
other_wave.defjvp(lambda p, t: (other_wave(*p), -wave(*p) * t[0]))


def doubled(x: Any) -> Any:
    """What the derivative of `doubled_slope` is."""
    return 2.0 * np.cos(x)


# --- the rule is honoured ---------------------------------------------------------------------


def test_value_is_that_of_the_function() -> None:
    np.testing.assert_array_equal(doubled_slope(X), np.sin(X))
    np.testing.assert_array_equal(sf.jit(doubled_slope)(X), sf.jit(sf.sin)(X))


def test_forward_and_reverse_mode() -> None:
    value, tangent = sf.jvp(doubled_slope, (X,), (np.ones(3),))
    np.testing.assert_array_equal(value, np.sin(X))
    np.testing.assert_allclose(tangent, doubled(X), rtol=1e-15)
    gradient = sf.grad(lambda x: doubled_slope(x).sum())
    np.testing.assert_allclose(gradient(X), doubled(X), rtol=1e-15)
    np.testing.assert_allclose(sf.vjp(doubled_slope, X)[1](np.ones(3))[0], doubled(X), rtol=1e-15)
    np.testing.assert_allclose(
        sf.linearize(doubled_slope, X)[1](np.ones(3)), doubled(X), rtol=1e-15
    )


def test_compiled_mapped_and_both() -> None:
    slope = sf.grad(doubled_slope)
    mapped = sf.vmap(sf.vmap(slope))(CLOUD)
    np.testing.assert_allclose(mapped, doubled(CLOUD), rtol=1e-15)
    np.testing.assert_allclose(sf.jit(sf.vmap(sf.vmap(slope)))(CLOUD), doubled(CLOUD), rtol=1e-14)
    outside = sf.grad(lambda x: sf.vmap(doubled_slope)(x).sum())
    np.testing.assert_allclose(sf.jit(outside)(X), doubled(X), rtol=1e-14)


def test_jacobian_and_hessian() -> None:
    np.testing.assert_allclose(sf.jacobian(doubled_slope)(X), np.diag(doubled(X)), rtol=1e-15)
    # the second derivative is that of the rule: -2 sin
    hessian = sf.hessian(lambda x: doubled_slope(x).sum())(X)
    np.testing.assert_allclose(hessian, np.diag(-2.0 * np.sin(X)), rtol=1e-15)


def test_taylor_mode_expands_the_rule() -> None:
    one, zero = np.ones(3), np.zeros(3)
    _, terms = sf.jet(doubled_slope, (X,), ((one, zero, zero, zero),))
    expected = [2 * np.cos(X), -2 * np.sin(X), -2 * np.cos(X), 2 * np.sin(X)]
    for got, exact in zip(terms, expected, strict=True):
        np.testing.assert_allclose(got, exact, rtol=1e-14)
    mixed = sf.derivative(lambda P: doubled_slope(P[:, 0] * P[:, 1]), (1, 1))(CLOUD)
    product = CLOUD[:, 0] * CLOUD[:, 1]
    np.testing.assert_allclose(
        mixed, 2 * np.cos(product) - 2 * product * np.sin(product), rtol=1e-12, atol=1e-14
    )


@pytest.mark.parametrize("order", range(1, 11))
def test_recurrences_of_a_rule_are_exact_to_order_ten(order: int) -> None:
    """y' = 1 - y^2 through the function itself, and two functions that are each other's slope."""
    one, zero = np.array(1.0), np.array(0.0)
    series = (one, *[zero] * (order - 1))
    for function, reference in ((squash, mp.tanh), (wave, mp.sin), (other_wave, mp.cos)):
        _, terms = sf.jet(function, (np.array(0.4),), (series,))
        with mp.workdps(50):
            exact = float(mp.diff(reference, mp.mpf(0.4), order))
        np.testing.assert_allclose(terms[-1], exact, rtol=1e-10)


def test_a_recurrence_costs_what_that_of_the_primitive_costs() -> None:
    def count(function: Any) -> int:
        def jets(x: Any) -> Any:
            return sf.jet(function, (x,), ((np.array(1.0), *[np.array(0.0)] * 9),))[1]

        return sum(sf.make_program(jets)(np.array(0.3)).count().values())

    assert count(squash) <= count(sf.tanh)
    assert count(wave) == count(sf.sin)


def test_nested_modes_agree_with_taylor_mode() -> None:
    def nested(x: Any) -> Any:
        return sf.jvp(sf.grad(sf.grad(squash)), (x,), (np.array(1.0),))[1]

    _, terms = sf.jet(squash, (np.array(0.4),), ([np.array(1.0), np.array(0.0), np.array(0.0)],))
    np.testing.assert_allclose(nested(np.array(0.4)), terms[2], rtol=1e-13)
    np.testing.assert_allclose(sf.jit(nested)(np.array(0.4)), terms[2], rtol=1e-13)


def test_parameter_gradient_of_a_compiled_fourth_order_residual() -> None:
    """Against the same network of primitives, which has the same derivatives."""
    rng = np.random.default_rng(3)
    parameters = {"W": rng.normal(size=(2, 5)), "V": rng.normal(size=(5, 5)), "c": np.ones(5)}

    def loss(activation: Any) -> Any:
        def value(p: Any, P: Any) -> Any:
            def u(P: Any) -> Any:
                return activation(activation(P @ p["W"]) @ p["V"]) @ p["c"]

            return (sf.biharmonic(u)(P) ** 2).mean()

        return sf.jit(sf.value_and_grad(value))(parameters, CLOUD)

    (value, gradient), (expected, reference) = loss(squash), loss(sf.tanh)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    for name, leaf in gradient.items():
        np.testing.assert_allclose(leaf, reference[name], rtol=1e-11, atol=1e-11)


def test_recorded_tensors_follow_the_rule_to_any_order() -> None:
    x = sf.tensor(X, requires_grad=True)
    doubled_slope(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), doubled(X), rtol=1e-15)
    first = sf.gradients(doubled_slope(x).sum(), x, create_graph=True)
    second = sf.gradients(first.sum(), x)
    np.testing.assert_allclose(second.numpy(), -2.0 * np.sin(X), rtol=1e-15)
    with pytest.raises(DifferentiationError, match="uses a value from outside"):
        scaled(sf.tensor(2.0, requires_grad=True))(X).sum().backward()


@pytest.mark.parametrize("plan", ["multi_index", "directional", "nested"])
def test_every_plan_follows_the_rule(plan: str) -> None:
    """sin(x + 2 y) with twice its slope: all higher derivatives are twice those of sin."""
    third = sf.derivatives(lambda P: doubled_slope(P[:, 0] + 2.0 * P[:, 1]), [(2, 1)], plan)
    expected = -4.0 * np.cos(CLOUD[:, 0] + 2.0 * CLOUD[:, 1])
    np.testing.assert_allclose(third(CLOUD)[0], expected, rtol=1e-12)
    np.testing.assert_allclose(sf.jit(third)(CLOUD)[0], expected, rtol=1e-12)


def test_complex_arguments_and_results() -> None:
    z = np.array([1.0 + 0.5j, 2.0 - 1.0j])
    square = sf.custom_jvp(lambda z: z * z)
    square.defjvp(lambda p, t: (square(*p), 3.0 * p[0] * t[0]))
    given = sf.Complex(z.real.copy(), z.imag.copy())
    value, tangent = sf.jvp(square, (given,), (given,))
    np.testing.assert_allclose(np.asarray(value.real) + 1j * np.asarray(value.imag), z * z)
    np.testing.assert_allclose(np.asarray(tangent.real) + 1j * np.asarray(tangent.imag), 3 * z * z)


# --- containers, fixed arguments, captured values ---------------------------------------------


def test_containers_of_arguments_and_results() -> None:
    @sf.custom_jvp
    def polar(point: Any) -> Any:
        return {"r": sf.sqrt(point["x"] ** 2 + point["y"] ** 2), "xy": point["x"] * point["y"]}

    @polar.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (p,), (t,) = primals, tangents
        y = polar(p)
        slope = (p["x"] * t["x"] + p["y"] * t["y"]) / y["r"]
        return y, {"r": slope, "xy": 7.0 * (t["x"] * p["y"] + t["y"] * p["x"])}

    point = {"x": np.array(3.0), "y": np.array(4.0)}
    got = sf.grad(lambda p: polar(p)["r"])(point)
    np.testing.assert_allclose([got["x"], got["y"]], [0.6, 0.8], rtol=1e-15)
    got = sf.grad(lambda p: polar(p)["xy"])(point)
    np.testing.assert_allclose([got["x"], got["y"]], [28.0, 21.0], rtol=1e-15)


def test_arguments_that_are_no_arrays_come_first_to_the_rule() -> None:
    @sf.custom_jvp
    def unused(n: int, x: Any) -> Any:
        return x**n

    power = sf.custom_jvp(lambda x, n: x**n, nondiff_argnums=(1,))
    power.defjvp(lambda n, p, t: (power(p[0], n), n * power(p[0], n - 1) * t[0]))
    for order, exact in ((1, 3 * X**2), (2, 6 * X), (3, 6 + 0 * X)):
        _, terms = sf.jet(lambda x: power(x, 3), (X,), ([np.ones(3), X * 0, X * 0],))
        np.testing.assert_allclose(terms[order - 1], exact, rtol=1e-14)
    with pytest.raises(TraceError, match="hashable"):
        sf.jit(power)(X, 2)
    with pytest.raises(DifferentiationError, match="no derivative rule"):
        unused(2, X)


def test_integer_arguments_have_no_tangent() -> None:
    pick = sf.custom_jvp(lambda x, i: sf.take(x, i))
    pick.defjvp(lambda p, t: (pick(*p), 3.0 * sf.take(t[0], p[1]) if t[1] is None else None))
    got = sf.grad(lambda x: pick(x, np.array([1, 1])).sum())(X)
    np.testing.assert_array_equal(got, [0.0, 6.0, 0.0])


def scaled(factor: Any) -> Any:
    """A function over a value from outside, whose rule uses it too."""
    function = sf.custom_jvp(lambda x: sf.sin(factor * x))
    function.defjvp(lambda p, t: (function(*p), 2.0 * factor * sf.cos(factor * p[0]) * t[0]))
    return function


def test_captured_traced_values_are_followed_through_every_transform() -> None:
    def u(a: Any, x: Any) -> Any:
        return scaled(a)(x)

    a = np.array(1.5)
    expected = 2 * a * np.cos(a * X)
    slope = sf.grad(lambda x, a: u(a, x).sum())
    np.testing.assert_allclose(slope(X, a), expected, rtol=1e-14)
    np.testing.assert_allclose(sf.jit(slope)(X, a), expected, rtol=1e-14)
    second = sf.jit(lambda x, a: sf.jet(lambda x: u(a, x), (x,), ([np.ones(3), X * 0],))[1][1])
    np.testing.assert_allclose(second(X, a), -2 * a * a * np.sin(a * X), rtol=1e-14)
    many = sf.vmap(slope, (None, 0))(X, np.array([1.0, 2.0]))
    np.testing.assert_allclose(many, [2 * b * np.cos(b * X) for b in (1.0, 2.0)], rtol=1e-14)


def test_large_arrays_of_function_and_rule_are_captured() -> None:
    weights, others = np.linspace(1, 2, 30), np.linspace(2, 3, 30)
    function = sf.custom_jvp(lambda x: sf.sin(x * weights))
    function.defjvp(lambda p, t: (function(*p), t[0] * weights * others))
    slope = sf.jit(sf.grad(lambda x: function(x).sum()))
    np.testing.assert_allclose(slope(np.ones(30)), weights * others, rtol=1e-15)
    mapped = sf.vmap(sf.grad(lambda x: function(x).sum()))(np.ones((2, 30)))
    np.testing.assert_allclose(mapped, np.stack([weights * others] * 2), rtol=1e-15)


def test_a_derivative_by_a_captured_value_is_refused() -> None:
    with pytest.raises(DifferentiationError, match=r"uses a value from outside.*as an argument"):
        sf.grad(lambda a: scaled(a)(X).sum())(np.array(2.0))


def test_a_rule_may_close_over_more_than_its_function() -> None:
    """Traced values and arrays that are made again at every call, in a rule that calls itself."""

    def u(x: Any, a: Any) -> Any:
        function = sf.custom_jvp(sf.sin)

        @function.defjvp
        def rule(p: Any, t: Any) -> Any:
            y = function(*p)
            return y, a * np.linspace(1, 2, 20) * (1.0 - y) * t[0]

        return function(x).sum()

    x, a, weights = np.linspace(0, 1, 20), np.array(3.0), np.linspace(1, 2, 20)
    slope = a * weights * (1 - np.sin(x))
    for wrapper in (lambda f: f, sf.jit):
        np.testing.assert_allclose(wrapper(sf.grad(u))(x, a), slope, rtol=1e-13)
        second = wrapper(sf.grad(lambda x, a: sf.grad(u)(x, a).sum()))
        np.testing.assert_allclose(second(x, a), -a * weights * slope, rtol=1e-13)
    several = sf.vmap(sf.grad(u), (None, 0))(x, np.array([3.0, 6.0]))
    np.testing.assert_allclose(several, [slope, 2 * slope], rtol=1e-13)


def test_what_a_function_called_in_a_rule_closes_over() -> None:
    weights = np.linspace(1, 2, 20)
    inner = sf.custom_jvp(sf.sin)
    inner.defjvp(lambda p, t: (inner(*p), weights * t[0]))
    outer = sf.custom_jvp(sf.exp)
    outer.defjvp(lambda p, t: (outer(*p), inner(p[0]) * t[0]))
    second = sf.jit(sf.grad(lambda x: sf.grad(lambda x: outer(x).sum())(x).sum()))
    np.testing.assert_allclose(second(np.ones(20)), weights, rtol=1e-14)

    def u(x: Any, a: Any) -> Any:
        inner.defjvp(lambda p, t: (inner(*p), a * t[0]))
        return sf.grad(lambda x: sf.grad(lambda x: outer(x).sum())(x).sum())(x)

    with pytest.raises(DifferentiationError, match="called in another rule"):
        sf.jit(u)(np.ones(20), np.array(2.0))


# --- in programs ------------------------------------------------------------------------------


def test_calls_of_one_function_are_one_operation_and_of_two_functions_are_two() -> None:
    twin = sf.custom_jvp(sf.sin)
    twin.defjvp(lambda p, t: (twin(*p), t[0]))
    program = sf.make_program(lambda x: wave(x) + wave(x) * twin(x))(X)
    assert program.count()["custom_jvp"] == 2


def test_programs_are_printed_whole_and_read_back_without_the_rule() -> None:
    program = sf.make_program(lambda x: doubled_slope(x) * 2.0)(X)
    text = str(program)
    assert "tensor.sin" in text
    parsed = parse_program(text)
    assert str(parsed) == text
    (got,) = evaluate(verify_program(parsed), [X])
    np.testing.assert_array_equal(got, 2.0 * np.sin(X))
    (mapped,) = evaluate(vmap_program(parsed, [True], 2), [np.stack([X, X])])
    np.testing.assert_array_equal(mapped[1], got)
    with pytest.raises(DifferentiationError, match="read from text"):
        vjp_program(parsed, [0])


def test_functions_with_other_bodies_have_other_texts() -> None:
    one, two = sf.custom_jvp(lambda x: x + 1.0), sf.custom_jvp(lambda x: x + 2.0)
    for function in (one, two):
        function.defjvp(lambda p, t: (p[0], t[0]))
    np.testing.assert_array_equal(sf.jit(lambda x: one(x))(X), X + 1)
    np.testing.assert_array_equal(sf.jit(lambda x: two(x))(X), X + 2)


def test_expand_puts_bodies_in_place_nested_ones_too() -> None:
    outer = sf.custom_jvp(lambda x: wave(x) * squash(x))
    outer.defjvp(lambda p, t: (outer(*p), t[0]))
    program = sf.make_program(lambda x: outer(x).sum())(X)
    assert set(program.count()) == {"custom_jvp", "reduce_sum"}
    expanded = verify_program(expand(program))
    assert set(expanded.count()) == {"sin", "tanh", "mul", "reduce_sum"}
    assert expand(expanded) is expanded
    np.testing.assert_array_equal(evaluate(program, [X]), evaluate(expanded, [X]))


def test_symbolic_sizes_are_bound_in_function_and_rule() -> None:
    n = Dim.named("N")
    types = (TensorType((n, 2), np.dtype(np.float64)),)

    mean = sf.custom_jvp(lambda P: P.sum() / P.shape[0])
    mean.defjvp(lambda p, t: (mean(*p), 3.0 * t[0].sum() / p[0].shape[0]))
    program = sf.make_program(sf.value_and_grad(mean))(*types)
    value, gradient = evaluate(program, [np.ones((4, 2))])
    np.testing.assert_allclose([value, gradient[0, 0]], [2.0, 0.75], rtol=1e-15)
    # taken after the sizes are known
    before = sf.make_program(lambda P: mean(P) * 1.0)(*types)
    sliced = vmap_program(before, [True], 3)
    np.testing.assert_allclose(evaluate(sliced, [np.ones((3, 5, 2))])[0], [2.0] * 3, rtol=1e-15)
    step = sf.jit(sf.value_and_grad(mean))
    for count in (10, 20):
        np.testing.assert_allclose(step(np.ones((count, 2)))[1][0, 0], 3 / count, rtol=1e-15)
    assert step.compilations == 1


def test_influence_collapse_and_verification() -> None:
    program = sf.make_program(lambda x, y: squash(x) * 1.0)(X, X)
    assert influencing_inputs(program) == {0}
    verify_program(collapse(program))
    with pytest.raises(DifferentiationError, match="does not depend"):
        sf.grad(lambda x, y: squash(x).sum(), 1)(X, X)


def test_the_pointwise_check_looks_into_the_body() -> None:
    rows = sf.custom_jvp(lambda P: P * P.sum(axis=1, keepdims=True))
    rows.defjvp(lambda p, t: (rows(*p), t[0] * p[0] + t[0].sum(axis=1, keepdims=True) * p[0]))
    columns = sf.custom_jvp(lambda P: P - P.mean(axis=0, keepdims=True))
    columns.defjvp(lambda p, t: (columns(*p), t[0]))
    assert sf.derivative(lambda P: rows(P)[:, 0], (1, 0))(CLOUD).shape == (12,)
    with pytest.raises(DifferentiationError, match=r"not pointwise: custom_jvp"):
        sf.derivative(lambda P: columns(P)[:, 0], (1, 0))(CLOUD)
