"""The last few checkpoints of a run, and which of them is taken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sciml.framework.errors import CheckpointError
from sciml.runs.checkpoints import latest, newest, store
from sciml.training import checkpoint as archive
from sciml.training.checkpoint import Checkpoint
from sciml.training.loop import Position


def stored(folder: Path, *steps: int, keep: int = 3) -> None:
    for step in steps:
        store(folder, Checkpoint(Position(np.full(3, float(step)), step), 0, "p"), keep)


def held(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_only_the_last_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "checkpoints"
    stored(folder, 0, 7, 14, 21, 1_000_000)
    assert held(folder) == ["step-000014.npz", "step-000021.npz", "step-1000000.npz"]
    assert latest(folder).name == "step-1000000.npz"


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 cut", None])
def test_the_newest_whole_one_is_taken_and_the_reason_said(
    tmp_path: Path, damage: bytes | None
) -> None:
    stored(tmp_path, 7, 14)
    path, said = latest(tmp_path), []
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] if damage is None else damage)
    found = newest(tmp_path, said.append)
    assert found is not None
    assert found.position.step == 7
    (line,) = said
    assert "step-000014.npz: not a readable checkpoint" in line
    stored(tmp_path, 8)
    assert held(tmp_path) == ["step-000007.npz", "step-000008.npz"]


def test_one_of_a_later_format_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(archive, "FORMAT", 99)
        stored(tmp_path, 1)
    with pytest.raises(CheckpointError, match=r"written in format 99, .* use the version that wro"):
        newest(tmp_path, lambda text: None)


def test_without_any_there_is_nothing_to_take(tmp_path: Path) -> None:
    assert newest(tmp_path / "none", lambda text: None) is None
    with pytest.raises(CheckpointError, match="no checkpoint here"):
        latest(tmp_path)
