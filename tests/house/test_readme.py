"""The README: its example runs, and its commands are those the checks use."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_example_runs_and_reaches_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example = re.search(r"```python\n(from sciml.*?)```", TEXT, re.DOTALL)
    assert example is not None
    assert len(example[1].strip().splitlines()) <= 20
    monkeypatch.chdir(tmp_path)
    exec(compile(example[1], "README.md", "exec"), {})
    errors = dict(line.split() for line in capsys.readouterr().out.splitlines()[1:])
    assert float(errors["w"]) < 1e-4
    assert float(errors["M_x"]) < 1e-3
    assert (tmp_path / "M_x.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    "start", ["import numpy as np\nimport sciml.framework", "from sciml.framework.ops"]
)
def test_library_example_and_primitive_recipe_run(start: str, tmp_path: Path) -> None:
    """In a process of its own, since a new primitive stays registered."""
    example = re.search(rf"```python\n({start}.*?)```", TEXT, re.DOTALL)
    assert example is not None
    subprocess.run([sys.executable, "-c", example[1]], check=True, cwd=ROOT)


def test_commands_are_one_line_each() -> None:
    assert (
        "python3 -m venv .venv && .venv/bin/pip install -q . && "
        ".venv/bin/sciml run kirchhoff_plate\n" in TEXT
    )
    assert '.venv/bin/pip install -q ".[test]" && .venv/bin/pytest\n' in TEXT


def test_check_script_does_what_the_readme_says() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for part in ('install -q ".[test]"', "/pytest", 'ruff" check', "mypy", "lint-imports"):
        assert part in script
