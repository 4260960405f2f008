"""Quasi-Newton methods against closed forms, Newton's matrix, the published update and LBFGS."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.training.optimisers import (
    BFGS,
    LBFGS,
    SSBFGS,
    SSBroyden,
    StopReason,
    Vector,
)
from sciml.training.optimisers.base import minimise
from sciml.training.optimisers.quasi_newton import (
    Curvature,
    QuasiNewton,
    identity,
    positive_definite,
    product,
    rank_two,
)

from .objectives import rosenbrock, spd, steps

METHODS = [BFGS, SSBFGS, SSBroyden]


def full(triangle: Vector, n: int) -> Vector:
    """Return the symmetric matrix of an upper triangle by columns."""
    matrix = np.zeros((n, n))
    columns, rows = np.tril_indices(n)
    matrix[rows, columns] = matrix[columns, rows] = triangle
    return matrix


def published(inverse: Vector, s: Vector, y: Vector, sg: float, first: bool) -> Vector:
    """Return the update of SSBroyden as it is printed, with full matrices."""
    n, ys, Hy = s.size, float(y @ s), inverse @ y
    h, b = float(y @ Hy) / ys, -sg / ys
    a = b * h - 1.0
    r = min(1.0, h * (1.0 - math.sqrt(abs(a) / (1.0 + a))))
    theta = max((r - 1.0) / a, min(1.0 / r, (1.0 - b) / b))
    sigma, rho = 1.0 + theta * a, min(1.0, 1.0 / b)
    mean = abs(sigma) ** (1.0 / (1.0 - n))
    tau = min(rho * mean, sigma) if theta <= 0.0 else rho * min(mean, 1.0 / theta)
    if first:
        tau = h / sigma
    phi = (1.0 - theta) / (1.0 + a * theta)
    v = s / ys - Hy / float(y @ Hy)
    known = inverse - np.outer(Hy, Hy) / float(y @ Hy) + phi * float(y @ Hy) * np.outer(v, v)
    return known / tau + np.outer(s, s) / ys


class TestTriangle:
    def test_identity_product_and_update_are_those_of_full_matrices(self) -> None:
        rng = np.random.Generator(np.random.Philox(1))
        x, u, s = rng.standard_normal((3, 5))
        assert np.array_equal(full(identity(5), 5), np.eye(5))
        found = rank_two(identity(5), u, s, (0.3, -0.2, 0.7))
        expected = (
            np.eye(5) + 0.3 * np.outer(u, u) - 0.2 * (np.outer(u, s) + np.outer(s, u))
            + 0.7 * np.outer(s, s)
        )  # fmt: skip
        assert np.allclose(full(found, 5), expected, rtol=1e-14, atol=1e-15)
        assert np.allclose(product(found, x), expected @ x, rtol=1e-14)

    def test_definiteness(self) -> None:
        matrix = spd(np.array([1.0, 2.0, -1e-3]))
        columns, rows = np.tril_indices(3)
        assert not positive_definite(matrix[rows, columns], 3)
        assert positive_definite((matrix + 0.01 * np.eye(3))[rows, columns], 3)
        assert not positive_definite(np.full(6, np.nan), 3)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 3, 8])
def test_exact_line_search_ends_a_quadratic_in_n_steps(method: type[QuasiNewton], n: int) -> None:
    matrix = spd(np.linspace(1.0, 5.0, n))
    centre = np.arange(1.0, n + 1.0)

    def objective(x: Vector) -> tuple[float, Vector]:
        gradient = matrix @ (x - centre)
        return float(0.5 * (x - centre) @ gradient), gradient

    made = method(curvature=1e-9, decrease=1e-10, gradient_tolerance=1e-7)
    state = minimise(made, np.zeros(n), objective)
    assert state.step <= n
    assert np.allclose(state.x, centre, atol=1e-6)


def test_bfgs_learns_the_inverse_of_a_quadratic_in_n_steps() -> None:
    matrix = spd(np.array([1.0, 2.0, 3.5, 5.0]))

    def objective(x: Vector) -> tuple[float, Vector]:
        return float(0.5 * x @ matrix @ x), matrix @ x

    method = BFGS(curvature=1e-9, decrease=1e-10, gradient_tolerance=1e-7)
    state = minimise(method, np.ones(4), objective)
    assert state.step == 4
    assert np.allclose(full(state.memory["inverse"], 4), np.linalg.inv(matrix), atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_each_update_meets_the_secant_equation_and_is_positive_definite(
    method: type[QuasiNewton],
) -> None:
    found = steps(method(steps=60), np.full(6, -1.3), rosenbrock)
    assert len(found) > 30
    for before, after in itertools.pairwise(found):
        if after.memory["updates"][0] == before.memory["updates"][0]:
            continue
        s, y = after.x - before.x, after.memory["gradient"] - before.memory["gradient"]
        inverse = full(after.memory["inverse"], 6)
        size = np.abs(inverse) @ np.abs(y)
        assert np.all(np.abs(inverse @ y - s) <= 1e-13 * size)
        assert np.linalg.eigvalsh(inverse).min() > 0.0


def test_ssbroyden_is_the_published_recursion() -> None:
    found = steps(SSBroyden(steps=15), np.full(6, -1.3), rosenbrock)
    inverse = np.eye(6)
    for k, (before, after) in enumerate(itertools.pairwise(found)):
        s, y = after.x - before.x, after.memory["gradient"] - before.memory["gradient"]
        sg = after.rate * float(s @ before.memory["gradient"])
        inverse = published(inverse, s, y, sg, first=k == 0)
        assert np.allclose(full(after.memory["inverse"], 6), inverse, rtol=1e-9, atol=1e-12)


def test_bfgs_is_its_product_form() -> None:
    found = steps(BFGS(steps=15), np.full(6, -1.3), rosenbrock)
    inverse = np.eye(6)
    for k, (before, after) in enumerate(itertools.pairwise(found)):
        s, y = after.x - before.x, after.memory["gradient"] - before.memory["gradient"]
        if k == 0:
            inverse = np.eye(6) * float(s @ y) / float(y @ y)
        left = np.eye(6) - np.outer(s, y) / float(s @ y)
        inverse = left @ inverse @ left.T + np.outer(s, s) / float(s @ y)
        assert np.allclose(full(after.memory["inverse"], 6), inverse, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("b", "h"), [(0.5, 2.5), (2.0, 1.0), (1.0, 1.0), (8.0, 0.3), (1e-8, 1e9), (1e9, 1e9)]
)
def test_ssbroyden_keeps_the_family_positive_definite(b: float, h: float) -> None:
    seen = Curvature(b, h, 50)
    theta, tau = SSBroyden().factors(seen)
    assert 1.0 + seen.a * theta > 0.0
    assert tau > 0.0


@pytest.mark.parametrize("method", METHODS)
def test_rosenbrock_is_solved(method: type[QuasiNewton]) -> None:
    state = minimise(method(gradient_tolerance=1e-8), np.full(10, -1.2), rosenbrock)
    assert state.stop is StopReason.GRADIENT_TOLERANCE
    assert np.allclose(state.x, 1.0, atol=1e-8)


@pytest.mark.parametrize("method", METHODS)
def test_ill_conditioned_quadratic_needs_fewer_steps_than_lbfgs(method: type[QuasiNewton]) -> None:
    matrix = spd(np.geomspace(1e-3, 1e4, 60))

    def objective(x: Vector) -> tuple[float, Vector]:
        return float(0.5 * x @ matrix @ x), matrix @ x

    x = np.linspace(-1.0, 1.0, 60)
    dense = minimise(method(steps=5000, gradient_tolerance=1e-8), x, objective)
    limited = minimise(LBFGS(steps=5000, history=10, gradient_tolerance=1e-8), x, objective)
    assert dense.stop is StopReason.GRADIENT_TOLERANCE
    assert dense.step < limited.step


def test_a_carried_inverse_goes_on_where_the_last_stage_stopped() -> None:
    method, x = SSBroyden(steps=40), np.full(8, -1.2)
    whole = minimise(SSBroyden(steps=80), x, rosenbrock)
    first = minimise(method, x, rosenbrock)
    state = method.start_from(first.x, rosenbrock, method.carried(first))
    while state.stop is None:
        state = method.advance(state, rosenbrock)
    assert state.x.tobytes() == whole.x.tobytes()


def test_a_carried_inverse_that_is_not_definite_or_not_wanted_is_the_identity() -> None:
    first = minimise(BFGS(steps=5), np.full(3, -1.2), rosenbrock)
    carried = BFGS().carried(first)
    broken = {**carried, "inverse": -np.asarray(carried["inverse"])}
    for method, given in ((BFGS(), broken), (BFGS(carry=False), carried)):
        state = method.start_from(first.x, rosenbrock, given)
        assert np.array_equal(state.memory["inverse"], identity(3))
        assert state.memory["updates"][0] == 0


def test_a_direction_that_does_not_descend_is_replaced_by_the_gradient() -> None:
    method = BFGS()
    state = method.start(np.full(3, -1.2), rosenbrock)
    spoilt = {**state.memory, "inverse": -identity(3), "updates": np.ones(1)}
    expected = method.advance(state, rosenbrock)
    assert method.advance(replace(state, memory=spoilt), rosenbrock).x.tobytes() == (
        expected.x.tobytes()
    )


def test_wrong_gradient_ends_with_an_honest_reason() -> None:
    state = minimise(SSBroyden(), np.ones(2), lambda x: (float(x @ x), -2.0 * x))
    assert state.stop in (StopReason.LINE_SEARCH, StopReason.PRECISION)
    assert state.step == 0


def test_states_are_not_changed_by_later_steps() -> None:
    method = SSBroyden(steps=10)
    state = method.advance(method.start(np.full(4, -1.2), rosenbrock), rosenbrock)
    before = state.memory["inverse"].tobytes()
    method.advance(state, rosenbrock)
    assert state.memory["inverse"].tobytes() == before


def test_too_many_parameters_and_wrong_numbers_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"SSBroyden: 20001 parameters need 1.6 GB.*LBFGS"):
        SSBroyden().start(np.zeros(20_001), rosenbrock)
    with pytest.raises(ConfigError, match="SSBFGS: expected steps >= 0, got steps=-1"):
        SSBFGS(steps=-1)
    with pytest.raises(ConfigError, match="curvature=1e-05"):
        BFGS(curvature=1e-5)
    with pytest.raises(ConfigError, match="line_trials"):
        BFGS(line_trials=0)
    with pytest.raises(ConfigError, match="gradient_tolerance"):
        BFGS(gradient_tolerance=math.nan)
