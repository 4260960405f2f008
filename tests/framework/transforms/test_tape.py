"""The tape gives the derivatives of closed forms and of the functional transforms, or refuses."""

from __future__ import annotations

import doctest
import gc
import weakref
from typing import Any

import numpy as np
import pytest
import sympy as sp

import sciml.framework as sf
from sciml.framework.errors import (
    DifferentiationError,
    ShapeError,
    TraceError,
    UnusedInputWarning,
)
from sciml.framework.transforms import tape

POINTS = np.linspace(0.2, 0.9, 5)
t = sp.Symbol("t")
COMPOSITIONS: list[tuple[Any, Any]] = [
    (sp.sin(t**2) * sp.exp(-t), lambda x: sf.sin(x**2) * sf.exp(-x)),
    (sp.tanh(sp.sin(2 * t) + t), lambda x: sf.tanh(sf.sin(2.0 * x) + x)),
    (sp.log(1 + t) / (1 + t**2), lambda x: sf.log1p(x) / (1.0 + x**2)),
    (sp.sqrt(1 + t**3) * sp.erf(t), lambda x: sf.sqrt(1.0 + x**3) * sf.erf(x)),
    (sp.atan2(t, 2) ** 3 + t ** sp.Rational(5, 2), lambda x: sf.atan2(x, 2.0) ** 3 + x**2.5),
]


def test_examples() -> None:
    assert doctest.testmod(tape, extraglobs={"np": np}).failed == 0


@pytest.mark.parametrize(("expression", "function"), COMPOSITIONS)
def test_orders_one_to_six_against_closed_forms(expression: Any, function: Any) -> None:
    x = sf.tensor(POINTS, requires_grad=True)
    y = function(x)
    for order in range(1, 7):
        y = sf.gradients(y.sum(), x, create_graph=order < 6)
        exact = sp.lambdify(t, expression.diff(t, order), "mpmath")
        reference = np.array([float(exact(sp.Float(p, 40))) for p in POINTS])
        scale = np.abs(reference).max()
        np.testing.assert_allclose(y.numpy(), reference, rtol=1e-12, atol=1e-12 * scale)


def test_backward_adds_to_every_leaf() -> None:
    w = sf.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    b = sf.tensor([0.5, -0.5], requires_grad=True)
    X = np.array([[1.0, -1.0], [2.0, 0.0], [0.0, 3.0]])
    loss = ((X @ w + b) ** 2).sum()
    residual = X @ w.numpy() + b.numpy()
    loss.backward()
    assert w.grad is not None
    assert b.grad is not None
    np.testing.assert_array_equal(w.grad.numpy(), 2 * X.T @ residual)
    np.testing.assert_array_equal(b.grad.numpy(), 2 * residual.sum(axis=0))
    loss.backward()
    np.testing.assert_array_equal(w.grad.numpy(), 4 * X.T @ residual)
    w.grad = None
    assert w.grad is None


def test_a_vector_is_pulled_back_through_a_value_that_is_no_scalar() -> None:
    x = sf.tensor(POINTS, requires_grad=True)
    v = np.arange(5.0)
    (x**3).backward(v)
    assert x.grad is not None
    np.testing.assert_allclose(x.grad.numpy(), 3 * POINTS**2 * v, rtol=1e-15)
    pair = (x * 2.0, x**2)
    both = sf.gradients(pair, x, grad_outputs=(v, np.ones(5)))
    np.testing.assert_allclose(both.numpy(), 2 * v + 2 * POINTS, rtol=1e-15)


def test_inputs_may_be_intermediate_repeated_and_nested() -> None:
    x = sf.tensor(2.0, requires_grad=True)
    y = x * x
    z = y**3 + x
    found = sf.gradients(z, {"y": y, "again": [x, x]})
    assert float(found["y"]) == 3 * 16.0  # x is held
    assert [float(g) for g in found["again"]] == [1.0, 1.0]  # y is held
    assert float(sf.gradients(z, x)) == 6 * 2.0**5 + 1.0


def test_the_gradient_of_a_gradient_in_the_seed_is_forward_mode() -> None:
    x = sf.tensor(POINTS, requires_grad=True)
    v = sf.tensor(np.zeros(5), requires_grad=True)
    pulled = sf.gradients(sf.sin(x), x, grad_outputs=v, create_graph=True)
    pushed = sf.gradients(pulled, v, grad_outputs=np.full(5, 2.0))
    np.testing.assert_array_equal(pushed.numpy(), 2.0 * np.cos(POINTS))


def test_double_backward_of_a_gradient_penalty() -> None:
    a = np.array([[2.0, 1.0], [1.0, 3.0]])
    x = sf.tensor([1.0, -2.0], requires_grad=True)
    slope = sf.gradients(0.5 * (x @ (a @ x)), x, create_graph=True)
    (slope @ slope).backward()
    assert x.grad is not None
    np.testing.assert_array_equal(x.grad.numpy(), 2 * a @ a @ np.array([1.0, -2.0]))


def network(params: Any, X: Any) -> Any:
    for layer in params[:-1]:
        X = sf.tanh(X @ layer["W"] + layer["b"])
    return (X @ params[-1]["W"])[:, 0]


def weights(seed: int) -> list[dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    return [
        {"W": rng.normal(size=(2, 8)), "b": rng.normal(size=8)},
        {"W": rng.normal(size=(8, 8)) / 3, "b": rng.normal(size=8)},
        {"W": rng.normal(size=(8, 1))},
    ]


def recorded_weights(seed: int) -> list[dict[str, sf.Tensor]]:
    return [{k: sf.tensor(v, requires_grad=True) for k, v in p.items()} for p in weights(seed)]


def plate_loss(params: Any, X: Any) -> Any:
    return ((sf.biharmonic(lambda X: network(params, X))(X) - 1.0) ** 2).mean()


def test_parameter_gradient_of_a_biharmonic_residual_is_the_functional_one() -> None:
    """Sums may be taken in another order, so to a few units in the last place of the largest."""
    X = np.random.default_rng(1).uniform(size=(16, 2))
    expected = sf.grad(plate_loss)(weights(0), X)
    params = recorded_weights(0)
    loss = plate_loss(params, X)
    loss.backward()
    found = sf.gradients(loss, params)
    for layer, other, given in zip(params, found, expected, strict=True):
        for name, reference in given.items():
            bound = 16 * np.finfo(float).eps * np.abs(reference).max()
            gradient = layer[name].grad
            assert gradient is not None
            np.testing.assert_allclose(gradient.numpy(), reference, rtol=0, atol=bound)
            np.testing.assert_array_equal(other[name].numpy(), gradient.numpy())


def test_functional_transforms_take_recorded_tensors() -> None:
    """d/da of what each transform gives at x = a, against closed forms."""
    a = sf.tensor(POINTS, requires_grad=True)
    column = a.reshape(5, 1)
    e = sf.exp

    def total(x: Any) -> Any:
        return e(x).sum()

    results = {
        "derivatives": sf.derivatives(lambda X: e(X[:, 0]), [(2,)])(column)[0],
        "laplacian": sf.laplacian(lambda X: e(X[:, 0]))(column),
        "directional": sf.directional(lambda X: e(X[:, 0]), [1.0], 3)(column),
        "grad": sf.grad(total)(a),
        "jvp": sf.jvp(e, (a,), (np.ones(5),))[1],
        "vjp": sf.vjp(e, a)[1](np.ones(5))[0],
        "linearize": sf.linearize(e, a)[1](np.ones(5)),
        "vmap": sf.vmap(lambda x: e(x))(a),
        "jit": sf.jit(e)(a),
        "hessian": sf.hessian(total)(a).sum(axis=0),
        "jacobian": sf.jacobian(e)(a).sum(axis=1),
        "jet": sf.jet(e, (a,), ([np.ones(5), np.zeros(5)],))[1][1],
    }
    for name, result in results.items():
        np.testing.assert_allclose(result.numpy(), np.exp(POINTS), rtol=1e-15, err_msg=name)
        slope = sf.gradients(result, a, grad_outputs=np.ones(5)).numpy()
        np.testing.assert_allclose(slope, np.exp(POINTS), rtol=1e-15, err_msg=name)


def test_closures_over_recorded_tensors_are_recorded() -> None:
    k = sf.tensor(1.5, requires_grad=True)
    X = POINTS[:, None]

    def u(X: Any) -> Any:
        return sf.sin(k * X[:, 0])

    results = {
        "derivative": (sf.derivative(u, (2,))(X), lambda k, x: -(k**2) * sp.sin(k * x)),
        "grad": (sf.grad(lambda X: u(X).sum())(X)[:, 0], lambda k, x: k * sp.cos(k * x)),
        "vmap": (sf.vmap(lambda x: u(x[None])[0])(X), lambda k, x: sp.sin(k * x)),
        "nested": (
            sf.derivative(sf.derivative(u, (1,)), (2,))(X),
            lambda k, x: -(k**3) * sp.cos(k * x),
        ),
    }
    s, x = sp.symbols("s x")
    for name, (result, closed) in results.items():
        slope = sf.gradients(result.sum(), k)
        exact = sp.lambdify((s, x), closed(s, x).diff(s))(1.5, POINTS).sum()
        assert float(slope) == pytest.approx(exact, rel=1e-14), name


def test_a_compiled_function_refuses_a_recorded_closure() -> None:
    w = sf.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(TraceError, match="pass it as an argument"):
        sf.jit(lambda x: x * w)(np.ones(2))
    np.testing.assert_array_equal(sf.jit(lambda x: x * w.detach())(np.ones(2)), [1.0, 2.0])


def test_compiled_functions_run_compiled_without_a_record() -> None:
    w = sf.tensor([1.0, 2.0], requires_grad=True)
    f = sf.jit(lambda w: w * 2.0)
    with sf.no_grad():
        assert isinstance(f(w), np.ndarray)
    assert f.compilations == 1
    assert f(w).requires_grad


def test_training_by_steepest_descent_reaches_the_least_squares_solution() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    w = sf.tensor(np.zeros(3), requires_grad=True)
    for _ in range(400):
        loss = ((X @ w - y) ** 2).mean()
        loss.backward()
        assert w.grad is not None
        with sf.no_grad():
            w = (w - 0.3 * w.grad).requires_grad_()
    exact = np.linalg.lstsq(X, y)[0]
    np.testing.assert_allclose(w.numpy(), exact, rtol=1e-13, atol=1e-14)


def test_unused_inputs_are_refused_or_zero() -> None:
    x, y = (sf.tensor(v, requires_grad=True) for v in (1.0, 2.0))
    with pytest.raises(DifferentiationError, match=r"does not depend on the input.*allow_unused"):
        sf.gradients(x * 2.0, y)
    with pytest.warns(UnusedInputWarning, match=r"input \[1\]"):
        found = sf.gradients(x * 2.0, [x, y])
    assert [float(g) for g in found] == [2.0, 0.0]
    assert float(sf.gradients(x * 2.0, y, allow_unused=True)) == 0.0
    with pytest.raises(DifferentiationError, match="does not depend"):
        sf.gradients(x * sf.stop_gradient(y), y)


def test_what_has_no_gradient_is_refused() -> None:
    x = sf.tensor(POINTS, requires_grad=True)
    constant = sf.tensor(POINTS)
    with pytest.raises(DifferentiationError, match=r"not a scalar.*mean"):
        (x * 2.0).backward()
    with pytest.raises(DifferentiationError, match="requires_grad=True"):
        constant.sum().backward()
    with pytest.raises(DifferentiationError, match="requires_grad=True"):
        sf.gradients(x.sum(), constant)
    with pytest.raises(DifferentiationError, match="requires_grad=True"):
        sf.sign(x).sum().backward()
    with pytest.raises(ShapeError, match=r"f64\[5\], got f64\[4\]"):
        (x * 2.0).backward(np.ones(4))
    with pytest.raises(ShapeError, match="container"):
        sf.gradients(x, x, grad_outputs=[np.ones(5)])
    with pytest.raises(DifferentiationError, match="floating"):
        sf.tensor([1, 2], requires_grad=True)
    with sf.no_grad():
        y = (x * 2.0).sum()
    with pytest.raises(DifferentiationError, match="no_grad"):
        y.backward()
    with pytest.raises(DifferentiationError, match=r"leaf.*mul.*detach"):
        (x * x).requires_grad_()
    with pytest.raises(TraceError, match="use grad"):
        sf.vmap(lambda v: sf.gradients(x.sum(), x) * v)(np.ones(3))


def test_a_later_change_of_an_array_does_not_change_the_record() -> None:
    data = np.array([1.0, 2.0])
    x = sf.tensor(data, requires_grad=True)
    factor = np.array([3.0, 4.0])
    y = (x * factor).sum()
    data += 10.0
    factor += 10.0
    y.backward()
    assert x.grad is not None
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])
    np.testing.assert_array_equal(x.grad.numpy(), [3.0, 4.0])
    with pytest.raises(ValueError, match="read-only"):
        x.numpy()[0] = 0.0


def test_a_seed_comes_back_without_its_record() -> None:
    x, v = (sf.tensor(POINTS, requires_grad=True) for _ in range(2))
    assert not sf.gradients(x + 1.0, x, grad_outputs=v).requires_grad
    assert sf.gradients(x + 1.0, x, grad_outputs=v, create_graph=True).requires_grad


def test_a_long_chain_needs_no_recursion_and_is_freed() -> None:
    x = sf.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(10_000):
        y = y * 1.0001
    y.backward()
    assert x.grad is not None
    assert float(x.grad) == pytest.approx(1.0001**10_000, rel=1e-11)
    alive = weakref.ref(y.value)
    del y
    assert alive() is None


def test_the_record_of_derivatives_is_freed() -> None:
    params = recorded_weights(0)
    loss = plate_loss(params, np.ones((4, 2)))
    loss.backward()
    alive = weakref.ref(loss.value)
    del loss
    gc.collect()
    assert alive() is None
    assert not [o for o in gc.get_objects() if isinstance(o, tape.Recorded) and not o.is_leaf]
