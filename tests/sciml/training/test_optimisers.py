"""Optimisers against known minima, scipy, the Wolfe conditions and their own resumption."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import scipy.optimize

from sciml.framework.errors import ConfigError
from sciml.training.optimisers import (
    LBFGS,
    Adam,
    ConstantRate,
    CosineRate,
    ExponentialRate,
    Optimiser,
    StopReason,
    Vector,
)
from sciml.training.optimisers.base import minimise

from .objectives import quadratic, rosenbrock, steps


class TestLBFGS:
    def test_solves_rosenbrock_with_no_more_evaluations_than_scipy_by_half(self) -> None:
        x = np.full(10, -1.2)
        state = minimise(LBFGS(gradient_tolerance=1e-8), x, rosenbrock)
        peer = scipy.optimize.minimize(
            rosenbrock, x, jac=True, method="L-BFGS-B",
            options={"gtol": 1e-9, "ftol": 0.0, "maxcor": 50, "maxiter": 5000, "maxfun": 9999},
        )  # fmt: skip
        assert np.allclose(state.x, 1.0, atol=1e-8)
        assert state.stop is StopReason.GRADIENT_TOLERANCE
        assert state.evaluations <= 1.5 * peer.nfev

    @pytest.mark.parametrize("n", [1, 3, 8])
    def test_exact_line_search_ends_a_quadratic_in_n_steps(self, n: int) -> None:
        objective, centre = quadratic(np.linspace(1.0, 5.0, n))
        method = LBFGS(curvature=1e-9, decrease=1e-10, gradient_tolerance=1e-7)
        state = minimise(method, np.zeros(n), objective)
        assert state.step <= n
        assert np.allclose(state.x, centre, atol=1e-6)

    def test_ill_conditioned_quadratic_reaches_scipys_value(self) -> None:
        objective, centre = quadratic(np.geomspace(1e-3, 1e4, 40))
        x = np.zeros(40)
        state = minimise(LBFGS(steps=5000, gradient_tolerance=1e-9), x, objective)
        peer = scipy.optimize.minimize(objective, x, jac=True, method="BFGS")
        assert state.value <= max(peer.fun, 1e-12)
        assert np.allclose(state.x, centre, atol=1e-4)

    def test_every_accepted_step_meets_the_strong_wolfe_conditions(self) -> None:
        method = LBFGS(history=7)
        states = steps(method, np.full(6, -1.3), rosenbrock)
        assert len(states) > 20
        for before, after in itertools.pairwise(states):
            if after.step == before.step:
                continue
            slope = float((after.x - before.x) @ before.memory["gradient"])
            end_slope = float((after.x - before.x) @ after.memory["gradient"])
            assert slope < 0.0
            assert after.value <= before.value + method.decrease * slope + 1e-15
            assert abs(end_slope) <= method.curvature * abs(slope) * (1 + 1e-12)

    def test_precision_is_named_when_rounding_ends_the_descent(self) -> None:
        rng = np.random.Generator(np.random.Philox(5))
        rows, data = rng.standard_normal((60, 12)), rng.standard_normal(60)

        def misfit(x: Vector) -> tuple[float, Vector]:
            residual = rows @ x - data
            return float(residual @ residual), 2.0 * (rows.T @ residual)

        state = minimise(LBFGS(gradient_tolerance=0.0), np.zeros(12), misfit)
        assert state.stop is StopReason.PRECISION
        assert np.allclose(state.x, np.linalg.lstsq(rows, data)[0], atol=1e-7)

    def test_wrong_gradient_ends_with_an_honest_reason(self) -> None:
        def uphill(x: Vector) -> tuple[float, Vector]:
            return float(x @ x), -2.0 * x

        state = minimise(LBFGS(), np.ones(2), uphill)
        assert state.stop in (StopReason.LINE_SEARCH, StopReason.PRECISION)
        assert state.step == 0

    def test_infinite_trials_are_stepped_back_from(self) -> None:
        def walled(x: Vector) -> tuple[float, Vector]:
            if x[0] <= 0.0:
                return math.inf, np.full(1, math.nan)
            return float(x[0] - math.log(x[0])), 1.0 - 1.0 / x

        state = minimise(LBFGS(gradient_tolerance=1e-10), np.array([30.0]), walled)
        assert math.isclose(state.x[0], 1.0, rel_tol=1e-9)

    def test_step_limit_is_named(self) -> None:
        state = minimise(LBFGS(steps=3), np.full(4, -1.2), rosenbrock)
        assert (state.step, state.stop) == (3, StopReason.STEP_LIMIT)

    def test_history_is_bounded_and_consistent(self) -> None:
        state = minimise(LBFGS(steps=30, history=5), np.full(8, -1.2), rosenbrock)
        assert state.memory["s"].shape == state.memory["y"].shape == (5, 8)
        products = np.einsum("ij,ij->i", state.memory["s"], state.memory["y"])
        assert np.allclose(state.memory["rho"] * products, 1.0)


class TestAdam:
    def test_first_step_has_the_length_of_the_rate(self) -> None:
        objective, _ = quadratic(np.array([1.0, 10.0]))
        x = np.array([3.0, -4.0])
        state = Adam(rate=0.1).advance(Adam(rate=0.1).start(x, objective), objective)
        assert np.allclose(np.abs(state.x - x), 0.1, rtol=1e-6)

    def test_matches_the_published_recursion(self) -> None:
        objective, _ = quadratic(np.array([1.0, 3.0, 9.0]))
        x, m, v = np.ones(3), np.zeros(3), np.zeros(3)
        for t in range(1, 21):
            g = objective(x)[1]
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            x = x - 1e-2 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        state = minimise(Adam(steps=20, rate=1e-2), np.ones(3), objective)
        assert np.allclose(state.x, x, rtol=1e-13)

    def test_reaches_the_minimum_with_a_falling_rate(self) -> None:
        objective, centre = quadratic(np.array([1.0, 2.0, 5.0]))
        state = minimise(Adam(steps=3000, rate=CosineRate(0.05)), np.zeros(3), objective)
        assert np.allclose(state.x, centre, atol=1e-6)

    def test_no_steps_is_a_stage_that_ends_at_once(self) -> None:
        objective, _ = quadratic(np.ones(2))
        assert minimise(Adam(steps=0), np.ones(2), objective).stop is StopReason.STEP_LIMIT


def test_rates_at_their_ends() -> None:
    assert ConstantRate(0.2).at(99, 100) == 0.2
    assert CosineRate(1.0, 0.1).at(0, 11) == 1.0
    assert math.isclose(CosineRate(1.0, 0.1).at(10, 11), 0.1)
    assert math.isclose(ExponentialRate(1.0, 0.5, 10).at(20, 100), 0.25)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Adam(steps=-1), "Adam: expected steps >= 0, got steps=-1"),
        (lambda: Adam(rate=-1e-3), "rate > 0"),
        (lambda: Adam(beta1=1.0), "beta1=1.0"),
        (lambda: Adam(epsilon=0.0), "epsilon"),
        (lambda: LBFGS(history=0), "counts >= 1, got history=0"),
        (lambda: LBFGS(curvature=1e-5), "decrease=0.0001, curvature=1e-05"),
        (lambda: LBFGS(gradient_tolerance=math.nan), "gradient_tolerance"),
        (lambda: ConstantRate(0.0), "value > 0"),
        (lambda: CosineRate(1e-3, -1e-3), "end >= 0"),
        (lambda: ExponentialRate(decay=1.5), "decay"),
    ],
)
def test_settings_out_of_range_are_refused(make: Callable[[], object], text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        make()


@pytest.mark.parametrize(
    "optimiser", [Adam(steps=40, rate=CosineRate(1e-2)), LBFGS(steps=40, history=6)]
)
def test_stored_state_continues_with_the_same_bits(optimiser: Optimiser) -> None:
    x = np.full(8, -1.2)
    whole = minimise(optimiser, x, rosenbrock)
    state = optimiser.start(x, rosenbrock)
    for _ in range(17):
        state = optimiser.advance(state, rosenbrock)
    memory = {k: np.frombuffer(v.tobytes()).reshape(v.shape) for k, v in state.memory.items()}
    state = replace(state, x=np.frombuffer(state.x.tobytes()), memory=memory)
    while state.stop is None:
        state = optimiser.advance(state, rosenbrock)
    assert state.x.tobytes() == whole.x.tobytes()
    assert state.value == whole.value
