"""Solutions that `solver: auto` found: what they are made of, beside their parameters."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import dataclass

from sciml.equations import Condition
from sciml.framework.errors import CheckpointError
from sciml.networks import Network, Parameters
from sciml.problem.problem import Problem
from sciml.problem.solution import Solution
from sciml.problem.trial import Trial
from sciml.problem.windows import WindowedTrial, space_time, window
from sciml.training.atomic import write_text
from sciml.training.checkpoint import Checkpoint
from sciml.training.loop import Position
from sciml.training.session import Packing

from . import checkpoints
from .config import SCHEMA, RunConfig, digest
from .document import read
from .dump import plain, yaml_text
from .folder import RunFolder


@dataclass(frozen=True)
class Made:
    """What a solution is made of, as ``found.yaml`` holds it.

    Parameters
    ----------
    networks : tuple of Network
        Its trial space; of each window, where it has windows.
    conditions : tuple of Condition
        Those of the problem, each exact or in the loss as it was for this solution.
    windows : tuple of float
        The times at which its windows end [s]; none where it has no windows.
    """

    networks: tuple[Network, ...]
    conditions: tuple[Condition, ...]
    windows: tuple[float, ...] = ()


def store(folder: RunFolder, config: RunConfig, solution: Solution) -> None:
    """Write ``found.yaml`` and the parameters as a checkpoint.

    Raises
    ------
    OutputError
        When the folder cannot be written.
    """
    trial = solution.trial
    if isinstance(trial, WindowedTrial):
        networks = [t.network for t in trial.trials]
        ends = (*trial.edges, space_time(trial.problem).end)
    else:
        networks, ends = [trial.network], ()
    made = Made(tuple(networks), tuple(trial.problem.conditions), tuple(map(float, ends)))
    text = yaml_text(plain(made, Made, SCHEMA))
    write_text(folder.found, text)
    x = Packing(solution.parameters).pack(solution.parameters)
    checkpoint = Checkpoint(Position(x), 0, _digest(config, text))
    checkpoints.store(folder.checkpoints, checkpoint, keep=1)


def load(folder: RunFolder, config: RunConfig) -> Solution:
    """Return the solution that was stored.

    Raises
    ------
    CheckpointError
        When there is none, or it belongs to another configuration.
    """
    checkpoint = checkpoints.newest(folder.checkpoints, lambda text: None)
    if checkpoint is None or not folder.found.is_file():
        raise CheckpointError(f"{folder.path}: nothing was found yet; sciml resume searches")
    if checkpoint.problem != _digest(config, folder.found.read_text(encoding="utf-8")):
        raise CheckpointError(
            f"{folder.checkpoints}: belongs to another run than {folder.config} and "
            f"{folder.found}; run the problem again"
        )
    made = SCHEMA.build(Made, read(folder.found))
    problem = Problem(config.geometry, config.pde, made.conditions)
    x = checkpoint.position.x
    if not made.windows:
        trial = problem.trial(made.networks[0])
        return trial.solution(Packing(trial.initialise(0)).unpack(x))
    return _windowed(problem, made, x)


def _windowed(problem: Problem, made: Made, x: Parameters) -> Solution:
    """Return a solution of windows; each needs the one before, whose end is its start."""
    edges = (space_time(problem).start, *made.windows)
    size = len(x) // len(made.windows)
    trials: list[Trial] = []
    solutions: list[Solution] = []
    for number, (start, end) in enumerate(itertools.pairwise(edges)):
        part = window(problem, start, end, solutions[-1] if solutions else None)
        trial = part.trial(made.networks[number])
        trials.append(trial)
        own = x[number * size : (number + 1) * size]
        solutions.append(trial.solution(Packing(trial.initialise(0)).unpack(own)))
    return WindowedTrial(problem, trials).solution([s.parameters for s in solutions])


def _digest(config: RunConfig, text: str) -> str:
    return hashlib.sha256(f"{digest(config)}\n{text}".encode()).hexdigest()
