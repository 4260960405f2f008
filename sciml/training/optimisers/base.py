"""What every optimiser offers: a start, one step, and a state made of arrays."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sciml.framework.errors import ConfigError

Vector: TypeAlias = npt.NDArray[np.float64]
Objective: TypeAlias = Callable[[Vector], tuple[float, Vector]]
"""Maps parameters of shape (n,) to the loss and its gradient of shape (n,)."""


def require(holds: bool, method: str, expected: str, **got: object) -> None:
    """Refuse settings of a method that mean nothing, naming what was got and expected."""
    if not holds:
        given = ", ".join(f"{name}={value!r}" for name, value in got.items())
        raise ConfigError(f"{method}: expected {expected}, got {given}")


class StopReason(enum.Enum):
    """Why a stage of the schedule ended; the value is the sentence a user reads."""

    GRADIENT_TOLERANCE = "the gradient is below the tolerance"
    LOSS_TOLERANCE = "the loss is at or below the tolerance"
    PRECISION = "no further decrease is possible in float precision"
    LINE_SEARCH = "the line search found no acceptable step"
    STEP_LIMIT = "the step limit was reached"
    BUDGET = "the time budget was used up"
    TARGET = "the loss reached the target"
    PATIENCE = "the loss did not fall for the given number of steps"
    CALLBACK = "a callback asked for the end"


@dataclass(frozen=True)
class OptimiserState:
    """Everything an optimiser knows between two steps.

    Parameters
    ----------
    x : Vector
        Parameters, shape (n,).
    step : int
        Steps taken in this stage.
    value : float
        Loss [-]: at ``x`` for a line-search method, before the last update for Adam.
    gradient_norm : float
        Euclidean norm of the gradient where ``value`` was taken.
    rate : float
        Length of the last step, as a multiple of its direction.
    evaluations : int
        Calls of the objective in this stage.
    memory : Mapping of str to arrays
        What else the method carries (moments, histories).
    stop : StopReason or None
        Set once no further step should be taken.
    """

    x: Vector
    step: int
    value: float
    gradient_norm: float
    rate: float
    evaluations: int
    memory: Mapping[str, Vector]
    stop: StopReason | None = None

    def stopped(self, reason: StopReason) -> OptimiserState:
        """Return the same state, ended for a reason."""
        return replace(self, stop=reason)


class Stage(ABC):
    """A part of a schedule."""

    @property
    @abstractmethod
    def step_limit(self) -> int:
        """The largest number of steps of the stage."""


class Optimiser(Stage):
    """A method that lowers a loss, one step at a time."""

    @abstractmethod
    def start(self, x: Vector, objective: Objective) -> OptimiserState:
        """Return the state before the first step from ``x`` of shape (n,)."""

    @abstractmethod
    def advance(self, state: OptimiserState, objective: Objective) -> OptimiserState:
        """Return the state after one more step, or the same step with a stop reason."""


class WarmStarted(Optimiser):
    """A method that may go on with what a stage of the same method before it has learnt."""

    @abstractmethod
    def carried(self, state: OptimiserState) -> Mapping[str, Vector]:
        """Return the arrays of a last state that the next stage of this method may start from."""

    @abstractmethod
    def start_from(
        self, x: Vector, objective: Objective, carried: Mapping[str, Vector]
    ) -> OptimiserState:
        """Return the state before the first step from ``x`` with what another stage has carried."""


def minimise(optimiser: Optimiser, x: Vector, objective: Objective) -> OptimiserState:
    """Take steps until a stop reason appears; the loop of a run without its records.

    Examples
    --------
    >>> from sciml.training.optimisers import LBFGS
    >>> state = minimise(LBFGS(), np.array([3.0]), lambda x: (float(x[0] ** 2), 2 * x))
    >>> abs(float(state.x[0])) < 1e-8
    True
    """
    state = optimiser.start(x, objective)
    while state.stop is None:
        state = optimiser.advance(state, objective)
    return state
