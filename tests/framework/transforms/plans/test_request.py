"""Every plan gives every derivative it accepts, against closed forms."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError, ShapeError
from sciml.framework.transforms.plans.request import row_of

RATES = np.array([0.7, -1.3, 0.4])
X = np.random.default_rng(0).uniform(-1.0, 1.0, (9, 3))
PLANS = ("multi_index", "directional", "nested")
SUMS = (*PLANS, "collapsed", "forward_laplacian")


def wave(X: Any) -> Any:
    """exp(r x), whose derivative of multi-index a is r^a exp(r x)."""
    return sf.exp(X @ RATES)


def fields(X: Any) -> Any:
    """Two outputs: exp(r x) and sin(r x)."""
    phase = X @ RATES
    return sf.stack([sf.exp(phase), sf.sin(phase)], axis=1)


def power(a: tuple[int, ...]) -> float:
    return float(np.prod(RATES ** np.array(a)))


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_all_derivatives_of_one_order(plan: str, order: int) -> None:
    indices = [
        a for a in itertools.product(range(order + 1), repeat=3) if sum(a) == order
    ]  # fmt: skip
    exact = np.exp(X @ RATES)
    for a, got in zip(indices, sf.derivatives(wave, indices, plan=plan)(X), strict=True):
        np.testing.assert_allclose(got, power(a) * exact, rtol=1e-11, err_msg=str(a))


@pytest.mark.parametrize("plan", PLANS)
def test_mixed_orders_and_several_outputs(plan: str) -> None:
    indices = [(0, 0, 0), (1, 0, 0), (0, 2, 1), (3, 0, 0), (0, 0, 1), (1, 1, 1)]
    phase = X @ RATES
    for a, got in zip(indices, sf.derivatives(fields, indices, plan=plan)(X), strict=True):
        exact = np.stack([np.exp(phase), np.sin(phase + sum(a) * np.pi / 2)], axis=1)
        np.testing.assert_allclose(got, power(a) * exact, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("plan", PLANS)
def test_a_container_of_fields(plan: str) -> None:
    def both(X: Any) -> Any:
        return {"w": wave(X), "constant": np.full(9, 3.0), "linear": X[:, 0] * 2.0}

    first, value = sf.derivatives(both, [(1, 0, 0), (0, 0, 0)], plan=plan)(X)
    np.testing.assert_allclose(first["w"], RATES[0] * np.exp(X @ RATES), rtol=1e-14)
    assert (first["constant"] == 0.0).all()
    assert (first["linear"] == 2.0).all()
    assert (value["constant"] == 3.0).all()


@pytest.mark.parametrize("plan", SUMS)
@pytest.mark.parametrize(("terms", "order"), [
    ({(2, 0, 0): 1.0, (0, 2, 0): 1.0, (0, 0, 2): 1.0}, 2),
    ({(2, 0, 0): 1.5, (1, 1, 0): -2.0, (0, 0, 1): 0.5, (0, 0, 0): 3.0}, 2),
    ({(4, 0, 0): 1.0, (2, 2, 0): 2.0, (0, 4, 0): 1.0, (1, 0, 0): -4.0}, 4),
    ({(3, 0, 0): 1.0, (0, 1, 0): 1.0}, 3),
    ({(2, 1, 0): 1.0, (0, 0, 4): 0.25}, 4),
])  # fmt: skip
def test_weighted_sums(plan: str, terms: Any, order: int) -> None:
    operator = sf.linear_operator(wave, terms, plan=plan)
    if plan == ("collapsed" if order == 2 else "forward_laplacian"):
        with pytest.raises(DifferentiationError, match=r"forward_laplacian|second order"):
            operator(X)
        return
    factor = sum(c * power(a) for a, c in terms.items())
    np.testing.assert_allclose(operator(X), factor * np.exp(X @ RATES), rtol=1e-12)


@pytest.mark.parametrize("plan", SUMS)
def test_plans_under_jit_and_parameter_gradients(plan: str) -> None:
    """d/dr of mean((sum_i r_i^2)^k exp(r x)) by hand."""
    power = 1 if plan == "forward_laplacian" else 2
    operator = sf.laplacian if power == 1 else sf.biharmonic

    def loss(rates: Any, X: Any) -> Any:
        return operator(lambda X: sf.exp(X @ rates), plan=plan)(X).mean()

    square, weights = RATES @ RATES, np.exp(X @ RATES)
    value = square**power * weights.mean()
    exact = 2 * power * RATES * square ** (power - 1) * weights.mean()
    exact = exact + square**power * (weights[:, None] * X).mean(axis=0)
    for run in (sf.value_and_grad(loss), sf.jit(sf.value_and_grad(loss))):
        got, gradient = run(RATES, X)
        np.testing.assert_allclose(got, value, rtol=1e-13)
        np.testing.assert_allclose(gradient, exact, rtol=1e-12)


@pytest.mark.parametrize("outer", PLANS)
@pytest.mark.parametrize("inner", PLANS)
def test_plans_nest(outer: str, inner: str) -> None:
    square = RATES @ RATES
    inside = lambda X: sf.laplacian(wave, plan=inner)(X) * X[:, 0]  # noqa: E731
    got = sf.derivative(inside, (1, 1, 0), plan=outer)(X)
    exact = square * np.exp(X @ RATES) * (RATES[0] * RATES[1] * X[:, 0] + RATES[1])
    np.testing.assert_allclose(got, exact, rtol=1e-12)


@pytest.mark.parametrize("plan", PLANS)
def test_plans_under_vmap(plan: str) -> None:
    scales = np.array([0.5, 2.0])
    got = sf.vmap(lambda s: sf.laplacian(lambda X: wave(X) * s, plan=plan)(X))(scales)
    exact = scales[:, None] * (RATES @ RATES) * np.exp(X @ RATES)
    np.testing.assert_allclose(got, exact, rtol=1e-13)


def test_one_entry_of_a_stack() -> None:
    stack = np.arange(24.0).reshape(4, 3, 2)
    np.testing.assert_array_equal(np.asarray(row_of(stack, 2)), stack[2])


def test_unknown_plans_and_wrong_lengths_are_refused() -> None:
    with pytest.raises(DifferentiationError, match="no plan is called 'jets'; there are multi_"):
        sf.laplacian(wave, plan="jets")(X)
    with pytest.raises(DifferentiationError, match="only for a sum"):
        sf.derivative(wave, (2, 0, 0), plan="forward_laplacian")(X)
    with pytest.raises(ShapeError, match="2 entries, but the points have 3"):
        sf.derivative(wave, (2, 0))(X)


def test_vanishing_factors_give_zero() -> None:
    assert not sf.linear_operator(wave, {(2, 0, 0): 0.0})(X).any()


@pytest.mark.parametrize("indices", [
    (2, 0, 0), ["xx"], [(1.5, 0, 0)], [(True, 0, 0)], [(10**9, 0, 0)],
])  # fmt: skip
def test_what_is_no_multi_index_is_refused(indices: Any) -> None:
    with pytest.raises(ShapeError, match=r"no multi-index|170 in all"):
        sf.derivatives(wave, indices)


def test_orders_beyond_the_range_of_the_element_type_are_refused() -> None:
    u = lambda X: sf.exp(X[:, 0])  # noqa: E731
    with pytest.raises(DifferentiationError, match="order 60 overflows float32"):
        sf.derivative(u, (60,))(np.ones((2, 1), dtype=np.float32))
    np.testing.assert_allclose(sf.derivative(u, (60,))(np.ones((2, 1))), np.e, rtol=1e-12)
