"""First-order methods against their published recursions, minima, and their own resumption."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sciml import MLP, Points, Problem, Solver
from sciml.equations import Dirichlet, Poisson
from sciml.framework.errors import ConfigError
from sciml.geometry import Interval
from sciml.training.checkpoint import Checkpoint, load, save
from sciml.training.loop import Position, advance
from sciml.training.optimisers import (
    FIRST_ORDER,
    LBFGS,
    SGD,
    SOAP,
    Adam,
    AdamW,
    Averaged,
    Clipped,
    CosineRate,
    FirstOrder,
    Lion,
    Muon,
    OneCycle,
    PlateauRate,
    RMSprop,
    ShapedLoss,
    Vector,
    WarmUp,
)
from sciml.training.optimisers.base import minimise
from sciml.training.optimisers.muon import orthogonalised

from .objectives import quadratic, steps

RNG = np.random.default_rng(3)
A, B = RNG.standard_normal((3, 9)), RNG.standard_normal((4, 9))


@dataclass(frozen=True)
class Fit(ShapedLoss):
    """|W^T A + b - B|^2 / 9 for W of shape (3, n) and b of shape (n,), a convex quadratic."""

    n: int = 4

    def __call__(self, x: Vector) -> tuple[float, Vector]:
        W, b = x[: 3 * self.n].reshape(3, self.n), x[3 * self.n :]
        r = W.T @ A + b[:, None] - B[: self.n]
        gradient = np.concatenate([(2 / 9 * A @ r.T).ravel(), 2 / 9 * r.sum(axis=1)])
        return float((r**2).sum() / 9), gradient

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        return (3, self.n), (self.n,)

    @property
    def minimum(self) -> float:
        """The least value, by the rank-revealing least squares of another library."""
        rows = np.vstack([A, np.ones(9)]).T
        return float(np.linalg.lstsq(rows, B.T, rcond=None)[1].sum() / 9)


FIT = Fit()
START = np.linspace(-1.0, 1.0, 16)
WRAPPED: dict[str, FirstOrder] = {
    "Averaged": Averaged(Adam(25, 0.02), 0.9),
    "Clipped": Clipped(Adam(25, 0.02), 0.5),
}
METHODS: dict[str, FirstOrder] = WRAPPED | {
    name: kind(steps=25, rate=0.02)  # type: ignore[call-arg]
    for name, kind in FIRST_ORDER.items()
    if name not in WRAPPED
}


def by_hand(direction: Callable[[Vector, Vector, int], Vector], count: int, rate: float) -> Vector:
    """Return where steps along a direction of place, gradient and number (from 1) lead."""
    x = START
    for t in range(1, count + 1):
        x = x - rate * direction(x, FIT(x)[1], t)
    return x


@pytest.mark.parametrize("nesterov", [False, True])
def test_sgd_is_the_published_recursion(nesterov: bool) -> None:
    v = np.zeros(16)

    def direction(x: Vector, g: Vector, t: int) -> Vector:
        v[:] = 0.8 * v + g
        return g + 0.8 * v if nesterov else v.copy()

    found = minimise(SGD(12, 0.03, momentum=0.8, nesterov=nesterov), START, FIT).x
    np.testing.assert_allclose(found, by_hand(direction, 12, 0.03), rtol=1e-13)


def test_adamw_decays_parameters_apart_from_the_gradient() -> None:
    m, v = np.zeros(16), np.zeros(16)

    def direction(x: Vector, g: Vector, t: int) -> Vector:
        m[:], v[:] = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        return m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8) + 0.1 * x

    found = minimise(AdamW(12, 0.03, decay=0.1), START, FIT).x
    np.testing.assert_allclose(found, by_hand(direction, 12, 0.03), rtol=1e-13)


def test_rmsprop_is_the_published_recursion() -> None:
    v = np.zeros(16)

    def direction(x: Vector, g: Vector, t: int) -> Vector:
        v[:] = 0.7 * v + 0.3 * g * g
        return g / (np.sqrt(v) + 1e-8)

    found = minimise(RMSprop(12, 0.03, beta=0.7), START, FIT).x
    np.testing.assert_allclose(found, by_hand(direction, 12, 0.03), rtol=1e-13)


def test_lion_is_the_published_recursion() -> None:
    m = np.zeros(16)

    def direction(x: Vector, g: Vector, t: int) -> Vector:
        d = np.sign(0.9 * m + 0.1 * g) + 0.2 * x
        m[:] = 0.99 * m + 0.01 * g
        return d

    found = minimise(Lion(12, 0.03, decay=0.2), START, FIT).x
    np.testing.assert_allclose(found, by_hand(direction, 12, 0.03), rtol=1e-13)


def polynomial(s: Vector) -> Vector:
    """Return what five iterations make of singular values of a matrix of norm one."""
    for _ in range(5):
        s = 3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5
    return s


def by_singular_values(G: Vector) -> Vector:
    """Return the same by the singular value decomposition."""
    U, s, V = np.linalg.svd(G, full_matrices=False)
    return np.asarray(U @ np.diag(polynomial(s / np.sqrt((s**2).sum()))) @ V)


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 4)])
def test_orthogonalised_keeps_singular_vectors_and_nearly_evens_values(
    shape: tuple[int, int],
) -> None:
    G = np.random.default_rng(1).standard_normal(shape)
    np.testing.assert_allclose(orthogonalised(G), by_singular_values(G), rtol=1e-11, atol=1e-13)
    values = np.linalg.svd(orthogonalised(G))[1]
    assert (values > 0.68).all()
    assert (values < 1.21).all()
    assert not orthogonalised(np.zeros(shape)).any()


def test_the_stated_bounds_of_singular_values_hold() -> None:
    values = polynomial(np.linspace(0.002, 1.0, 200_001))
    assert values.min() > 0.68
    assert values.max() < 1.21


def test_muon_moves_matrices_along_orthogonal_ones_and_others_by_adam() -> None:
    mu, m, v = np.zeros(16), np.zeros(16), np.zeros(16)

    def direction(x: Vector, g: Vector, t: int) -> Vector:
        mu[:] = 0.95 * mu + g
        m[:], v[:] = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        d = 0.5 * m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        # four outputs of three inputs
        ahead = (g + 0.95 * mu)[:12].reshape(3, 4)
        d[:12] = math.sqrt(4 / 3) * by_singular_values(ahead).ravel()
        return d

    found = minimise(Muon(12, 0.03), START, FIT).x
    np.testing.assert_allclose(found, by_hand(direction, 12, 0.03), rtol=1e-9)


def test_soap_is_adam_in_the_eigenbasis() -> None:
    """Algorithm 3 of the reference, with algorithm 4 for the bases, for one matrix and a bias.

    The second gradient is the first, and diagonal in its own bases up to rounding, which Adam
    divides by epsilon: hence a large one here.
    """
    every, beta, fit, epsilon = 3, 0.95, Fit(3), 1e-2
    L, R = np.zeros((3, 3)), np.zeros((3, 3))
    QL, QR = np.eye(3), np.eye(3)
    M, V, m, v = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    x = START[:12]
    for t in range(1, 13):
        g = fit(x)[1]
        G, bias = g[:9].reshape(3, 3), g[9:]
        if t > 1:
            k = t - 1
            M, m = beta * M + 0.05 * G, beta * m + 0.05 * bias
            turned = QL.T @ G @ QR
            V, v = beta * V + 0.05 * turned**2, beta * v + 0.05 * bias**2
            N = (QL.T @ M @ QR) / (1 - beta**k) / (np.sqrt(V / (1 - beta**k)) + epsilon)
            n = m / (1 - beta**k) / (np.sqrt(v / (1 - beta**k)) + epsilon)
            x = x - 0.03 * np.concatenate([(QL @ N @ QR.T).ravel(), n])
        L, R = beta * L + 0.05 * G @ G.T, beta * R + 0.05 * G.T @ G
        if t == 1:
            QL, QR = np.linalg.eigh(L)[1][:, ::-1], np.linalg.eigh(R)[1][:, ::-1]
        elif (t - 1) % every == 0:
            QL, QR = np.linalg.qr(L @ QL)[0], np.linalg.qr(R @ QR)[0]
    found = minimise(SOAP(12, 0.03, every=every, epsilon=epsilon), START[:12], fit)
    np.testing.assert_allclose(found.x, x, rtol=1e-9)
    assert found.step == 12


@pytest.mark.parametrize(
    "method",
    [
        SGD(3000, 0.05),
        SGD(3000, 0.02, nesterov=True),
        AdamW(3000, CosineRate(0.05), decay=0.0),
        RMSprop(3000, CosineRate(0.05)),
        Lion(3000, CosineRate(0.02)),
        Muon(3000, CosineRate(0.05)),
        SOAP(3000, CosineRate(0.05)),
        Adam(3000, OneCycle(0.1)),
        Adam(3000, WarmUp(100, CosineRate(0.05))),
        Adam(3000, PlateauRate(0.1, patience=30)),
        Averaged(Adam(3000, CosineRate(0.05)), 0.9),
        Clipped(Adam(3000, CosineRate(0.05)), 0.1),
    ],
    ids=str,
)
def test_a_convex_fit_is_solved(method: FirstOrder) -> None:
    """Within 1e-4 of the least value, of 0.4 or so; it starts some 20 above."""
    end = minimise(method, START, FIT).x
    assert FIT(START)[0] > FIT.minimum + 1.0
    assert FIT.minimum - 1e-12 <= FIT(end)[0] < FIT.minimum + 1e-4


@pytest.mark.parametrize("name", FIRST_ORDER)
@pytest.mark.parametrize("cut", [1, 2, 11, 24])
def test_going_on_from_a_checkpoint_gives_the_same_bits(
    name: str, cut: int, tmp_path: Path
) -> None:
    schedule = (METHODS[name], LBFGS(4))
    everything = list(advance(schedule, Position(START), FIT, None))
    save(tmp_path / "c.npz", Checkpoint(everything[cut - 1], 0, "p"))
    *_, end = advance(schedule, load(tmp_path / "c.npz").position, FIT, None)
    assert end.x.tobytes() == everything[-1].x.tobytes()
    assert end.ends == everything[-1].ends


def test_a_plateau_is_remembered_over_a_checkpoint(tmp_path: Path) -> None:
    schedule = (Adam(60, PlateauRate(0.5, patience=2, lowest=0.01)), LBFGS(1))
    everything = list(advance(schedule, Position(START), FIT, None))
    rates = [p.state.rate for p in everything if p.state is not None]
    assert rates[0] == 0.5
    assert 0.01 <= rates[-1] < 0.5
    save(tmp_path / "c.npz", Checkpoint(everything[29], 0, "p"))
    *_, end = advance(schedule, load(tmp_path / "c.npz").position, FIT, None)
    assert end.x.tobytes() == everything[-1].x.tobytes()


def test_plateau_counts_losses_and_stops_at_the_lowest_rate() -> None:
    rate = PlateauRate(1.0, reduction=0.5, patience=2, gain=0.1, lowest=0.25)
    seen, factors = rate.unseen(), []
    for loss in (10.0, 9.5, 9.2, 8.0, 7.9, 7.8, 7.7, 7.7, 7.7, 7.7):
        seen = rate.observe(seen, loss)
        factors.append(rate.factor(seen))
    # 9.5 and 9.2 are no gain over 10; 8 is; 7.9 and 7.8 are none; and so on, to a quarter
    assert factors == [1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 0.25]


def test_warm_up_rises_to_the_rate_after_it() -> None:
    rate = WarmUp(4, CosineRate(1.0, 0.1))
    assert [rate.at(k, 15) for k in range(4)] == [0.25, 0.5, 0.75, 1.0]
    assert rate.at(4, 15) == 1.0
    assert math.isclose(rate.at(14, 15), 0.1)
    assert WarmUp(4).at(0, 2) == pytest.approx(2.5e-4)


def test_one_cycle_passes_its_three_rates() -> None:
    rate = OneCycle(peak=2.0, rise=0.25, start=0.1, end=0.01)
    assert rate.at(0, 101) == pytest.approx(0.2)
    assert rate.at(25, 101) == pytest.approx(2.0)
    assert rate.at(100, 101) == pytest.approx(0.02)
    values = [rate.at(k, 101) for k in range(101)]
    assert values[:26] == sorted(values[:26])
    assert values[25:] == sorted(values[25:], reverse=True)


def test_clipping_bounds_the_gradient_that_is_seen() -> None:
    objective, _ = quadratic(np.array([100.0, 400.0]))
    x = np.array([3.0, -4.0])
    gradient = objective(x)[1]
    state = minimise(Clipped(SGD(1, 1.0), 0.25), x, objective)
    np.testing.assert_allclose(x - state.x, 0.25 * gradient / np.linalg.norm(gradient), rtol=1e-12)
    assert state.gradient_norm == pytest.approx(np.linalg.norm(gradient))
    free = minimise(Clipped(SGD(1, 1e-3), 1e9), x, objective)
    assert free.x.tobytes() == minimise(SGD(1, 1e-3), x, objective).x.tobytes()


def test_averaged_is_the_weighted_mean_of_the_way() -> None:
    way = [s.x for s in steps(Adam(8, 0.1), START, FIT)[1:]]
    end = minimise(Averaged(Adam(8, 0.1), 0.7), START, FIT)
    weights = 0.7 ** np.arange(len(way))[::-1]
    np.testing.assert_allclose(end.x, weights @ np.array(way) / weights.sum(), rtol=1e-13)


def test_wrappers_may_be_nested_and_a_stage_after_starts_from_the_mean() -> None:
    both = Averaged(Clipped(Adam(6, 0.1), 0.2), 0.5)
    schedule = (both, SGD(1, 1e-30))
    positions = list(advance(schedule, Position(START), FIT, None))
    np.testing.assert_array_equal(positions[5].x, minimise(both, START, FIT).x)
    np.testing.assert_allclose(positions[6].x, positions[5].x, rtol=0, atol=1e-25)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: SGD(momentum=1.0), "momentum=1.0"),
        (lambda: SGD(momentum=0.0, nesterov=True), "momentum > 0 with nesterov"),
        (lambda: SGD(rate=0.0), "SGD: expected rate > 0"),
        (lambda: AdamW(decay=-1.0), "decay >= 0"),
        (lambda: AdamW(epsilon=0.0), "AdamW: expected epsilon > 0"),
        (lambda: RMSprop(beta=1.0), "beta=1.0"),
        (lambda: RMSprop(epsilon=-1.0), "epsilon > 0"),
        (lambda: Lion(beta2=1.0), "beta2=1.0"),
        (lambda: Lion(decay=-1.0), "decay >= 0"),
        (lambda: Muon(momentum=1.0), "momentum=1.0"),
        (lambda: Muon(others=0.0), "others > 0"),
        (lambda: SOAP(every=0), "every >= 1"),
        (lambda: SOAP(steps=-1), "steps >= 0"),
        (lambda: Clipped(Adam(), norm=0.0), "norm > 0"),
        (lambda: Clipped(LBFGS()), "a first-order method such as Adam"),  # type: ignore[arg-type]
        (lambda: Averaged(LBFGS()), "a first-order method such as Adam"),  # type: ignore[arg-type]
        (lambda: Averaged(Adam(), decay=1.0), "decay in"),
        (lambda: WarmUp(0), "steps >= 1"),
        (lambda: WarmUp(5, PlateauRate()), "a rate that sees no losses"),
        (lambda: OneCycle(rise=1.0), "rise in"),
        (lambda: PlateauRate(reduction=1.0), "reduction in"),
        (lambda: PlateauRate(start=1e-3, lowest=1e-2), "lowest in"),
    ],
)
def test_settings_out_of_range_are_refused(make: Callable[[], object], text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        make()


@pytest.mark.parametrize("method", [Muon(), SOAP()])
def test_a_loss_that_knows_no_matrices_is_refused(method: FirstOrder) -> None:
    with pytest.raises(ConfigError, match="knows no matrices"):
        method.start(START, lambda x: FIT(x))
    with pytest.raises(ConfigError, match="shapes of 17 parameters"):
        method.start(np.zeros(17), FIT)


@pytest.mark.parametrize("name", FIRST_ORDER)
def test_a_network_is_trained(name: str) -> None:
    """u'' = -1 with u = 0 at both ends: the loss falls to less than a fifth."""
    problem = Problem(Interval(0, 1), Poisson("1", dimension=1), [Dirichlet("u", "boundary")])
    method: Any = METHODS[name]
    longer = (
        replace(method, optimiser=replace(method.optimiser, steps=200))
        if name in WRAPPED
        else replace(method, steps=200, rate={"SGD": 0.01, "Lion": 0.002}.get(name, 0.01))
    )
    solver = Solver(problem, MLP(hidden=(8, 8)), [longer], Points(30, 1), dtype="float64")
    training = solver.prepare()
    start = training.objective(training.start.x)[0]
    *_, end = training.steps(training.start, None)
    assert training.objective(end.x)[0] < start / 5


def test_table_holds_all_members_by_their_names() -> None:
    assert all(kind.__name__ == name for name, kind in FIRST_ORDER.items())
    for a, b in itertools.pairwise(FIRST_ORDER):
        assert a < b
