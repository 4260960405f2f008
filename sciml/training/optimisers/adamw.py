"""AdamW: Adam with a decay of the parameters of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from .adam import Moments
from .base import Objective, Vector, require
from .first_order import GradientMethod, Memory


@final
@dataclass(frozen=True)
class AdamW(GradientMethod):
    """Adam with parameters that decay by themselves: x <- x - rate (d + decay x).

    d is the direction of `Adam`, whose settings these are. The rate multiplies the decay too, which
    in the reference is scaled by the schedule alone.

    Parameters
    ----------
    beta1, beta2 : float
        Forgetting factors of mean and square, in [0, 1).
    epsilon : float
        Added to the denominator, > 0.
    decay : float
        Weight decay, >= 0; of the order of 0.01.

    Raises
    ------
    ConfigError
        If a number is out of its range.

    References
    ----------
    Loshchilov and Hutter (2019), Decoupled weight decay regularization, algorithm 2.
    """

    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8
    decay: float = 0.01

    @property
    def moments(self) -> Moments:
        """The running mean and square."""
        return Moments(self.beta1, self.beta2, self.epsilon)

    def check(self) -> None:
        self.moments.check("AdamW")
        require(self.decay >= 0.0, "AdamW", "decay >= 0", decay=self.decay)

    def empty(self, x: Vector, objective: Objective) -> Memory:
        return self.moments.empty(x)

    def direction(
        self, x: Vector, gradient: Vector, memory: Memory, t: int
    ) -> tuple[Vector, Memory]:
        direction, memory = self.moments.direction(gradient, memory, t)
        return direction + self.decay * x, memory
