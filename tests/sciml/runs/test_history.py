"""The loss history and the run folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sciml.framework.errors import CheckpointError, ConfigError, OutputError
from sciml.runs import folder
from sciml.runs.history import History, read


def test_rows_are_on_disk_at_once_and_read_back(tmp_path: Path) -> None:
    with History(tmp_path / "h.csv", ["step", "stage", "loss"]) as history:
        history.append([1, "Adam", 0.1])
        assert read(tmp_path / "h.csv") == {"step": [1.0], "loss": [0.1]}
        history.append([2, "Adam", 1e-300])
    assert read(tmp_path / "h.csv")["loss"] == [0.1, 1e-300]


def test_resuming_drops_what_came_after_the_checkpoint(tmp_path: Path) -> None:
    with History(tmp_path / "h.csv", ["step"]) as history:
        history.append([1])
        size = history.size
        history.append([2])
    with History(tmp_path / "h.csv", ["step"], size) as history:
        history.append([7])
    assert read(tmp_path / "h.csv") == {"step": [1.0, 7.0]}


@pytest.mark.parametrize("content", [None, "step\n"])
def test_resuming_without_the_rows_is_refused(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "h.csv"
    if content is not None:
        path.write_text(content)
    with pytest.raises(CheckpointError, match="put the file back"):
        History(path, ["step"], 12)
    assert (path.read_text() if path.exists() else None) == content


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on file sizes")
def test_full_disk_leaves_whole_lines_only(tmp_path: Path) -> None:
    code = """
import resource, signal, sys
from pathlib import Path
from sciml.framework.errors import OutputError
from sciml.runs.history import History
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40))
try:
    with History(Path(sys.argv[1]), ["step", "loss"]) as history:
        for step in range(100):
            history.append([step, 0.123456])
except OutputError as error:
    print(error)
"""
    path = tmp_path / "h.csv"
    result = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
    )
    assert "cannot be written" in result.stdout
    assert path.read_text().endswith("0.123456\n")


def test_missing_folder_is_an_output_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        History(tmp_path / "none" / "h.csv", ["step"])


def test_folders_are_numbered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert [str(folder.create("p", None).path) for _ in range(2)] == ["runs/p-001", "runs/p-002"]


def test_folder_with_a_run_is_not_overwritten(tmp_path: Path) -> None:
    made = folder.create("p", tmp_path / "a" / "b")
    made.config.write_text("name: p\n")
    with pytest.raises(ConfigError, match="sciml resume"):
        folder.require_new(folder.create("p", made.path))
    assert folder.existing(made.path) == made


def test_file_in_the_way_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    with pytest.raises(OutputError, match="cannot be created"):
        folder.create("p", tmp_path / "f" / "g")
    with pytest.raises(ConfigError, match="no run here"):
        folder.existing(tmp_path)


def test_each_row_is_an_object_of_json_too(tmp_path: Path) -> None:
    with History(tmp_path / "h.csv", ["step", "stage", "loss"]) as history:
        history.append([1, "Adam", 0.1])
        size = history.size
        history.append([2, "Adam", float("inf")])
    lines = (tmp_path / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"step": 1, "stage": "Adam", "loss": 0.1},
        {"step": 2, "stage": "Adam", "loss": None},
    ]
    with History(tmp_path / "h.csv", ["step", "stage", "loss"], size) as history:
        history.append([2, "LBFGS", 0.25])
    lines = (tmp_path / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["stage"] for line in lines] == ["Adam", "LBFGS"]


def test_resuming_without_the_objects_is_refused(tmp_path: Path) -> None:
    with History(tmp_path / "h.csv", ["step"]) as history:
        history.append([1])
        size = history.size
    (tmp_path / "metrics.jsonl").unlink()
    with pytest.raises(CheckpointError, match="holds 0 rows, but the checkpoint goes on from 1"):
        History(tmp_path / "h.csv", ["step"], size)
