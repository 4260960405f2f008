"""A repeated row of stages is the same schedule as the row written out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sciml import LBFGS, MLP, RAD, Adam, Points, Problem, Repeat, Solver, SSBroyden
from sciml.equations import Dirichlet, Poisson
from sciml.framework.errors import ConfigError
from sciml.geometry import Interval
from sciml.training.checkpoint import Checkpoint, load, save
from sciml.training.loop import Position, total_steps
from sciml.training.repeat import written_out
from sciml.training.session import one_blas_thread

ROW = (RAD(), SSBroyden(4))
PROBLEM = Problem(Interval(0, 1), Poisson("1", dimension=1), [Dirichlet("u", "boundary")])


def run(start: Position | None = None, cut: int | None = None) -> Position:
    """Train with repeated stages, from a stored position and up to ``cut`` steps if asked."""
    solver = Solver(
        PROBLEM, MLP(hidden=(6,)), [Adam(3), Repeat(ROW, times=3)], Points(20, 2),
        dtype="float64", threads=1,
    )  # fmt: skip
    training = solver.prepare()
    reached = start or training.start
    with one_blas_thread():
        for moved in training.steps(reached, None):
            reached = moved
            if reached.step == cut:
                break
    return reached


def test_stages_are_written_out_in_order_and_counted() -> None:
    adam = Adam(3)
    schedule = (adam, Repeat((*ROW, Repeat((adam,), times=2)), times=2))
    assert written_out(schedule) == (adam, *ROW, adam, adam, *ROW, adam, adam)
    assert total_steps(schedule) == total_steps(written_out(schedule)) == 3 + 2 * (4 + 6)


def test_nothing_and_never_are_refused() -> None:
    with pytest.raises(ConfigError, match="times=0"):
        Repeat(ROW, times=0)
    with pytest.raises(ConfigError, match="a stage or more"):
        Repeat(())


def test_the_inverse_is_carried_over_moved_points() -> None:
    whole = run()
    assert [end.optimiser for end in whole.ends] == ["Adam"] + 3 * ["SSBroyden"]
    assert whole.step == 15
    assert set(run(cut=7).carried) == {"inverse", "updates"}
    assert run(cut=7).carried["updates"][0] == 4.0
    state = run(cut=9).state
    assert state is not None
    assert state.memory["updates"][0] == 6.0
    assert not run(cut=9).carried
    assert not whole.carried


@pytest.mark.parametrize("cut", [3, 7, 9, 11])
def test_resumed_between_and_inside_repeated_stages_has_the_same_bytes(
    tmp_path: Path, cut: int
) -> None:
    save(tmp_path / "c.npz", Checkpoint(run(cut=cut), 0, ""))
    resumed = run(load(tmp_path / "c.npz").position)
    assert resumed.x.tobytes() == run().x.tobytes()


def test_a_small_network_comes_closer_than_by_lbfgs() -> None:
    errors = []
    for method in (LBFGS, SSBroyden):
        schedule = [Adam(50, 1e-2), method(400)]
        solver = Solver(PROBLEM, MLP(hidden=(10,)), schedule, Points(40, 2), dtype="float64")
        x = np.linspace(0.0, 1.0, 41)
        errors.append(np.abs(solver.solve()["u"](x) - x * (1 - x) / 2).max())
    assert errors[1] < errors[0]
    assert errors[1] < 1e-7
