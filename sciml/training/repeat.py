"""Stages that come again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from .optimisers.base import Stage, require


@final
@dataclass(frozen=True)
class Repeat(Stage):
    """A row of stages, several times over.

    A schedule with it is the same as one in which they are written out.

    Parameters
    ----------
    stages : tuple of Stage
        Stages in order, at least one.
    times : int
        How often they come, >= 1.

    Raises
    ------
    ConfigError
        If there are no stages or no times.

    Examples
    --------
    >>> from sciml.training.optimisers import SSBroyden
    >>> from sciml.training.resampling import RAD
    >>> Repeat((RAD(), SSBroyden(500)), times=20).step_limit
    10000
    """

    stages: tuple[Stage, ...]
    times: int = 10

    def __post_init__(self) -> None:
        """Take lists for tuples, and refuse what means nothing."""
        object.__setattr__(self, "stages", tuple(self.stages))
        holds = len(self.stages) >= 1 and self.times >= 1
        require(holds, "Repeat", "a stage or more, and times >= 1",
                stages=self.stages, times=self.times)  # fmt: skip

    @property
    def step_limit(self) -> int:
        """The largest number of steps, over all times."""
        return self.times * sum(stage.step_limit for stage in self.stages)


def written_out(schedule: Sequence[Stage]) -> tuple[Stage, ...]:
    """Return a schedule with the stages of each `Repeat` in its place."""
    found: list[Stage] = []
    for stage in schedule:
        if isinstance(stage, Repeat):
            found += written_out(stage.stages) * stage.times
        else:
            found.append(stage)
    return tuple(found)
