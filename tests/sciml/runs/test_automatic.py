"""Runs with `solver: auto`: from the file to the folder, and back from the folder."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from sciml.cli.commands import run_cli
from sciml.framework.errors import ConfigError
from sciml.networks import Siren
from sciml.runs import catalogue
from sciml.runs.config import Automatic
from sciml.runs.document import override, parse
from sciml.runs.json_schema import run_schema
from sciml.runs.reopen import reopened
from sciml.runs.report import Quiet

LINE = """\
name: line
description: A rod with a source that varies along it.
geometry: {type: Interval, lower: 0, upper: 1}
pde: {type: Poisson, dimension: 1, source: pi**2*sin(pi*x)}
conditions: [{type: Dirichlet, field: u, part: boundary}]
solver: {type: auto, tolerance: 1e-8}
"""


def command(*arguments: object) -> int:
    return run_cli([str(a) for a in arguments])


@pytest.fixture
def line(tmp_path: Path) -> Path:
    """The file of a problem whose solution is sin(pi x)."""
    path = tmp_path / "line.yaml"
    path.write_text(LINE)
    return path


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, not to be changed."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "line.yaml").write_text(LINE)
    assert command("run", folder / "line.yaml", "--output", folder / "a", "--quiet") == 0
    return folder / "a"


def test_the_result_is_within_the_tolerance_and_says_how(finished: Path) -> None:
    u = reopened(finished, Quiet()).solution["u"]
    x = np.linspace(0, 1, 201)
    exact = np.sin(np.pi * x)
    assert np.linalg.norm(u(x) - exact) < 1e-8 * np.linalg.norm(exact)
    result = json.loads((finished / "result.json").read_text())
    search = result["search"]
    assert search["reached"]
    assert search["tolerance"] == 1e-8
    chosen = search["attempts"][search["best"]]
    assert chosen["error"] <= 1e-8
    assert chosen["unknowns"] == result["parameters"]
    assert set(search["errors"]) == {"u", "flux_x"}
    assert max(result["residual"].values()) < 1e-6
    assert result["dtype"] == "float64"
    assert "loss" not in result


def test_each_attempt_is_a_row(finished: Path) -> None:
    attempts = json.loads((finished / "result.json").read_text())["search"]["attempts"]
    rows = list(csv.DictReader((finished / "history.csv").open()))
    assert [int(row["unknowns"]) for row in rows] == [a["unknowns"] for a in attempts]
    assert [float(row["residual"]) for row in rows] == [a["residual"] for a in attempts]
    objects = [json.loads(text) for text in (finished / "metrics.jsonl").read_text().splitlines()]
    assert [o["error"] for o in objects] == [a["error"] for a in attempts]
    assert attempts[0]["error"] is None  # there is nothing yet to compare the first one with
    elapsed = [o["elapsed_s"] for o in objects]
    assert elapsed == sorted(elapsed)


def test_the_folder_has_pictures_fields_and_a_report(finished: Path) -> None:
    page = (finished / "report.html").read_text()
    assert "Tolerance 1e-08: reached" in page
    assert "spectral features, degrees" in page
    assert {p.name for p in (finished / "figures").iterdir()} == {"error.png", "u.png"}
    assert (finished / "fields" / "fields.vtu").is_file()


def test_the_resolved_configuration_runs_again(finished: Path) -> None:
    config = catalogue.load(str(finished / "config.yaml"))
    assert config.solver == Automatic(tolerance=1e-8)
    text = (finished / "config.yaml").read_text()
    assert "network:" not in text
    assert "points:" not in text


def test_resuming_searches_anew_to_the_same_bits(
    finished: Path, line: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = line.with_name("b")
    assert command("run", line, "--set", "solver.max_minutes=1e-9", "--output", place) == 0
    said = capsys.readouterr().out
    assert "warning: tolerance 1e-08 not reached" in said
    assert "no error known" in said
    assert not json.loads((place / "result.json").read_text())["search"]["reached"]
    assert command("compare", finished, place) == 0
    assert "not reached" in capsys.readouterr().out
    assert command("resume", place, "--set", "solver.max_minutes=10", "--json") == 0
    events = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    assert {e["event"] for e in events} == {"info", "attempt", "table"}
    assert next(e["error"] for e in events if e["event"] == "attempt") is None
    one, other = (json.loads((f / "result.json").read_text())["search"] for f in (finished, place))
    for search in (one, other):
        for attempt in search["attempts"]:
            del attempt["seconds"]
    assert one == other


def test_evaluate_plot_and_show(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("evaluate", finished, "--at", "0.5", "--quantities", "u") == 0
    x, u = capsys.readouterr().out.splitlines()[1].split(",")
    assert float(x) == 0.5
    assert abs(float(u) - 1.0) < 1e-8
    assert command("plot", finished, "flux_x", "--output", finished / "flux.png") == 0
    assert command("show", finished / "config.yaml") == 0
    said = capsys.readouterr().out
    assert "auto: to a relative error of 1e-08" in said
    assert "MLP" not in said
    assert command("show", finished / "config.yaml", "--ir") == 2
    assert "solver auto has no step before it runs" in capsys.readouterr().err


def test_a_sweep_over_tolerances(line: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = line.with_name("sweep")
    assert command("run", line, "--sweep", "solver.tolerance=1e-2,1e-6", "--output", folder) == 0
    rows = list(csv.DictReader((folder / "summary.csv").open()))
    assert [row["state"] for row in rows] == ["done", "done"]
    assert int(rows[0]["parameters"]) <= int(rows[1]["parameters"])
    assert "medians" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("network={type: MLP, hidden: [8]}", "leave out network (on the command line: --set netw"),
        ("points.interior=10", "leave out points"),
        ("solver.tolerance=2", "a number of more than 0 and less than 1"),
        ("solver.schedule=[]", "unknown key 'solver.schedule'"),
        ("solver=otto", "'solver': got 'otto'; expected a type or a mapping with 'type', one of"),
        ("solver={tolerance: 1e-8}", "here it is for 'solver' of type auto"),
        ("solver.type=Adam", "unknown type 'Adam' for 'solver'; valid are auto"),
    ],
)
def test_what_makes_no_sense_is_refused(line: Path, change: str, message: str) -> None:
    with pytest.raises(ConfigError) as refused:
        catalogue.load(str(line), [change])
    assert message in str(refused.value)


def test_a_name_alone_means_the_defaults(line: Path) -> None:
    assert catalogue.load(str(line), ["solver=auto"]).solver == Automatic()
    assert catalogue.load("poisson", ["network=Siren"]).network == Siren()
    changes = ["solver=auto", "network=null", "points=null"]
    assert catalogue.load("poisson", changes).solver == Automatic()
    with pytest.raises(ConfigError, match=r"missing key 'geometry\.space'"):
        catalogue.load("poisson", ["geometry=SpaceTime"])


@pytest.mark.parametrize("changes", [["solver=auto"], ["solver.seed=3"], ["network=Siren"]])
def test_the_schema_of_files_knows_it(line: Path, changes: list[str]) -> None:
    jsonschema.validate(override(parse(LINE, ""), changes).plain(), run_schema())


@pytest.mark.parametrize("changes", [["solver=Auto"], ["solver.seed=-1"], ["solver.steps=1"]])
def test_the_schema_of_files_refuses_what_the_program_does(line: Path, changes: list[str]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(override(parse(LINE, ""), changes).plain(), run_schema())


def test_a_problem_that_is_not_unique_is_said_to_be(
    line: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changes = ["--set", "conditions=[]", "--set", "solver.max_minutes=1e-9"]
    assert command("run", line, *changes, "--output", line.with_name("c")) == 0
    said = capsys.readouterr().out
    assert said.index("The solution is not unique") < said.index("spectral features")
