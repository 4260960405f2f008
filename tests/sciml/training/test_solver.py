"""The solver's own choices and what it refuses."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from sciml import LBFGS, MLP, Adam, Problem, Solver
from sciml.equations import Dirichlet, KirchhoffPlate, Poisson, SimplySupported
from sciml.framework.compiler.jit import load_backend
from sciml.framework.errors import (
    ConfigError,
    ConvergenceWarning,
    DomainWarning,
    PrecisionWarning,
    ProblemWarning,
)
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
        ({"schedule": []}, "end with an optimiser"),
        ({"seed": -1}, "seed=-1"),
        ({"threads": 0}, "threads=0"),
    ],
)
def test_refusals(changes: dict[str, object], word: str) -> None:
    with pytest.raises(ConfigError, match=word):
        Solver(PROBLEM, **changes)  # type: ignore[arg-type]


def test_a_data_type_may_be_given_as_numpy_names_it() -> None:
    plate = Problem(Rectangle(), KirchhoffPlate(), [SimplySupported("edges")])
    solver = Solver(plate, MLP(hidden=(4,)), [Adam(1)], dtype=np.float32)  # type: ignore[arg-type]
    assert solver.element_type == "float32"
    with pytest.warns(PrecisionWarning, match="order 4"):
        solver.prepare()
    with pytest.raises(ConfigError, match="float16"):
        Solver(plate, dtype=np.float16)  # type: ignore[arg-type]


def test_missing_conditions_are_named() -> None:
    loose = Problem(Rectangle(), Poisson(), [Dirichlet("u", "edges.left")])
    with pytest.warns(ProblemWarning, match=r"edges.bottom \(1\)"):
        Solver(loose, MLP(hidden=(4,)), [Adam(1)]).prepare()


def test_a_poor_solution_says_so_and_a_good_one_does_not() -> None:
    with pytest.warns(ConvergenceWarning, match="not converged"):
        Solver(PROBLEM, MLP(hidden=(4,)), [Adam(2)]).solve()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        solver = Solver(PROBLEM, MLP(hidden=(12, 12)), [Adam(50), LBFGS(300)], dtype="float64")
        solution = solver.solve()
        assert float(solution["u"](0.5, 0.5)) == pytest.approx(0.0736713, abs=1e-3)
        solution["u"](np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    with pytest.warns(DomainWarning, match=r"1 of 2 points.*\(2, 2\)"):
        solution["u"](np.array([0.5, 2.0]), np.array([0.5, 2.0]))
    assert len(repr(solution)) < 200
