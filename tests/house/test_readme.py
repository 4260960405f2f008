"""The README: its example runs, and its commands are those the checks use."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def test_example_runs_and_reaches_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(BLOCKS[0].strip().splitlines()) <= 20
    monkeypatch.chdir(tmp_path)
    exec(compile(BLOCKS[0], "README.md", "exec"), {})
    errors = dict(line.split() for line in capsys.readouterr().out.splitlines()[1:])
    assert float(errors["w"]) < 1e-4
    assert float(errors["M_x"]) < 1e-3
    assert (tmp_path / "M_x.png").stat().st_size > 10_000


@pytest.mark.parametrize("block", BLOCKS[1:], ids=[f"block {n}" for n in range(2, len(BLOCKS) + 1)])
def test_every_block_runs(block: str, tmp_path: Path) -> None:
    """In a process of its own, since a new primitive stays registered."""
    subprocess.run([sys.executable, "-c", block], check=True, cwd=tmp_path)


SOLVE_WITH_RECIPES = """
from sciml import LBFGS, MLP, Adam, Problem, Solver
from sciml.equations import Dirichlet, Poisson
from sciml.geometry import Rectangle
from sciml.problem.points import Points

load = "sin(pi*(x-1)/2)*sin(pi*y/2)"
for pde, network in [
    (Helmholtz(1.0, "(1 - pi**2/2)*" + load), MLP(hidden=(16, 16))),
    (Poisson("pi**2/2*" + load), Shallow(60)),
]:
    problem = Problem(Rectangle((1, 0), (3, 2)), pde, [Dirichlet("u", "edges", 0.0)])
    solver = Solver(problem, network, [Adam(100), LBFGS(200)], Points(400, 100), seed=0)
    solution = solver.solve()
    print(solution["u"](2.0, 1.0), solution["u"](1.5, 0.5))
"""


def test_recipes_of_an_equation_and_a_network_run_and_solve() -> None:
    """Both have the solution sin(pi (x - 1) / 2) sin(pi y / 2) on a square of side 2."""
    recipes = [block for block in BLOCKS if "class Helmholtz" in block or "class Shallow" in block]
    assert len(recipes) == 2
    code = "\n".join([*recipes, SOLVE_WITH_RECIPES])
    result = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    for line in result.stdout.splitlines():
        centre, quarter = map(float, line.split())
        assert abs(centre - 1.0) < 1e-3
        assert abs(quarter - 0.5) < 1e-3
    assert len(result.stdout.splitlines()) == 2


def test_commands_are_one_line_each() -> None:
    assert (
        "python3 -m venv .venv && .venv/bin/pip install -q . && "
        ".venv/bin/sciml run kirchhoff_plate\n" in TEXT
    )
    assert '.venv/bin/pip install -q ".[test]" && .venv/bin/pytest -n auto\n' in TEXT


def test_check_script_does_what_the_readme_says() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for part in (
        'install -q ".[test]"',
        '/pytest" -q -n auto',
        'ruff" check',
        "mypy",
        "lint-imports",
    ):
        assert part in script
