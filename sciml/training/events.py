"""What may watch a training and end it: plain functions, called at four moments."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, final

from .loop import Position, StageEnd
from .optimisers import Stage, StopReason
from .optimisers.base import require


class Moment(enum.Enum):
    """When a callback is called."""

    START = "before the first step"
    STEP = "after a step"
    STAGE_END = "after the last step of a stage, instead of STEP"
    END = "after the last step of all; what is returned is ignored"


@final
@dataclass(frozen=True)
class Event:
    """What a callback is told.

    Parameters
    ----------
    moment : Moment
        When.
    position : Position
        Parameters, step, loss, elapsed time; to be read only.
    stage : str
        Name of the method; empty before the first step.
    """

    moment: Moment
    position: Position
    stage: str


Callback: TypeAlias = Callable[[Event], bool | StopReason | None]
"""Returns True or a `StopReason` to end the training, anything false to go on."""


def watched(
    moves: Iterable[Position],
    schedule: Sequence[Stage],
    start: Position,
    callbacks: Sequence[Callback],
) -> Iterator[Position]:
    """Yield positions, and end with a closed one where a callback asks for the end.

    Parameters
    ----------
    moves : iterable of Position
        The steps, from `advance`.
    schedule : sequence of Stage
        The stages they belong to.
    start : Position
        Where training starts or goes on.
    callbacks : sequence of Callback
        All are called at each moment, in order; the first reason counts.
    """
    position, stage = start, ""
    reason = _asked(callbacks, Event(Moment.START, position, stage))
    if reason is not None:
        position = closed_early(position, schedule, reason)
        yield position
    else:
        for moved in moves:
            ended = len(moved.ends) != len(position.ends)
            stage = moved.ends[-1].optimiser if ended else type(schedule[moved.stage]).__name__
            moment = Moment.STAGE_END if ended else Moment.STEP
            position = moved
            reason = _asked(callbacks, Event(moment, position, stage))
            if reason is not None:
                position = closed_early(position, schedule, reason)
            yield position
            if reason is not None:
                break
    _asked(callbacks, Event(Moment.END, position, stage))


def _asked(callbacks: Sequence[Callback], event: Event) -> StopReason | None:
    answers = [callback(event) for callback in callbacks]
    for answer in answers:
        if answer:
            return answer if isinstance(answer, StopReason) else StopReason.CALLBACK
    return None


def closed_early(position: Position, schedule: Sequence[Stage], reason: StopReason) -> Position:
    """Return the position past the last stage, with the stage it was in ended for a reason."""
    state = position.state
    if state is None:
        return replace(position, stage=len(schedule))
    end = StageEnd(
        type(schedule[position.stage]).__name__, state.step, state.evaluations, reason,
        position.loss, state.gradient_norm, state.rate,
    )  # fmt: skip
    return replace(position, stage=len(schedule), state=None, ends=(*position.ends, end))


@final
@dataclass(frozen=True)
class EarlyStopping:
    """Ends a training that is good enough, or that no longer gets better.

    Parameters
    ----------
    loss : float or None
        The loss at which to end [-], > 0.
    patience : int or None
        Steps without a lower loss after which to end, >= 1.

    Raises
    ------
    ConfigError
        If neither is given, or a number is out of its range.

    Examples
    --------
    >>> watch = EarlyStopping(patience=2).watch()
    >>> [watch(step, loss) for step, loss in enumerate((3.0, 2.0, 2.5, 2.0))]
    [None, None, None, <StopReason.PATIENCE: 'the loss did not fall for the given number of steps'>]
    """

    loss: float | None = None
    patience: int | None = None

    def __post_init__(self) -> None:
        """Refuse what would never end, or at once."""
        given = self.loss is not None or self.patience is not None
        require(given, "EarlyStopping", "a loss or a patience", loss=None, patience=None)
        require(self.loss is None or self.loss > 0.0, "EarlyStopping", "loss > 0", loss=self.loss)
        require(
            self.patience is None or self.patience >= 1, "EarlyStopping", "patience >= 1",
            patience=self.patience,
        )  # fmt: skip

    def watch(self) -> Callable[[int, float], StopReason | None]:
        """Return a function of step and loss, which says why to end or nothing.

        What it remembers follows from the steps and losses it was given, so that a resumed run
        gives it those of its history again.
        """
        best, since = float("inf"), 0

        def seen(step: int, loss: float) -> StopReason | None:
            nonlocal best, since
            if loss < best:
                best, since = loss, step
            if self.loss is not None and loss <= self.loss:
                return StopReason.TARGET
            if self.patience is not None and step - since >= self.patience:
                return StopReason.PATIENCE
            return None

        return seen

    def callback(self) -> Callback:
        """Return it as a callback of one training, for ``Solver.solve(on_step=...)``."""
        seen = self.watch()

        def ask(event: Event) -> StopReason | None:
            if event.moment in (Moment.START, Moment.END):
                return None
            return seen(event.position.step, event.position.loss)

        return ask
