"""Adam, the first-order method that finds the basin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .base import Objective, Optimiser, OptimiserState, StopReason, Vector, require
from .rates import ConstantRate, Rate


@dataclass(frozen=True)
class Adam(Optimiser):
    """Steps along the running mean of the gradient over the root of its running square.

    m <- b1 m + (1 - b1) g, v <- b2 v + (1 - b2) g^2,
    x <- x - rate (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps).

    Parameters
    ----------
    steps : int
        Steps of the stage, >= 0.
    rate : Rate or float
        Learning rate, a number for a constant one.
    beta1, beta2 : float
        Forgetting factors of mean and square, in [0, 1).
    epsilon : float
        Added to the denominator, > 0.

    Raises
    ------
    ConfigError
        If a number is out of its range.

    References
    ----------
    Kingma and Ba (2015), algorithm 1.
    """

    steps: int = 1000
    rate: Rate | float = 1e-3
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        require(self.steps >= 0, "Adam", "steps >= 0", steps=self.steps)
        factors = 0.0 <= self.beta1 < 1.0 and 0.0 <= self.beta2 < 1.0
        require(factors, "Adam", "factors in [0, 1)", beta1=self.beta1, beta2=self.beta2)
        require(self.epsilon > 0.0, "Adam", "epsilon > 0", epsilon=self.epsilon)
        if not isinstance(self.rate, Rate):
            require(self.rate > 0.0, "Adam", "rate > 0", rate=self.rate)

    @property
    def step_limit(self) -> int:
        """The number of steps."""
        return self.steps

    def rate_at(self, step: int) -> float:
        """Return the learning rate of a step (from 0)."""
        rate = self.rate if isinstance(self.rate, Rate) else ConstantRate(self.rate)
        return rate.at(step, self.steps)

    def start(self, x: Vector, objective: Objective) -> OptimiserState:
        """Return zero moments; the loss is first known after one step."""
        memory = {"mean": np.zeros_like(x), "square": np.zeros_like(x)}
        state = OptimiserState(x.copy(), 0, np.nan, np.nan, self.rate_at(0), 0, memory)
        return state.stopped(StopReason.STEP_LIMIT) if self.steps == 0 else state

    def advance(self, state: OptimiserState, objective: Objective) -> OptimiserState:
        """Evaluate once and move."""
        if state.step >= self.steps:
            return state.stopped(StopReason.STEP_LIMIT)
        value, gradient = objective(state.x)
        t = state.step + 1
        rate = self.rate_at(state.step)
        mean = self.beta1 * state.memory["mean"] + (1.0 - self.beta1) * gradient
        square = self.beta2 * state.memory["square"] + (1.0 - self.beta2) * gradient**2
        scale = np.sqrt(square / (1.0 - self.beta2**t)) + self.epsilon
        moved = OptimiserState(
            state.x - rate * (mean / (1.0 - self.beta1**t)) / scale,
            t,
            value,
            float(np.linalg.norm(gradient)),
            rate,
            state.evaluations + 1,
            {"mean": mean, "square": square},
        )
        return moved.stopped(StopReason.STEP_LIMIT) if t >= self.steps else moved
