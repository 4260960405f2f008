"""The solution that a run folder holds."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

from sciml.framework.errors import CheckpointError
from sciml.problem.solution import Solution

from . import catalogue, checkpoints, folder, found
from .config import Automatic, RunConfig, digest
from .folder import RunFolder
from .report import Reporter


@dataclass(frozen=True)
class Reopened:
    """A run with the solution of its newest checkpoint."""

    folder: RunFolder
    config: RunConfig
    solution: Solution


def reopened(path: Path, reporter: Reporter) -> Reopened:
    """Return the run in a folder, finished or not.

    Parameters
    ----------
    path : Path
        Its folder.
    reporter : Reporter
        Is told of a checkpoint that cannot be read.

    Raises
    ------
    ConfigError
        When there is no run in it.
    CheckpointError
        When there is no checkpoint, or it belongs to another configuration.
    """
    place = folder.existing(path)
    config = catalogue.load(str(place.config))
    if isinstance(config.solver, Automatic):
        return Reopened(place, config, found.load(place, config))
    checkpoint = checkpoints.newest(place.checkpoints, reporter.say)
    if checkpoint is None or checkpoint.problem != digest(config):
        reason = (
            "holds none" if checkpoint is None else f"belongs to another run than {place.config}"
        )
        raise CheckpointError(f"{place.checkpoints}: {reason}; run the problem again")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were said when it ran
        training = config.build().prepare()
    return Reopened(place, config, training.solution(checkpoint.position))
