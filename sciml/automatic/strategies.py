"""Ways to solve a problem, each a row of solutions from coarse to fine."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from sciml.framework.errors import ConvergenceWarning, ProblemWarning
from sciml.networks import MLP, Network, Parameters, SpectralFeatures, parameter_count
from sciml.problem.points import Points
from sciml.problem.problem import Problem
from sciml.problem.solution import Solution
from sciml.training.marching import march
from sciml.training.optimisers import Adam, CosineRate, GaussNewton, SSBroyden, Stage
from sciml.training.repeat import Repeat
from sciml.training.resampling import RAD
from sciml.training.solver import Solver

from .spaces import LARGEST, carried_over, grown, softened

# Conditions count ten times as much as the equation: their errors are those of the solution.
_WEIGHT = 100.0
_ROWS = 4
_EDGE_ROWS = 16
_LEAST_POINTS = 40
_WINDOWS = 5
_ROUNDS = 4


@dataclass(frozen=True)
class Step:
    """One solution of a strategy.

    Parameters
    ----------
    solution : Solution
        What was found.
    method : str
        What it was made of.
    fineness : float
        What grows from one to the next, and the error falls exponentially with, such as a degree.
    finest : float
        The largest the strategy goes to.
    seconds : float
        Wall time [s].
    """

    solution: Solution
    method: str
    fineness: float
    finest: float
    seconds: float

    @property
    def unknowns(self) -> int:
        """Number of parameters."""
        return parameter_count(self.solution.parameters)


Strategy: TypeAlias = Iterator[Step]


def spectral(problem: Problem, seed: int, space: SpectralFeatures) -> Strategy:
    """Yield least squares solutions with spectral features of growing degree."""
    soft = softened(problem)
    before: tuple[SpectralFeatures, Parameters] | None = None
    dimension = len(problem.pde.coordinates)
    fields = len(problem.pde.fields)
    while space.count * fields <= LARGEST:
        initial = None if before is None else _lifted(before, space)
        began = time.perf_counter()
        solution = _solved(soft, space, seed, initial)
        assert isinstance(space.degrees, tuple)
        degree = max(space.degrees)
        finest = degree * (LARGEST / (space.count * fields)) ** (1.0 / dimension)
        kind = "spectral features" + (" with singular functions" if space.enrichment else "")
        yield Step(
            solution, f"{kind}, degrees {space.degrees}", degree, finest,
            time.perf_counter() - began,
        )  # fmt: skip
        found = _network_parameters(solution)
        before, space = (space, solution.parameters), grown(space, found)


def windowed(problem: Problem, seed: int, space: SpectralFeatures) -> Strategy:
    """Yield solutions that march through windows of time, of growing degree."""
    soft = softened(problem)
    dimension, fields = len(problem.pde.coordinates), len(problem.pde.fields)
    while space.count * fields <= LARGEST / 2:
        began = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            solution = march(_solver(soft, space, seed), _WINDOWS)
        assert isinstance(space.degrees, tuple)
        degree = max(space.degrees)
        finest = degree * (LARGEST / 2 / (space.count * fields)) ** (1.0 / dimension)
        yield Step(
            solution, f"{_WINDOWS} windows in time, degrees {space.degrees}", degree, finest,
            time.perf_counter() - began,
        )  # fmt: skip
        last = solution.parameters[-1]
        space = grown(space, last)


def trained(problem: Problem, seed: int, width: int = 24) -> Strategy:
    """Yield two networks of different seeds in turn, each trained on and on.

    Points move to where the residual is large, without which fronts stay unresolved.
    """
    refined: tuple[Stage, ...] = (Repeat((RAD(), SSBroyden(500)), _ROUNDS),)
    network = MLP(hidden=(width, width, width), activation="tanh")
    parameters: list[Parameters | None] = [None, None]
    for k in range(40):
        mine = k % 2
        schedule = (Adam(1000, CosineRate(5e-3)), *refined) if k < 2 else refined
        began = time.perf_counter()
        solver = Solver(
            problem, network, schedule, Points(3000, 300), _weights(problem, network),
            seed + mine, "float64",
        )  # fmt: skip
        solution = _quietly(solver, parameters[mine])
        parameters[mine] = solution.parameters
        steps = 1000 + (k // 2 + 1) * _ROUNDS * 500
        yield Step(
            solution, f"MLP 3 x {width}, Adam and SSBroyden, {steps} steps", math.log(steps),
            math.log(41000), time.perf_counter() - began,
        )  # fmt: skip


def _lifted(
    before: tuple[SpectralFeatures, Parameters], space: SpectralFeatures
) -> Parameters | None:
    """Return where the finer space starts from; the unknown numbers of a problem go along."""
    coarse, parameters = before
    if "C" in parameters:
        return carried_over(parameters, coarse, space)
    return None


def _network_parameters(solution: Solution) -> Parameters:
    return solution.trial.split(solution.parameters)[0]


def _weights(problem: Problem, network: Network) -> Mapping[str, float]:
    """Return the weight of every condition by the name it has in the loss."""
    constraints = problem.trial(network).constraints(Points(2, 2), 0, {})
    return {c.name: _WEIGHT for c in constraints if ": " in c.name}


def _solver(problem: Problem, space: SpectralFeatures, seed: int) -> Solver[Solution]:
    dimension = len(problem.pde.coordinates)
    count = space.count * len(problem.pde.fields)
    around = round(_EDGE_ROWS * count ** ((dimension - 1) / dimension))
    return Solver(
        problem, replace(space, outputs=1), [GaussNewton(50, decrease=0.9)],
        Points(max(_LEAST_POINTS, _ROWS * count), max(_LEAST_POINTS, around)),
        _weights(problem, space), seed, "float64",
    )  # fmt: skip


def _solved(
    problem: Problem, space: SpectralFeatures, seed: int, initial: Parameters | None
) -> Solution:
    return _quietly(_solver(problem, space, seed), initial)


def _quietly(solver: Solver[Solution], initial: Parameters | None) -> Solution:
    with warnings.catch_warnings():
        # judged by what calls this, once for all solutions
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", ProblemWarning)
        return solver.solve(initial=initial)
