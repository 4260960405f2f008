"""grad, jvp, vjp, jacobian, hessian, vmap and jet: closed forms, nesting and refusals."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError, ShapeError, UnusedInputWarning

X = np.array([0.3, -1.2, 0.7])


def test_gradient_has_the_container_of_the_argument() -> None:
    def loss(p: Any, x: Any) -> Any:
        return (sf.tanh(x @ p["w"] + p["b"][0]) ** 2).sum()

    p = {"w": np.ones((3, 2)), "b": [np.zeros(2)]}
    value, gradient = sf.value_and_grad(loss)(p, X[None])
    t = np.tanh(X @ p["w"])
    assert value == pytest.approx(np.sum(t**2), rel=1e-15)
    np.testing.assert_allclose(gradient["b"][0], 2 * t * (1 - t**2))
    np.testing.assert_allclose(gradient["w"], np.outer(X, 2 * t * (1 - t**2)))


def test_gradients_nest_to_any_order() -> None:
    f: Any = sf.sin
    for k in range(1, 8):
        f = sf.grad(f)
        assert float(f(np.asarray(0.4))) == pytest.approx(
            math.sin(0.4 + k * math.pi / 2), rel=1e-13
        )


def test_the_product_of_no_elements_has_an_empty_gradient() -> None:
    value, gradient = sf.value_and_grad(sf.prod)(np.zeros(0))
    assert (float(value), gradient.shape) == (1.0, (0,))
    pushed = sf.jvp(lambda x: sf.prod(x, axis=0), (np.zeros((0, 2)),), (np.zeros((0, 2)),))
    np.testing.assert_array_equal(pushed, [[1.0, 1.0], [0.0, 0.0]])


def test_every_mixture_of_modes_gives_the_same_third_derivative() -> None:
    def f(x: Any) -> Any:
        return sf.exp(sf.sin(x)) * x

    x, one, zero = np.asarray(0.8), np.asarray(1.0), np.asarray(0.0)

    def forward(g: Any) -> Any:
        return lambda x: sf.jvp(g, (x,), (one,))[1]

    def reverse(g: Any) -> Any:
        return lambda x: sf.vjp(g, x)[1](one)[0]

    reference = float(sf.jet(f, (x,), ((one, zero, zero),))[1][2])
    for first in (forward, reverse):
        for second in (forward, reverse):
            for third in (forward, reverse):
                assert float(first(second(third(f)))(x)) == pytest.approx(reference, rel=1e-13)


def test_an_argument_without_influence_is_refused() -> None:
    with pytest.raises(DifferentiationError, match="does not depend on argument 1"):
        sf.grad(lambda x, y: (x * x).sum(), argnums=1)(X, X)
    np.testing.assert_array_equal(
        sf.grad(lambda x, y: (x * x).sum(), argnums=1, allow_unused=True)(X, X), np.zeros(3)
    )


def test_a_parameter_without_influence_is_named_in_a_warning() -> None:
    with pytest.warns(UnusedInputWarning, match=r"argument 0\['b'\]"):
        sf.grad(lambda p: (p["a"] ** 2).sum())({"a": X, "b": X})


def test_a_stopped_gradient_does_not_count_as_influence() -> None:
    with pytest.raises(DifferentiationError, match="does not depend"):
        sf.grad(lambda x: sf.stop_gradient(x).sum())(X)


@pytest.mark.parametrize(("function", "word"), [
    (lambda x: x, "scalar"), (lambda x: (x.sum(), x.sum()), "2 arrays"),
    (lambda x: (x > 0).astype(np.int64).sum(), "floating scalar"),
])  # fmt: skip
def test_gradients_of_other_results_are_refused(function: Any, word: str) -> None:
    with pytest.raises(DifferentiationError, match=word):
        sf.grad(function)(X)


def test_integers_have_no_derivative() -> None:
    with pytest.raises(DifferentiationError, match="floating"):
        sf.grad(lambda n: (n * 1.0).sum())(np.arange(3))


def test_auxiliary_results_are_passed_on() -> None:
    (value, aux), gradient = sf.value_and_grad(lambda x: ((x**2).sum(), x * 3), has_aux=True)(X)
    assert value == pytest.approx(np.sum(X**2))
    np.testing.assert_allclose(aux, 3 * X)
    np.testing.assert_allclose(gradient, 2 * X)
    gradient2, _ = sf.grad(lambda x: ((x**2).sum(), x * 3), has_aux=True)(X)
    np.testing.assert_array_equal(gradient, gradient2)


def test_several_arguments_at_once() -> None:
    first, second = sf.grad(lambda x, y: (x * y).sum(), argnums=(0, 1))(X, X + 1)
    np.testing.assert_allclose(first, X + 1)
    np.testing.assert_allclose(second, X)


@pytest.mark.parametrize("shape", [(3,), (2, 2)])
def test_jacobian_of_both_modes_and_hessian(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).normal(size=shape)
    count = x.size
    matrix = np.random.default_rng(1).normal(size=(2, count))
    few = sf.jacobian(lambda x: matrix @ sf.reshape(x, (count,)))(x)
    np.testing.assert_allclose(few, matrix.reshape(2, *shape))
    many = sf.jacobian(lambda x: sf.concatenate([sf.reshape(x, (count,))] * 2) ** 2)(x)
    expected = np.concatenate([np.diag(2 * x.ravel())] * 2).reshape(2 * count, *shape)
    np.testing.assert_allclose(many, expected)
    h = sf.hessian(lambda x: (x**3).sum() / 3)(x)
    np.testing.assert_allclose(h.reshape(count, count), np.diag(2 * x.ravel()))


def test_hessian_is_symmetric_for_a_coupled_function() -> None:
    h = sf.hessian(lambda x: sf.exp(x[0] * x[1]) + sf.sin(x[1] * x[2]))(X)
    np.testing.assert_allclose(h, h.T, rtol=1e-14)
    e = math.exp(X[0] * X[1])
    assert h[0, 1] == pytest.approx(e * (1 + X[0] * X[1]), rel=1e-14)


def test_linearize_is_the_jvp() -> None:
    value, push = sf.linearize(lambda x: sf.sin(x) * x, X)
    _, tangent = sf.jvp(lambda x: sf.sin(x) * x, (X,), (X + 1,))
    np.testing.assert_allclose(push(X + 1), tangent, rtol=1e-15)
    np.testing.assert_allclose(value, np.sin(X) * X, rtol=1e-15)


def test_closures_over_outer_values_are_differentiated() -> None:
    def outer(a: Any) -> Any:
        inner = sf.grad(lambda x: (a * x**3).sum())
        return inner(X).sum()

    np.testing.assert_allclose(sf.grad(outer)(np.asarray(2.0)), np.sum(3 * X**2))


def test_vmap_nests_with_gradients() -> None:
    batch = np.stack([X, X + 1])
    per_example = sf.vmap(sf.grad(lambda x: (x**3).sum()))(batch)
    np.testing.assert_allclose(per_example, 3 * batch**2)
    twice = sf.vmap(sf.vmap(lambda a, b: a * b, (None, 0)), (0, None))(X, X)
    np.testing.assert_allclose(twice, np.outer(X, X))


def test_vmap_refuses_sizes_that_differ() -> None:
    with pytest.raises(ShapeError, match="one size"):
        sf.vmap(lambda x, y: x + y)(np.ones(2), np.ones(3))


def test_jet_of_a_composition_agrees_with_faa_di_bruno() -> None:
    """d^k/dt^k exp(t^2 + t) at t = 0: Hermite-like numbers 1, 3, 7, 25, 81."""
    one = np.asarray(1.0)
    terms = [one] + [np.asarray(0.0)] * 4
    value, series = sf.jet(lambda t: sf.exp(t * t + t), (np.asarray(0.0),), (terms,))
    assert float(value) == 1.0
    np.testing.assert_allclose(series, [1, 3, 7, 25, 81], rtol=1e-14)


def test_jet_takes_series_with_higher_terms() -> None:
    """x(t) = 1 + t + t^2/2 * 3 means series (1, 3): d2/dt2 of x^2 is 2 + 2 * 3."""
    series = ((np.asarray(1.0), np.asarray(3.0)),)
    _, (first, second) = sf.jet(lambda x: x * x, (np.asarray(1.0),), series)
    assert (float(first), float(second)) == (2.0, 8.0)


def test_silent_when_everything_is_used() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sf.grad(lambda p: (p[0] * p[1]).sum())([X, X])
