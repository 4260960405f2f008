"""Runs over ranges of values."""

from __future__ import annotations

import csv
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sciml.cli.commands import run_cli
from sciml.framework.errors import ConfigError
from sciml.runs.checkpoints import latest
from sciml.runs.sweep import Sweep, values
from sciml.training.checkpoint import load

TINY = """\
name: tiny
geometry: {type: Interval, lower: 0, upper: 1}
pde: {type: Poisson, dimension: 1, source: sin(pi*x)}
conditions: [{type: Dirichlet, field: u, part: left}, {type: Dirichlet, field: u, part: right}]
network: {type: MLP, hidden: [4]}
points: {interior: 20}
solver: {dtype: float64, schedule: [{type: Adam, steps: 5}]}
outputs: {figures: false, fields: false, report: false}
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY)
    return path


def command(*arguments: object) -> int:
    return run_cli([str(a) for a in arguments])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a=0:3", ["0", "1", "2"]),
        ("a=-1:5:2", ["-1", "1", "3"]),
        ("a=1e-3,1e-2", ["1e-3", "1e-2"]),
        ("a={b: 1, c: 2},null", ["{b: 1, c: 2}", "null"]),
        ("a.0.b=x", ["x"]),
    ],
)
def test_values_are_ranges_or_lists(text: str, expected: list[str]) -> None:
    assert values(text) == (text.partition("=")[0], expected)


@pytest.mark.parametrize("text", ["a", "=1", "a=", "a..b=1", "a=1,,2", "a=3:3", "a=0:4:0"])
def test_values_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="--sweep"):
        values(text)


def test_several_axes_give_all_combinations() -> None:
    sweep = Sweep("p", ("x=1",), {"a": ["1", "2"], "b": ["[3]", "[4]"]})
    assert [sweep.sets(choice) for choice in sweep.choices] == [
        ("x=1", "a=1", "b=[3]"), ("x=1", "a=1", "b=[4]"),
        ("x=1", "a=2", "b=[3]"), ("x=1", "a=2", "b=[4]"),
    ]  # fmt: skip


def test_each_run_has_its_folder_and_the_table_medians(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"
    axes = ["--sweep", "network.hidden=[3],[4]", "--sweep", "solver.seed=0:3"]
    assert command("run", tiny, "--output", output, *axes, "--set", "solver.threads=1") == 0
    with open(output / "summary.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["run"] for row in rows] == [f"{i:03d}" for i in range(6)]
    assert [row["solver.seed"] for row in rows] == ["0", "1", "2"] * 2
    losses = [json.loads((output / row["run"] / "result.json").read_text())["loss"] for row in rows]
    assert [row["loss"] for row in rows] == [f"{loss:.6g}" for loss in losses]
    printed = capsys.readouterr().out.splitlines()
    table = printed[printed.index("medians") + 1 :]
    for line, part in zip(table[1:3], (losses[:3], losses[3:]), strict=True):
        assert line.split()[1] == "3"
        assert line.split()[2] == f"{statistics.median(part):.3g}"
    again = tmp_path / "again"
    config = output / "004" / "config.yaml"
    assert command("run", config, "--output", again, "--quiet") == 0
    assert json.loads((again / "result.json").read_text())["loss"] == losses[4]
    assert command("run", tiny, "--output", output, *axes) == 2
    assert "holds a run already" in capsys.readouterr().err


def test_processes_give_the_same_numbers(tiny: Path, tmp_path: Path) -> None:
    words = ["--sweep", "solver.seed=0:2", "--set", "solver.threads=1", "--quiet"]
    for jobs in (1, 2):
        assert command("run", tiny, "--output", tmp_path / str(jobs), *words, "--jobs", jobs) == 0
    losses = [
        [json.loads((tmp_path / jobs / run / "result.json").read_text())["loss"]
         for run in ("000", "001")]
        for jobs in "12"
    ]  # fmt: skip
    assert losses[0] == losses[1]


def test_a_run_that_fails_leaves_the_others(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"
    sweep = ["--sweep", "solver.schedule.0.rate=1e300,1e-3"]
    assert command("run", tiny, "--output", output, *sweep) == 1
    assert "1 runs ended without a result" in capsys.readouterr().err
    with open(output / "summary.csv", newline="") as stream:
        states = [row["state"] for row in csv.DictReader(stream)]
    assert "step 2 (Adam): the loss is" in states[0]
    assert states[1] == "done"


def test_a_wrong_value_is_found_before_anything_runs(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"
    assert command("run", tiny, "--output", output, "--sweep", "network.hidden=[4],[0]") == 2
    assert "network.hidden=[0]" in capsys.readouterr().err
    assert not output.exists()
    assert command("run", tiny, "--jobs", 2) == 2
    assert command("run", tiny, "--sweep", "solver.seed=0:2", "--sweep", "solver.seed=3") == 2


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to a group of processes")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_runs_that_go_on(
    tiny: Path, tmp_path: Path, number: signal.Signals
) -> None:
    output = tmp_path / "out"
    words = ["--sweep", "solver.seed=0:3", "--jobs", "2", "--quiet"]
    words += ["--set", "solver.threads=1", "--set", "solver.schedule.0.steps=100000"]
    with subprocess.Popen(
        [sys.executable, "-c", "from sciml.cli import main; main()", "run", tiny, "--output",
         output, *words],
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        histories = [output / run / "history.csv" for run in ("000", "001")]
        while process.poll() is None and not all(
            path.exists() and path.read_text().count("\n") > 2 for path in histories
        ):
            time.sleep(0.05)
        os.killpg(process.pid, number)
        complaint = process.communicate(timeout=120)[1]
    assert (process.returncode, complaint) == (128 + number, "sciml: interrupted\n")
    assert not (output / "002").exists()
    with open(output / "summary.csv", newline="") as stream:
        assert [row["state"] for row in csv.DictReader(stream)] == ["interrupted"] * 2
    for path in histories:
        rows = len(path.read_text().splitlines()) - 1
        step = load(latest(path.parent / "checkpoints")).position.step
        assert step // 10 == rows  # the last step counts, not only the regular checkpoints
