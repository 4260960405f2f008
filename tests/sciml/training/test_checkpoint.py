"""Positions, their storage, and resumption in every phase of a schedule."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sciml.framework.errors import CheckpointError, NonFiniteError, OutputError
from sciml.training.checkpoint import Checkpoint, load, save
from sciml.training.loop import Position, advance, total_steps
from sciml.training.optimisers import LBFGS, Adam, CosineRate, StopReason, Vector

from .objectives import rosenbrock

SCHEDULE = (Adam(steps=30, rate=CosineRate(1e-2)), LBFGS(steps=30, history=6))
START = Position(np.full(9, -1.2))


def run(position: Position, upto: int = 10**9) -> Position:
    """Go on until the end or a number of steps."""
    for moved in advance(SCHEDULE, position, rosenbrock, None):
        position = moved
        if position.step >= upto:
            break
    return position


@pytest.mark.parametrize("cut", [1, 17, 29, 30, 31, 45, 59])
def test_resumed_run_has_the_bytes_of_an_uninterrupted_one(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "checkpoint.npz"
    save(path, Checkpoint(run(START, cut), 123, "p"))
    stored = load(path)
    assert (stored.history_bytes, stored.problem, stored.position.step) == (123, "p", cut)
    resumed, whole = run(stored.position), run(START)
    assert whole.step == total_steps(SCHEDULE) == 60
    assert resumed.x.tobytes() == whole.x.tobytes()
    assert resumed.ends == whole.ends
    assert [end.stop for end in whole.ends] == [StopReason.STEP_LIMIT] * 2


def test_finished_run_resumes_to_nothing() -> None:
    assert list(advance(SCHEDULE, run(START), rosenbrock, None)) == []


def test_budget_ends_all_stages_and_says_so() -> None:
    positions = list(advance(SCHEDULE, START, rosenbrock, 0.0))
    assert [p.step for p in positions] == [1]
    assert positions[-1].ends[-1].stop is StopReason.BUDGET


def test_checkpoint_is_readable_without_pickle_and_leaves_no_part(tmp_path: Path) -> None:
    save(tmp_path / "c.npz", Checkpoint(run(START, 40), 0, ""))
    with np.load(tmp_path / "c.npz", allow_pickle=False) as archive:
        memory = {"memory.gradient", "memory.s", "memory.y", "memory.rho"}
        assert set(archive.files) == {"x", "header", "sha256", *memory}
    assert [p.name for p in tmp_path.iterdir()] == ["c.npz"]


def test_missing_truncated_and_altered_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.npz"
    with pytest.raises(CheckpointError, match="no checkpoint here"):
        load(path)
    save(path, Checkpoint(START, 0, ""))
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(CheckpointError, match="not a readable checkpoint"):
        load(path)
    path.write_bytes(content)
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    arrays["x"] = arrays["x"] + 1.0
    np.savez(path, **arrays)
    with pytest.raises(CheckpointError, match="checksum"):
        load(path)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_unwritable_folder_is_an_output_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="cannot be written"):
        save(tmp_path / "c.npz", Checkpoint(START, 0, ""))


def test_missing_folder_is_an_output_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        save(tmp_path / "none" / "c.npz", Checkpoint(START, 0, ""))


def test_loss_that_is_not_finite_stops_and_names_the_step() -> None:
    calls = 0

    def broken(x: Vector) -> tuple[float, Vector]:
        nonlocal calls
        calls += 1
        value, gradient = rosenbrock(x)
        return (np.nan if calls > 5 else value), gradient

    last = START
    with pytest.raises(NonFiniteError, match=r"step 6 \(Adam\): the loss is nan"):  # noqa: PT012
        for position in advance(SCHEDULE, START, broken, None):
            last = position
    assert last.step == 5
    assert np.isfinite(last.x).all()


def test_end_of_the_schedule_is_evaluated_after_the_last_update() -> None:
    def cliff(x: Vector) -> tuple[float, Vector]:
        return (float(x[0]), np.ones(1)) if x[0] > 0.5 else (np.inf, np.ones(1))

    positions = []
    with pytest.raises(NonFiniteError, match=r"step 3 \(Adam\): the loss is inf"):  # noqa: PT012
        for position in advance([Adam(steps=3, rate=0.2)], Position(np.ones(1)), cliff, None):
            positions.append(position.step)
    assert positions == [1, 2]


def test_positions_are_not_changed_by_later_steps() -> None:
    first = run(START, 35)
    copy = replace(first, x=first.x.copy())
    run(first)
    assert first.x.tobytes() == copy.x.tobytes()
