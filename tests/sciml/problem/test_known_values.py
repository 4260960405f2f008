"""Values known at points."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sciml import MLP, Problem
from sciml.cli.commands import run_cli
from sciml.equations import Poisson
from sciml.framework.errors import EquationError
from sciml.geometry import Disk
from sciml.problem.known_values import KnownValues

PROBLEM = Problem(Disk(), Poisson(), [])


def test_errors_are_those_of_the_points() -> None:
    trial = PROBLEM.trial(MLP(hidden=(4,)))
    solution = trial.solution(trial.initialise(0))
    X = np.array([[0.1, 0.2], [0.3, -0.4], [0.0, 0.9]])
    exact = solution["u"](*X.T)
    known = KnownValues(X.tolist(), {"u": exact + np.array([0.0, 0.5, -0.25])}, "book")
    (name, error), *others = known.errors(solution).items()
    assert (name, error.reference, others) == ("u", "book", [])
    assert error.max == pytest.approx(0.5, rel=1e-14)
    size = float(np.linalg.norm(exact + np.array([0.0, 0.5, -0.25])))
    assert error.relative_l2 == pytest.approx(0.3125**0.5 / size, rel=1e-14)


@pytest.mark.parametrize(
    ("points", "values", "message"),
    [
        ([], {"u": []}, r"expected points of shape \(n, d\)"),
        ([[0, 0]], {}, "0 quantities"),
        ([[0, 0]], {"u": [1, 2]}, r"'u' needs one value for each of 1 points, got shape \(2,\)"),
        ([[0, 0], [1]], {"u": [1, 2]}, "expected rows of numbers"),
        ([[0, float("nan")]], {"u": [1]}, "must be finite"),
        ([[0, 0]], {"v": [1]}, "no quantity 'v'; known are u, flux_x"),
        ([[0]], {"u": [1]}, "points need 2 coordinates, got 1"),
        ([[0, 2], [0, 0]], {"u": [1, 1]}, r"1 points lie outside the domain, the first at \(0\.0"),
    ],
)
def test_what_does_not_fit_is_refused(points: Any, values: Any, message: str) -> None:
    with pytest.raises(EquationError, match=message):
        KnownValues(points, values).require_fit(PROBLEM)


def test_a_run_is_compared_with_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "book.csv").write_text("x,y,u\n0,0,0.25\n0.5,0,0.1875\n")
    (tmp_path / "disk.yaml").write_text(
        "name: disk\ngeometry: {type: Disk}\npde: {type: Poisson, source: 1}\n"
        "conditions: [{type: Dirichlet, field: u, part: circle}]\n"
        "network: {type: MLP, hidden: [8]}\npoints: {interior: 50}\n"
        "solver: {dtype: float64, schedule: [{type: LBFGS, steps: 60}]}\n"
        "outputs: {figures: false, fields: false}\n"
        "validation:\n  values:\n    name: book.csv\n"
        "    points: {file: book.csv, columns: [x, y]}\n"
        "    values: {u: {file: book.csv, columns: u}}\n"
    )
    words = ["run", str(tmp_path / "disk.yaml"), "--output", str(tmp_path / "a")]
    assert run_cli(words) == 0  # u = (1 - r^2) / 4
    assert "disk against book.csv" in capsys.readouterr().out
    error = json.loads((tmp_path / "a" / "result.json").read_text())["errors"]["u"]
    assert error["relative_l2"] < 1e-3
    assert run_cli(["validate", str(tmp_path / "a" / "config.yaml")]) == 0
    wrong = ["--set", "validation.values.points=[[0, 0], [3, 0]]"]
    assert run_cli(["validate", str(tmp_path / "disk.yaml"), *wrong]) == 2
    both = ["--set", "validation.reference={type: SinePoisson}"]
    assert run_cli(["validate", str(tmp_path / "disk.yaml"), *both]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "1 points lie outside the domain" in first
    assert "not both" in second
