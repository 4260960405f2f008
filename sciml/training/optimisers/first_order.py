"""What the first-order methods share: a number of steps, a rate, and one evaluation a step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np

from .base import Objective, Optimiser, OptimiserState, StopReason, Vector, require
from .rates import ConstantRate, ObservingRate, Rate

Memory: TypeAlias = Mapping[str, Vector]
_SEEN = "rate"


class FirstOrder(Optimiser):
    """A method that takes one gradient a step and bears a loss that changes between steps."""


@dataclass(frozen=True)
class GradientMethod(FirstOrder):
    """Steps from the gradient and what a method remembers of earlier ones.

    Parameters
    ----------
    steps : int
        Steps of the stage, >= 0.
    rate : Rate or float
        Learning rate, a number for a constant one.

    Raises
    ------
    ConfigError
        If a number is out of its range.
    """

    steps: int = 1000
    rate: Rate | float = 1e-3

    @final
    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        name = type(self).__name__
        require(self.steps >= 0, name, "steps >= 0", steps=self.steps)
        if not isinstance(self.rate, Rate):
            require(self.rate > 0.0, name, "rate > 0", rate=self.rate)
        self.check()

    @abstractmethod
    def check(self) -> None:
        """Refuse settings of the method that mean nothing."""

    @abstractmethod
    def empty(self, x: Vector, objective: Objective) -> Memory:
        """Return the memory before the first step."""

    @abstractmethod
    def direction(
        self, x: Vector, gradient: Vector, memory: Memory, t: int
    ) -> tuple[Vector, Memory]:
        """Return d of step number ``t`` (from 1), by which x' = x - rate d, and the memory after.

        d has shape (n,); ``memory`` is not changed.
        """

    @final
    @property
    def step_limit(self) -> int:
        """The number of steps."""
        return self.steps

    @final
    @property
    def schedule(self) -> Rate:
        """The learning rate as a function of the step."""
        return self.rate if isinstance(self.rate, Rate) else ConstantRate(self.rate)

    @final
    def start(self, x: Vector, objective: Objective) -> OptimiserState:
        """Return an empty memory; the loss is first known after one step."""
        memory, rate = dict(self.empty(x, objective)), self.schedule
        if isinstance(rate, ObservingRate):
            memory[_SEEN] = rate.unseen()
        state = OptimiserState(x.copy(), 0, np.nan, np.nan, rate.at(0, self.steps), 0, memory)
        return state.stopped(StopReason.STEP_LIMIT) if self.steps == 0 else state

    @final
    def advance(self, state: OptimiserState, objective: Objective) -> OptimiserState:
        """Evaluate once and move."""
        if state.step >= self.steps:
            return state.stopped(StopReason.STEP_LIMIT)
        value, gradient = objective(state.x)
        schedule, t = self.schedule, state.step + 1
        rate, seen = schedule.at(state.step, self.steps), {}
        if isinstance(schedule, ObservingRate):
            seen[_SEEN] = schedule.observe(state.memory[_SEEN], value)
            rate *= schedule.factor(seen[_SEEN])
        direction, memory = self.direction(state.x, gradient, state.memory, t)
        moved = OptimiserState(
            state.x - rate * direction, t, value, float(np.linalg.norm(gradient)), rate,
            state.evaluations + 1, {**memory, **seen},
        )  # fmt: skip
        return moved.stopped(StopReason.STEP_LIMIT) if t >= self.steps else moved


def check_factors(method: str, **factors: float) -> None:
    """Refuse forgetting factors that are not in [0, 1)."""
    holds = all(0.0 <= factor < 1.0 for factor in factors.values())
    require(holds, method, "factors in [0, 1)", **factors)
