"""The schedule of optimisers as a sequence of positions, each enough to go on from."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sciml.framework.errors import ConfigError, NonFiniteError

from .balancers import Weighing
from .optimisers import (
    FirstOrder,
    Objective,
    Optimiser,
    OptimiserState,
    Stage,
    StopReason,
    Vector,
    WarmStarted,
)
from .optimisers.squares import SecondOrder
from .resampling import Arrays, Resampling

Move = Callable[[Resampling, "Position"], tuple[Arrays, ...]]
Reweigh = Callable[["Position"], Weighing | None]


@dataclass(frozen=True)
class StageEnd:
    """How a finished stage went.

    Parameters
    ----------
    optimiser : str
        Name of the method.
    steps, evaluations : int
        Steps taken and calls of the loss.
    stop : StopReason
        Why it ended.
    loss : float
        Last known loss [-].
    gradient_norm, rate : float
        Of the last step.
    """

    optimiser: str
    steps: int
    evaluations: int
    stop: StopReason
    loss: float
    gradient_norm: float
    rate: float


@dataclass(frozen=True)
class Position:
    """Where training stands between two steps; resuming needs nothing else.

    Parameters
    ----------
    x : Vector
        Parameters, shape (n,).
    step : int
        Steps over all stages.
    stage : int
        Index into the schedule; its length when training is over.
    state : OptimiserState or None
        State of the current stage; None before its start.
    ends : tuple of StageEnd
        The finished stages.
    elapsed_s : float
        Time spent in steps so far [s], over all sessions of the run.
    points : tuple of tuples of arrays
        The points of each constraint where a stage moved them; empty before.
    carried : Mapping of str to arrays
        What the last optimiser leaves to the next one, which is of the same method; mostly empty.
    weighing : Weighing or None
        The weights in force where a balancer finds them.
    """

    x: Vector
    step: int = 0
    stage: int = 0
    state: OptimiserState | None = None
    ends: tuple[StageEnd, ...] = ()
    elapsed_s: float = 0.0
    points: tuple[Arrays, ...] = ()
    carried: Mapping[str, Vector] = field(default_factory=dict)
    weighing: Weighing | None = None

    @property
    def loss(self) -> float:
        """The last known loss [-], NaN before the first evaluation."""
        if self.state is not None and not math.isnan(self.state.value):
            return self.state.value
        return self.ends[-1].loss if self.ends else math.nan


def total_steps(schedule: Sequence[Stage]) -> int:
    """Return the largest number of steps the schedule may take."""
    return sum(stage.step_limit for stage in schedule)


def advance(
    schedule: Sequence[Stage],
    position: Position,
    objective: Objective,
    budget_s: float | None,
    move: Move | None = None,
    reweigh: Reweigh | None = None,
) -> Iterator[Position]:
    """Yield the position after every step until the schedule ends.

    Parameters
    ----------
    schedule : sequence of Stage
        The stages in order; optimisers, and others that move points between them.
    position : Position
        Where to go on from; a fresh one holds the initial parameters only.
    objective : Objective
        Loss and gradient.
    budget_s : float or None
        Largest time over all steps [s], checked between steps.
    move : function or None
        Moves the points that the objective is taken at as a stage says, and returns them.
    reweigh : function or None
        Changes the weights of the objective where that is due, and returns them; asked before
        each step of a first-order method, and at the start of the others.

    Raises
    ------
    NonFiniteError
        When an accepted step, or the end of the schedule, has a loss that is not a finite number.
        The last position yielded is the last good one.

    Notes
    -----
    Positions are immutable, so an exception or Ctrl-C in the middle of a step leaves the last
    one whole.
    """
    while position.stage < len(schedule):
        optimiser, began = schedule[position.stage], time.perf_counter()
        if isinstance(optimiser, Resampling):
            if move is None:
                raise ConfigError(f"{type(optimiser).__name__}: this loss has no points to move")
            points = move(optimiser, position)
            spent = time.perf_counter() - began
            position = replace(
                position, stage=position.stage + 1, points=points,
                elapsed_s=position.elapsed_s + spent,
            )  # fmt: skip
            continue
        assert isinstance(optimiser, Optimiser)
        fresh = position.state is None
        if reweigh is not None and (fresh or isinstance(optimiser, FirstOrder)):
            position = replace(position, weighing=reweigh(position))
        with np.errstate(over="ignore", invalid="ignore"):
            before = position.state or _started(optimiser, position, objective)
            _require_finite(before, position.step, optimiser)
            state = before if fresh and before.stop else optimiser.advance(before, objective)
        _require_finite(state, position.step + 1, optimiser)
        elapsed = position.elapsed_s + time.perf_counter() - began
        if state.stop is None and budget_s is not None and elapsed >= budget_s:
            state = state.stopped(StopReason.BUDGET)
        position = replace(
            position, x=state.x, state=state, elapsed_s=elapsed,
            step=position.step + state.step - before.step, carried={},
        )  # fmt: skip
        if state.stop is not None:
            position = _closed(position, schedule, state, state.stop)
            if position.stage == len(schedule) and not isinstance(optimiser, SecondOrder):
                _require_finite_end(objective, position, optimiser)
        yield position


def _started(optimiser: Optimiser, position: Position, objective: Objective) -> OptimiserState:
    if position.carried and isinstance(optimiser, WarmStarted):
        return optimiser.start_from(position.x, objective, position.carried)
    return optimiser.start(position.x, objective)


def _closed(
    position: Position, schedule: Sequence[Stage], state: OptimiserState, stop: StopReason
) -> Position:
    """Return the position at the start of the next stage, or past the last when time is up."""
    optimiser = schedule[position.stage]
    end = StageEnd(
        type(optimiser).__name__, state.step, state.evaluations, stop, position.loss,
        state.gradient_norm, state.rate,
    )  # fmt: skip
    following = len(schedule) if stop is StopReason.BUDGET else position.stage + 1
    later = (s for s in schedule[following:] if isinstance(s, Optimiser))
    carried: Mapping[str, Vector] = {}
    if isinstance(optimiser, WarmStarted) and type(next(later, None)) is type(optimiser):
        carried = optimiser.carried(state)
    ends = (*position.ends, end)
    return replace(position, stage=following, state=None, ends=ends, carried=carried)


def _require_finite(state: OptimiserState, step: int, optimiser: Optimiser) -> None:
    if state.evaluations > 0:
        _require_numbers(state.value, state.gradient_norm, step, optimiser)


def _require_finite_end(objective: Objective, position: Position, optimiser: Optimiser) -> None:
    """Evaluate where training ends: the last value of Adam is from before its last update."""
    with np.errstate(over="ignore", invalid="ignore"):
        value, gradient = objective(position.x)
        _require_numbers(value, float(np.linalg.norm(gradient)), position.step, optimiser)


def _require_numbers(value: float, norm: float, step: int, optimiser: Optimiser) -> None:
    if not (math.isfinite(value) and math.isfinite(norm)):
        raise NonFiniteError(
            f"step {step} ({type(optimiser).__name__}): the loss is {value} and the norm "
            f"of its gradient {norm}"
        )
