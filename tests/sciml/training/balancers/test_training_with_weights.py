"""Solvers whose weights follow the training: they train, stop and go on with the same bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sciml import (
    LBFGS,
    MLP,
    RAD,
    Adam,
    Causal,
    GaussNewton,
    GradNorm,
    Points,
    Problem,
    ResidualAttention,
    Solver,
    SpectralFeatures,
    WeightFunctions,
)
from sciml.equations import Diffusion, Dirichlet, Initial, Poisson
from sciml.framework.errors import ConfigError
from sciml.geometry import Disk, Interval
from sciml.training.balancers import BALANCERS, Balancer
from sciml.training.checkpoint import Checkpoint, load, save
from sciml.training.loop import Position
from sciml.training.marching import march
from sciml.training.session import one_blas_thread

DISC = Problem(Disk(), Poisson(), [Dirichlet("u", "circle", hard=False)])
COOLING = Problem(
    Interval(0, 1).over_time(0.2),
    Diffusion(),
    [Initial("u", "sin(pi*x)", hard=False), Dirichlet("u", "sides", hard=False)],
)
SETTINGS: dict[str, dict[str, Any]] = {
    "WeightFunctions": {"functions": {"diffusion": "1 + t"}},
    "Combined": {"balancers": (Causal(), GradNorm())},
}
METHODS = {name: kind(**SETTINGS.get(name, {})) for name, kind in BALANCERS.items()}


def solver(weights: Any, schedule: Any = None) -> Any:
    return Solver(
        COOLING, MLP(hidden=(6,)), schedule or (Adam(12), LBFGS(5)), Points(60, 12), weights,
        dtype="float64", threads=1,
    )  # fmt: skip


def trained(made: Any, position: Position | None = None, cut: int | None = None) -> Position:
    training = made.prepare()
    reached = position or training.start
    with one_blas_thread():
        for moved in training.steps(reached, None):
            reached = moved
            if reached.step == cut:
                break
    return reached


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("cut", [5, 12, 14])
def test_going_on_from_a_checkpoint_gives_the_same_bits(
    name: str, cut: int, tmp_path: Path
) -> None:
    made = solver(METHODS[name])
    whole, part = trained(made), trained(made, cut=cut)
    save(tmp_path / "c.npz", Checkpoint(part, 0, "p"))
    resumed = trained(made, load(tmp_path / "c.npz").position)
    assert whole.x.tobytes() == resumed.x.tobytes()
    assert whole.weighing is not None
    assert resumed.weighing is not None
    for a, b in zip(whole.weighing.weights, resumed.weighing.weights, strict=True):
        assert a.tobytes() == b.tobytes()


def test_factors_alone_are_the_same_loss_as_fixed_weights() -> None:
    """A weight function of one with factors is what the factors alone are."""
    fixed = {"diffusion": 2.0, "initial: u": 30.0}
    ones = WeightFunctions(functions={"diffusion": "1"}, factors=fixed)
    a, b = trained(solver(fixed)), trained(solver(ones))
    np.testing.assert_allclose(a.x, b.x, rtol=1e-9)


@pytest.mark.parametrize("method", [GradNorm(every=20), ResidualAttention(every=5)])
def test_weights_are_in_force(method: Balancer) -> None:
    """The loss an optimiser sees is that of the weights, computed from residuals by hand."""
    training = solver(method).prepare()
    weighing = training.reweigh(training.start)
    value, gradient = training.objective(training.start.x)
    parameters = training.session.packing.unpack(training.start.x)
    expected = sum(
        float(np.mean(w * np.asarray(c.residual(parameters, *c.arrays)) ** 2))
        for w, c in zip(weighing.weights, training.session.constraints, strict=True)
    )
    assert value == pytest.approx(expected, rel=1e-13)
    r, J = training.objective.linearise(training.start.x)
    assert r @ r == pytest.approx(expected, rel=1e-13)
    np.testing.assert_allclose(2 * J.T @ r, gradient, rtol=1e-9, atol=1e-13)


def test_weights_change_every_so_many_steps_and_stay_in_a_line_search() -> None:
    training = solver(GradNorm(every=5)).prepare()
    seen = []
    with one_blas_thread():
        for position in training.steps(training.start, None):
            seen.append(tuple(float(w) for w in position.weighing.weights))
    changes = [k + 1 for k in range(1, len(seen)) if seen[k] != seen[k - 1]]
    assert changes == [6, 11, 13]  # steps 6 and 11 of Adam, and the first of L-BFGS


def test_moving_points_get_weights_of_their_own() -> None:
    schedule = (Adam(6), RAD(), Adam(6))
    reached = trained(solver(Causal(), schedule))
    assert reached.weighing is not None
    assert reached.weighing.weights[0].shape == (60,)
    with pytest.raises(ConfigError, match="the schedule moves these"):
        solver(ResidualAttention(), schedule).prepare()


@pytest.mark.parametrize("weights", [GradNorm(every=50), ResidualAttention(every=10)])
def test_a_disc_is_solved(weights: Balancer) -> None:
    """w = (1 - r^2) / 4."""
    made = Solver(
        DISC, MLP(hidden=(12,)), [Adam(200, 5e-3), LBFGS(300)], Points(150, 40), weights,
        dtype="float64",
    )  # fmt: skip
    u = made.solve()["u"]
    assert float(u(0.0, 0.0)) == pytest.approx(0.25, abs=1e-3)
    assert float(u(0.5, 0.0)) == pytest.approx(0.1875, abs=1e-3)


def test_float32_keeps_its_element_type() -> None:
    made = Solver(DISC, MLP(hidden=(6,)), [Adam(5)], weights=GradNorm(), dtype="float32")
    training = made.prepare()
    assert trained(made).step == 5
    assert all(w.dtype == np.float32 for w in training.session._arguments[:2])


def test_windows_keep_the_balancer() -> None:
    features = SpectralFeatures(degrees=(8, 6))
    made = Solver(
        COOLING, features, [GaussNewton()], Points(200, 40),
        WeightFunctions(functions={"diffusion": "1"}, factors={"initial: u": 10.0}),
        dtype="float64",
    )  # fmt: skip
    u = march(made, windows=2)["u"]
    assert float(u(0.5, 0.2)) == pytest.approx(np.exp(-0.2 * np.pi**2), abs=1e-5)
