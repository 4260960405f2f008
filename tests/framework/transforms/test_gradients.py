"""Gradients: containers, nesting, auxiliary results, and what is refused."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError, UnusedInputWarning

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


def test_silent_when_everything_is_used() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sf.grad(lambda p: (p[0] * p[1]).sum())([X, X])
