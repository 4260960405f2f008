"""The command line: what it prints, writes and returns, for good input and bad."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from sciml.cli import reporter
from sciml.cli.commands import run_cli
from sciml.framework.errors import OutputError
from sciml.runs import figures, history
from sciml.runs.checkpoints import latest
from sciml.runs.report import Progress
from sciml.training.checkpoint import load

TINY = """\
name: tiny
description: A plate small enough for a test.
geometry: {type: Rectangle}
pde: {type: KirchhoffPlate, load: sin(pi*x)*sin(pi*y)}
conditions:
  - {type: SimplySupported, part: edges}
network: {type: MLP, hidden: [6, 6]}
points: {interior: 40, boundary: 24}
solver:
  seed: 1
  threads: 1
  schedule:
    - {type: Adam, steps: 30, rate: {type: CosineRate, start: 1e-2}}
    - {type: LBFGS, steps: 30, history: 5}
validation:
  reference: {type: SinePlate}
  grid: 9
outputs: {figures: false, fields: false, report: false, record_every: 1, checkpoint_every: 7}
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A YAML file of a small problem."""
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY)
    return path


def command(*arguments: object) -> int:
    """Run the command line in this process."""
    return run_cli([str(a) for a in arguments])


def parameters(folder: Path) -> bytes:
    """Return the bytes of the parameters in the checkpoint of a run."""
    return load(latest(folder / "checkpoints")).position.x.tobytes()


def test_list_names_the_shipped_problems(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("list") == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == [
        "kirchhoff_disc", "kirchhoff_plate", "kirchhoff_plate_clamped", "kirchhoff_plate_uniform",
        "poisson", "poisson_l_shape",
    ]  # fmt: skip


def test_show_prints_equation_conditions_plan_and_network(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command("show", "kirchhoff_plate") == 0
    shown = capsys.readouterr().out
    assert "w__x__x__x__x + w__y__y__y__y + 2*w__x__x__y__y - sin(pi*x)*sin(pi*y) = 0" in shown
    assert "hard  edges: w = 0" in shown
    assert "soft  edges: M_n = 0" in shown
    assert "13 Taylor coefficients" in shown
    assert "4897 parameters" in shown


def test_the_history_gives_loss_and_parts_of_the_same_parameters(
    tiny: Path, tmp_path: Path
) -> None:
    assert command("run", tiny, "--output", tmp_path / "a", "--quiet") == 0
    columns = history.read(tmp_path / "a" / "history.csv")
    parts = np.array(columns["plate"]) + np.array(columns["edges: M_n"])
    np.testing.assert_allclose(columns["loss"], parts, rtol=1e-12)


def test_the_numbers_are_written_before_the_pictures(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OutputError("w.png: cannot be written: No space left on device")

    monkeypatch.setattr(figures, "write", full)
    assert command("run", tiny, "--set", "outputs.figures=true", "--output", tmp_path / "a") == 1
    assert json.loads((tmp_path / "a" / "result.json").read_text())["steps"] == 60


def test_missing_conditions_are_named(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("run", tiny, "--set", "conditions=[]", "--output", tmp_path / "a") == 0
    assert "warning: an equation of order 4 needs 2 conditions" in capsys.readouterr().out


def test_show_ir_prints_each_pass_with_counts(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("show", "--ir", tiny) == 0
    shown = capsys.readouterr().out
    assert shown.count("operations (") >= 3
    assert "loop.tile" in shown


def test_run_writes_everything_and_its_configuration_runs_again(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    assert (
        command(
            "run",
            tiny,
            "--set",
            "outputs={figures: true, record_every: 1, checkpoint_every: 7}",
            "--output",
            first,
        )
        == 0
    )
    printed = capsys.readouterr().out
    assert "float64, chosen because the residual has order 4" in printed
    assert "tiny against SinePlate" in printed
    assert {p.name for p in first.iterdir()} == {
        "config.yaml", "result.json", "history.csv", "metrics.jsonl", "environment.json",
        "checkpoints", "figures", "fields", "report.html", ".lock",
    }  # fmt: skip
    assert {p.name for p in (first / "figures").iterdir()} == {"w.png", "M_x.png", "loss.png"}
    assert {p.name for p in (first / "fields").iterdir()} == {"fields.npz", "fields.vtu"}
    result = json.loads((first / "result.json").read_text())
    assert result["problem"] == "tiny"
    assert (result["seed"], result["dtype"], result["threads"]) == (1, "float64", 1)
    assert result["steps"] == 60
    assert result["wall_time_s"] > result["training_time_s"] > 0.0
    assert set(result["errors"]) == {"w", "M_x", "M_y", "M_xy", "Q_x", "Q_y"}
    assert set(result["errors"]["w"]) == {"relative_l2", "max", "unit", "reference"}
    assert result["errors"]["w"]["relative_l2"] < 0.5
    assert [s["stop_reason"] for s in result["stages"]] == ["the step limit was reached"] * 2
    assert set(result["loss_parts"]) == {"plate", "edges: M_n"}
    assert "sciml" in result["versions"]

    assert command("run", first / "config.yaml", "--output", second, "--quiet") == 0
    assert capsys.readouterr().out == ""
    assert parameters(first) == parameters(second)
    again = json.loads((second / "result.json").read_text())
    assert again["errors"] == result["errors"]


@pytest.mark.parametrize(
    ("cut", "moved"),
    [(5, ""), (30, ""), (47, ""), (30, "RARD"), (47, "RARD"), (47, "R3")],
)
def test_interrupted_and_resumed_run_has_the_same_bits(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int, moved: str
) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    if moved:
        stage = "    - {type: LBFGS"
        tiny.write_text(TINY.replace(stage, f"    - {{type: {moved}}}\n{stage}"))
    assert command("run", tiny, "--output", whole, "--quiet") == 0
    update = reporter.Quiet.update

    def press(self: reporter.Quiet, progress: Progress) -> None:
        update(self, progress)
        if progress.step == cut - 1:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(reporter.Quiet, "update", press)
        assert command("run", tiny, "--output", parts, "--quiet") == 130
    assert load(latest(parts / "checkpoints")).position.step in (cut - 1, cut)
    assert not (parts / "result.json").exists()
    assert command("resume", parts, "--quiet") == 0
    assert parameters(parts) == parameters(whole)
    rows = [
        [line.split(",")[:5] for line in (f / "history.csv").read_text().splitlines()]
        for f in (whole, parts)
    ]
    assert rows[0] == rows[1]


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to another process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_a_process_leaves_a_checkpoint_and_its_code(
    tiny: Path, tmp_path: Path, number: signal.Signals
) -> None:
    output = tmp_path / "out"
    arguments = ["run", str(tiny), "--output", str(output), "--set", "solver.schedule.0.steps=9999"]
    with subprocess.Popen(
        [sys.executable, "-c", "import sciml.cli; sciml.cli.main()", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        history = output / "history.csv"
        for _ in range(600):
            if history.exists() and history.read_text().count("\n") > 3:
                break
            time.sleep(0.1)
        process.send_signal(number)
        printed, complaint = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert complaint == "sciml: interrupted\n"
    assert f"sciml resume {output}" in printed
    assert load(latest(output / "checkpoints")).position.step > 0


def test_unknown_key_names_file_line_key_and_the_nearest(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny.write_text(TINY.replace("  seed: 1", "  sead: 1"))
    assert command("run", tiny, "--output", tmp_path / "out") == 2
    line = TINY.splitlines().index("  seed: 1") + 1
    expected = f"sciml: {tiny}:{line}: unknown key 'solver.sead'; did you mean 'seed'?\n"
    assert capsys.readouterr().err == expected
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["conditions.0.part=edgs"], "did you mean 'edges'"),
        (["conditions.0.field=v"], "'v'"),
        (["pde.load=sin(pi*z)"], "'z'"),
        (["pde.type=KirchhofPlate"], "did you mean 'KirchhoffPlate'"),
        (["geometry.upper=[0, 1]"], "lower must be below upper"),
        (["validation.reference.rigidity=2.0"], "make their coefficients equal"),
        (["solver.weights={edge: 2.0}"], "'edges: M_n'"),
        (["points.sampler=haltn"], "halton"),
        (["network.activation=relu"], "tanh"),
        (["geometry={type: Interval, lower: 0, upper: 1}"], "2 coordinates"),
    ],
)
def test_bad_values_are_one_line_and_no_folder(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], overrides: list[str],
    message: str,
) -> None:  # fmt: skip
    sets = [a for o in overrides for a in ("--set", o)]
    code = command("run", tiny, "--output", tmp_path / "out", *sets)
    complaint = capsys.readouterr().err
    assert code == 2
    assert complaint.count("\n") == 1
    assert message in complaint
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "load: sin(pi*x)*sin(pi*y)", "load: sin(pi*z)",
            ":4: 'pde.load': unknown name 'z' in 'sin(pi*z)' at column 8; "
            "expected one of pi, x, y\n",
        ),
        (
            "{type: SimplySupported, part: edges}",
            "{type: Dirichlet, field: w, part: edges, value: cos(}",
            ":6: 'conditions.0.value': got the end of the text in 'cos(' at column 5; expected ",
        ),
        ("part: edges", "part: edgs", ": Rectangle has no part 'edgs', expected one of "),
    ],
)  # fmt: skip
def test_mistakes_in_a_problem_name_file_and_key(
    tiny: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, message: str
) -> None:
    tiny.write_text(TINY.replace(old, new))
    assert command("run", tiny) == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"sciml: {tiny}{message}")
    assert complaint.count("\n") == 1


def test_override_of_a_good_file_is_blamed(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("show", tiny, "--set", "network.hidden=[0]") == 2
    assert capsys.readouterr().err.startswith("sciml: --set network.hidden=[0]: 'network': MLP")
    assert command("show", tiny, "--set", "conditions.0.part=edgs") == 2
    assert f"{tiny} with --set conditions.0.part=edgs: Rect" in capsys.readouterr().err


def test_names_too_long_are_one_line(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    long = "a" * 5000
    assert command("run", long) == 2
    assert command("run", f"{long}.yaml") == 2
    assert command("resume", long) == 2
    assert command("run", tiny, "--quiet", "--output", tiny.parent / long) == 1
    complaints = capsys.readouterr().err.splitlines()
    assert len(complaints) == 4
    assert complaints[3].endswith("cannot be created: File name too long")


@pytest.mark.parametrize(
    "change",
    ["network.hidden=[1000000, 1000000]", "points.interior=1000000000000000",
     "points.interior=1000000000000000000000000000000"],
)  # fmt: skip
def test_absurd_sizes_are_one_line(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    assert command("run", tiny, "--output", tmp_path / "out", "--set", change) == 1
    complaint = capsys.readouterr().err
    assert complaint.startswith("sciml: too large for this computer")
    assert complaint.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("redirection", [">/dev/full", ">&-", "| true"])
@pytest.mark.parametrize("words", ["list", "show poisson"])
def test_output_that_takes_no_text_ends_quietly(redirection: str, words: str) -> None:
    python = shlex.quote(sys.executable)
    script = (
        f"({python} -c 'import sciml.cli; sciml.cli.main()' {words}; echo $? >&2) {redirection}"
    )
    result = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert result.stderr == "1\n"


def test_unknown_problem_and_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("run", "kirchof_plate") == 2
    assert "did you mean 'kirchhoff_plate'" in capsys.readouterr().err
    assert command("run") == 2
    assert command("rn") == 2
    assert command("run", "poisson", "x") == 2
    assert command("resume", "nowhere") == 2
    assert "Traceback" not in capsys.readouterr().err


def test_nan_at_the_start_names_constraint_step_operation_and_point(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sets = ["--set", "pde.load=log(x - 0.5)", "--set", "validation.reference=null"]
    assert command("run", tiny, "--output", tmp_path / "out", *sets) == 3
    complaint = capsys.readouterr().err
    for part in ("step 1 (Adam)", "constraint 'plate'", "log, at point (", "step-000000.npz"):
        assert part in complaint


def test_nan_on_the_way_keeps_the_last_good_checkpoint(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"
    assert command("run", tiny, "--output", output, "--set", "solver.schedule.0.rate=1e300") == 3
    assert "step 2 (Adam)" in capsys.readouterr().err
    assert np.isfinite(load(latest(output / "checkpoints")).position.x).all()


def test_nan_after_the_last_step_is_no_result(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, schedule = tmp_path / "out", "solver.schedule=[{type: Adam, steps: 1, rate: 1e300}]"
    assert command("run", tiny, "--output", output, "--set", schedule) == 3
    assert "step 1 (Adam)" in capsys.readouterr().err
    assert load(latest(output / "checkpoints")).position.step == 0
    assert not (output / "result.json").exists()


def test_output_that_cannot_be_written_is_one_line(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("run", tiny, "--output", tiny / "below") == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert command("run", tiny, "--output", tmp_path / "a", "--quiet") == 0
    assert command("run", tiny, "--output", tmp_path / "a") == 2
    assert "holds a run already" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on file sizes")
def test_full_disk_is_one_line_and_leaves_no_part(tiny: Path, tmp_path: Path) -> None:
    code = (
        "import resource, signal, sciml.cli\n"
        "from sciml.runs import checkpoints\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "save = checkpoints.save\n"
        "def limited(path, checkpoint):\n"
        "    if checkpoint.position.step > 10:\n"
        "        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        "    save(path, checkpoint)\n"
        "checkpoints.save = limited\n"
        "sciml.cli.main()\n"
    )
    output = tmp_path / "out"
    result = subprocess.run(
        [sys.executable, "-c", code, "run", tiny, "--output", output], capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert "cannot be written" in result.stderr
    assert not list(output.rglob(".*.part"))
    assert load(latest(output / "checkpoints")).position.step == 7


def test_checkpoint_of_another_network_is_refused(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("run", tiny, "--output", tmp_path / "a", "--quiet") == 0
    assert command("resume", tmp_path / "a", "--set", "network.hidden=[7]") == 2
    assert "another problem" in capsys.readouterr().err
    assert command("resume", tmp_path / "a", "--set", "solver.dtype=float32") == 2
    assert "another problem" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("schedule", "word"),
    [
        ("[{type: LBFGS, steps: 30}]", "stopped inside stage 0, Adam"),
        ("[]", "end with an optimiser"),
    ],
)
def test_another_method_in_the_stage_of_the_checkpoint_is_refused(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], schedule: str, word: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    with monkeypatch.context() as patched:
        patched.setattr(
            reporter.Quiet, "update", lambda self, progress: signal.raise_signal(signal.SIGINT)
        )
        assert command("run", tiny, "--output", tmp_path / "a", "--quiet") == 130
    change = f"solver.schedule={schedule}"
    assert command("resume", tmp_path / "a", "--set", change) == 2
    assert word in capsys.readouterr().err
    longer = "solver.schedule.1.steps=2"
    assert command("resume", tmp_path / "a", "--quiet", "--set", longer) == 0


def test_float32_warns_and_a_run_without_reference_says_so(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sets = ["--set", "solver.dtype=float32", "--set", "validation.reference=null"]
    assert command("run", tiny, "--output", tmp_path / "out", *sets) == 0
    printed = capsys.readouterr().out
    assert "warning: float32 with derivatives of order 4" in printed
    assert "no reference; relative residual on fresh points" in printed
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert result["errors"] == {}
    assert set(result["residual"]) == {"plate", "edges: M_n"}


@pytest.mark.parametrize("cut", [None, 12])
@pytest.mark.parametrize(
    ("stop", "reason"),
    [("{loss: 1.0}", "target"), ("{patience: 4}", "did not fall")],
)
def test_training_ends_early_and_so_does_a_resumed_one(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: str, reason: str,
    cut: int | None,
) -> None:  # fmt: skip
    """The reference is the history of the run that does not stop."""
    sets = ["--quiet", "--set", "solver.schedule.0.rate=0.2"]
    assert command("run", tiny, "--output", tmp_path / "whole", *sets) == 0
    losses = history.read(tmp_path / "whole" / "history.csv")["loss"]
    if "patience" in stop:
        expected = next(i for i in range(len(losses)) if i - int(np.argmin(losses[: i + 1])) >= 4)
    else:
        expected = next(i for i, loss in enumerate(losses) if loss <= 1.0)
    sets += ["--set", f"solver.stop={stop}"]
    if cut is not None:
        update = reporter.Quiet.update

        def press(self: reporter.Quiet, progress: Progress) -> None:
            update(self, progress)
            if progress.step == min(cut, expected):
                signal.raise_signal(signal.SIGINT)

        with monkeypatch.context() as patched:
            patched.setattr(reporter.Quiet, "update", press)
            assert command("run", tiny, "--output", tmp_path / "a", *sets) == 130
        assert command("resume", tmp_path / "a", "--quiet") == 0
    else:
        assert command("run", tiny, "--output", tmp_path / "a", *sets) == 0
    assert history.read(tmp_path / "a" / "history.csv")["loss"] == losses[: expected + 1]
    result = json.loads((tmp_path / "a" / "result.json").read_text())
    assert (result["steps"], len(losses)) == (expected + 1, 60)
    assert reason in result["stages"][-1]["stop_reason"]


def test_validate_builds_the_problem_only(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("validate", tiny) == 0
    dtype, valid = capsys.readouterr().out.splitlines()
    assert dtype == "float64, chosen because the residual has order 4"
    assert valid.startswith(f"{tiny}: valid: KirchhoffPlate on Rectangle")
    assert command("validate", tiny, "--set", "conditions.0.part=edgs") == 2
    assert command("validate", tiny, "--set", "solver.weights={plat: 2}") == 2
    assert "weight 'plat': 2.0; weights are > 0, for 'plate'" in capsys.readouterr().err
    assert command("validate", tiny, "--set", "pde.rigidity=2") == 2
    assert "make their coefficients equal" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [tiny]


def test_progress_is_an_object_on_each_line(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("run", tiny, "--output", tmp_path / "a", "--json") == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    steps = [event for event in events if event["event"] == "step"]
    assert [event["step"] for event in steps] == list(range(1, 61))
    assert [event["step"] for event in steps if event["stage_ended"]] == [30, 60]
    assert all(event["loss"] > 0.0 for event in steps)
    assert steps[-1]["left_s"] == 0.0
    assert all(event["points"] >= 40 for event in steps)
    (table,) = [event for event in events if event["event"] == "table"]
    assert [row[0] for row in table["rows"]][:2] == ["w", "M_x"]


def test_lines_of_progress_show_no_loss_before_there_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for loss in (float("nan"), 0.5):
        reporter.Plain().update(Progress(2, 9, "Adam", loss, 1e-3, 0.5, True, 30))
    first, second = capsys.readouterr().out.splitlines()
    assert "nan" not in first
    assert second == (
        "step 2/9  Adam  loss 5.000e-01  rate 1.00e-03  120 points/s  0.5 s, at most 2 s left"
    )
