"""The solver's own choices and what it refuses."""

from __future__ import annotations

import pytest

from sciml import MLP, Adam, Problem, Solver
from sciml.equations import Dirichlet, Poisson
from sciml.framework.compiler.jit import load_backend
from sciml.framework.errors import ConfigError
from sciml.geometry import Rectangle

PROBLEM = Problem(Rectangle(), Poisson(), [Dirichlet("u", "edges")])


def test_defaults_follow_the_problem_and_the_machine() -> None:
    solver = Solver(PROBLEM, MLP(hidden=(4,)), [Adam(1)])
    assert solver.element_type == "float32"
    assert solver.thread_count == load_backend("cpu").default_threads()
    assert Solver(PROBLEM, threads=3).thread_count == 3


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"schedule": []}, "schedule is empty"),
        ({"seed": -1}, "seed=-1"),
        ({"threads": 0}, "threads=0"),
    ],
)
def test_refusals(changes: dict[str, object], word: str) -> None:
    with pytest.raises(ConfigError, match=word):
        Solver(PROBLEM, **changes)  # type: ignore[arg-type]
