"""Adam, the first-order method that finds the basin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from .base import Objective, Vector, require
from .first_order import GradientMethod, Memory, check_factors


@dataclass(frozen=True)
class Moments:
    """Running mean and square of a gradient, without the bias of their start from zero.

    Parameters
    ----------
    beta1, beta2 : float
        Forgetting factors of mean and square, in [0, 1).
    epsilon : float
        Added to the denominator, > 0.
    """

    beta1: float
    beta2: float
    epsilon: float

    def empty(self, x: Vector) -> Memory:
        """Return zero moments."""
        return {"mean": np.zeros_like(x), "square": np.zeros_like(x)}

    def direction(self, gradient: Vector, memory: Memory, t: int) -> tuple[Vector, Memory]:
        """Return (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps) and the moments m and v."""
        mean = self.beta1 * memory["mean"] + (1.0 - self.beta1) * gradient
        square = self.beta2 * memory["square"] + (1.0 - self.beta2) * gradient**2
        scale = np.sqrt(square / (1.0 - self.beta2**t)) + self.epsilon
        return mean / (1.0 - self.beta1**t) / scale, {"mean": mean, "square": square}

    def check(self, method: str) -> None:
        """Refuse numbers out of range."""
        check_factors(method, beta1=self.beta1, beta2=self.beta2)
        require(self.epsilon > 0.0, method, "epsilon > 0", epsilon=self.epsilon)


@final
@dataclass(frozen=True)
class Adam(GradientMethod):
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

    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8

    @property
    def moments(self) -> Moments:
        """The running mean and square."""
        return Moments(self.beta1, self.beta2, self.epsilon)

    def check(self) -> None:
        self.moments.check("Adam")

    def empty(self, x: Vector, objective: Objective) -> Memory:
        return self.moments.empty(x)

    def direction(
        self, x: Vector, gradient: Vector, memory: Memory, t: int
    ) -> tuple[Vector, Memory]:
        return self.moments.direction(gradient, memory, t)
