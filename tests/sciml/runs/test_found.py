"""Solutions that were found come back from the folder of a run, to the bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sciml import GaussNewton, Points, Solution, Solver, SpectralFeatures, march
from sciml.equations import Diffusion, Dirichlet, Initial, Poisson, UnknownParameter
from sciml.framework.errors import CheckpointError
from sciml.geometry import Interval, Rectangle
from sciml.networks import MLP, CornerFunctions
from sciml.problem.problem import Problem
from sciml.runs import found
from sciml.runs.config import Automatic, RunConfig
from sciml.runs.folder import RunFolder

SQUARE = Problem(Rectangle(), Poisson(source="1"), [Dirichlet("u", "edges", hard=False)])
COOLING = Problem(
    Interval(0, 1).over_time(0.3),
    Diffusion(),
    [Initial("u", "sin(pi*x)", hard=False), Dirichlet("u", "sides", hard=False)],
)


def run(problem: Problem) -> RunConfig:
    return RunConfig(
        "p", problem.geometry, problem.pde, tuple(problem.conditions), solver=Automatic()
    )


def corners() -> Solution:
    singular = CornerFunctions(((0.0, 0.0), (1.0, 1.0)), (2.0, 4.0), (0.785, 3.927), True)
    network = SpectralFeatures(degrees=(3, 4), enrichment=(singular,))
    trial = SQUARE.trial(network)
    return trial.solution(trial.initialise(5))


def network() -> Solution:
    """Of a problem with an unknown number, whose value is among the parameters."""
    problem = Problem(
        Rectangle(), Poisson(source="1", coefficient=UnknownParameter(2.0, (1, 3), name="k")),
        [Dirichlet("u", "edges")],
    )  # fmt: skip
    trial = problem.trial(MLP(hidden=(5, 4)))
    return trial.solution(trial.initialise(3))


def windows() -> Solution:
    solver = Solver(
        COOLING, SpectralFeatures(degrees=(4, 3)), [GaussNewton(2)], Points(60, 20),
        dtype="float64",
    )  # fmt: skip
    return march(solver, 3)


@pytest.mark.filterwarnings("ignore::sciml.framework.errors.ConvergenceWarning")
@pytest.mark.parametrize("made", [corners, network, windows])
def test_what_is_stored_is_what_comes_back(made, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    solution = made()
    config = run(solution.trial.problem)
    found.store(RunFolder(tmp_path), config, solution)
    again = found.load(RunFolder(tmp_path), config)
    X = solution.trial.problem.geometry.sample_interior(50, "random", 0)
    before, after = solution.evaluate(solution.names, X), again.evaluate(again.names, X)
    assert all(np.array_equal(before[name], after[name]) for name in solution.names)
    assert again.identified == solution.identified
    assert again.residual() == solution.residual()


def test_what_does_not_belong_together_is_refused(tmp_path: Path) -> None:
    config, place = run(SQUARE), RunFolder(tmp_path)
    with pytest.raises(CheckpointError, match="nothing was found yet; sciml resume searches"):
        found.load(place, config)
    found.store(place, config, corners())
    other = run(Problem(Rectangle(), Poisson(source="2"), SQUARE.conditions))
    with pytest.raises(CheckpointError, match="belongs to another run"):
        found.load(place, other)
    place.found.write_text(place.found.read_text().replace("[3, 4]", "[4, 3]"))
    with pytest.raises(CheckpointError, match="belongs to another run"):
        found.load(place, config)
