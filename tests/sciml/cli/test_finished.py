"""The commands on run folders."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import meshio
import numpy as np
import pytest

from sciml.cli.commands import run_cli
from sciml.problem.solution import Solution
from sciml.runs import catalogue
from sciml.runs.checkpoints import latest
from sciml.training.checkpoint import load

HEAT = """\
name: heat
geometry:
  type: Rectangle
  upper: [1, 0.5]
pde: {type: CustomPDE, over: x t, unknowns: u, equations: {heat: u__t - u__x__x}}
conditions:
  - {type: Dirichlet, field: u, part: edges.bottom, value: sin(pi*x)}
network: {type: MLP, hidden: [5]}
points: {interior: 30, boundary: 10}
solver: {seed: 1, threads: 1, dtype: float64, schedule: [{type: Adam, steps: 12}]}
validation: {grid: 11}
outputs: {figures: false, fields: false, report: false}
"""


def command(*arguments: object) -> int:
    return run_cli([str(a) for a in arguments])


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, not to be changed."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "heat.yaml").write_text(HEAT)
    assert command("run", folder / "heat.yaml", "--output", folder / "heat", "--quiet") == 0
    return folder / "heat"


@pytest.fixture(scope="module")
def solution(finished: Path) -> Solution:
    """Its solution, by another way than the commands."""
    training = catalogue.load(str(finished / "config.yaml")).build().prepare()
    return training.solution(load(latest(finished / "checkpoints")).position)


def columns(text: str) -> dict[str, list[float]]:
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def test_values_at_points(
    finished: Path, solution: Solution, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("evaluate", finished, "--at", "0.5,0.25", "--at", "0.1, 0.2") == 0
    found = columns(capsys.readouterr().out)
    assert list(found) == ["x", "t", *solution.names]
    np.testing.assert_allclose(found["u"], solution["u"]([0.5, 0.1], [0.25, 0.2]), rtol=1e-14)


@pytest.mark.parametrize("ending", ["csv", "npy"])
def test_points_come_from_files_and_values_go_to_files(
    finished: Path, solution: Solution, tmp_path: Path, ending: str
) -> None:
    X = np.array([[0.2, 0.1], [0.3, 0.4], [1.0, 0.5]])
    points = tmp_path / f"points.{ending}"
    if ending == "npy":
        np.save(points, X)
    else:
        points.write_text("t,weight,x\n" + "".join(f"{t!r},1,{x!r}\n" for x, t in X.tolist()))
    words = ["evaluate", finished, "--points", points, "--quantities", "u", "--output"]
    assert command(*words, tmp_path / "u.csv") == 0
    assert command(*words, tmp_path / "u.npz") == 0
    expected = solution["u"](*X.T)
    found = columns((tmp_path / "u.csv").read_text())
    assert list(found) == ["x", "t", "u"]
    np.testing.assert_allclose(found["u"], expected, rtol=1e-14)
    with np.load(tmp_path / "u.npz") as archive:
        np.testing.assert_array_equal(archive["u"], found["u"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--at", "0.5"], "--at 0.5: expected 2 numbers with commas between them, for x, t"),
        (["--at", "a,b"], "--at a,b: expected 2 numbers"),
        (["--at", "0,0", "--quantities", "v"], "no quantity 'v'; known are u"),
        (["--points", "none.csv"], "none.csv: cannot be read: No such file or directory"),
        ([], "--at, or by --points"),
        (["--at", "0,0", "--output", "a.txt"], "a file that ends in .csv or .npz"),
    ],
)
def test_wrong_requests_are_refused(
    finished: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert command("evaluate", finished, *words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,y\n0,0\n", "names no 't', only x, y"),
        ("x,t\n0\n", "row 2 has 1 entries, expected 2"),
        ("x,t\n0,a\n", "could not convert string to float: 'a'"),
        ("x,t\n0,nan\n", "all finite"),
        ("", "names no 'x'"),
        ("x,t\n", "at least one"),
    ],
)
def test_wrong_files_of_points_are_refused(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    (tmp_path / "p.csv").write_text(text)
    assert command("evaluate", finished, "--points", tmp_path / "p.csv") == 2
    complaint = capsys.readouterr().err
    assert message in complaint
    assert complaint.count("\n") == 1


def test_points_outside_are_said(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("evaluate", finished, "--at", "3,0") == 0
    assert "1 of 1 points lie outside the domain" in capsys.readouterr().err


def test_a_picture_is_drawn(finished: Path, tmp_path: Path) -> None:
    picture = tmp_path / "u.png"
    assert command("plot", finished, "u", "--at", "t=0.5", "--output", picture) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert command("plot", finished, "u", "--at", "t") == 2
    assert command("plot", finished, "u", "--at", "z=1") == 2


def test_fields_are_exported(finished: Path, solution: Solution, tmp_path: Path) -> None:
    for kind in ("vtu", "npz", "csv"):
        words = ["--format", kind, "--size", 5, "--output", tmp_path]
        assert command("export", finished, *words) == 0
    mesh = meshio.read(tmp_path / "fields-020.vtu")
    expected = solution["u"](mesh.points[:, 0], 0.5)
    np.testing.assert_allclose(mesh.point_data["u"], expected, rtol=1e-13, atol=1e-15)
    assert (tmp_path / "fields.pvd").exists()
    with np.load(tmp_path / "fields.npz") as archive:
        found = columns((tmp_path / "fields.csv").read_text())
        assert {name: archive[name].tolist() for name in archive.files} == found
        np.testing.assert_allclose(archive["u"], solution["u"](archive["x"], archive["t"]),
                                   rtol=1e-13, atol=1e-15)  # fmt: skip


def test_runs_are_compared_where_they_differ(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    words = ["--set", "solver.seed=2", "--output", other, "--quiet"]
    assert command("run", finished / "config.yaml", *words) == 0
    assert command("compare", finished, other) == 0
    rows = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()[2:]}
    assert rows["solver.seed"] == ["1", "2"]
    assert not any(key.startswith("pde") for key in rows)
    losses = [json.loads((f / "result.json").read_text())["loss"] for f in (finished, other)]
    assert rows["loss"] == [f"{loss:.3g}" for loss in losses]
    assert command("compare", finished, tmp_path) == 2


def test_the_runs_of_a_folder_are_listed_with_their_state(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert command("list", "runs") == 2
    shutil.copytree(finished, tmp_path / "runs" / "a")
    shutil.copytree(finished, tmp_path / "runs" / "b")
    (tmp_path / "runs" / "b" / "result.json").unlink()
    assert command("list", "runs") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("runs/a  state finished  steps 12  loss ")
    assert second == "runs/b  state not finished"


def test_a_run_without_its_checkpoint_says_so(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(finished, copy)
    path = copy / "config.yaml"
    path.write_text(path.read_text().replace("seed: 1", "seed: 5"))
    assert command("evaluate", copy, "--at", "0,0") == 2
    shutil.rmtree(copy / "checkpoints")
    assert command("evaluate", copy, "--at", "0,0") == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "belongs to another run" in first
    assert "holds none" in second
