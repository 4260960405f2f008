"""RMSprop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from .base import Objective, Vector, require
from .first_order import GradientMethod, Memory, check_factors


@final
@dataclass(frozen=True)
class RMSprop(GradientMethod):
    """Steps along the gradient over the root of its running square.

    v <- b v + (1 - b) g^2, x <- x - rate g / (sqrt(v) + eps).

    Parameters
    ----------
    beta : float
        Forgetting factor b, in [0, 1).
    epsilon : float
        Added to the denominator, > 0.

    Raises
    ------
    ConfigError
        If a number is out of its range.

    References
    ----------
    Tieleman and Hinton (2012), Neural networks for machine learning, lecture 6.5.
    """

    beta: float = 0.9
    epsilon: float = 1e-8

    def check(self) -> None:
        check_factors("RMSprop", beta=self.beta)
        require(self.epsilon > 0.0, "RMSprop", "epsilon > 0", epsilon=self.epsilon)

    def empty(self, x: Vector, objective: Objective) -> Memory:
        return {"square": np.zeros_like(x)}

    def direction(
        self, x: Vector, gradient: Vector, memory: Memory, t: int
    ) -> tuple[Vector, Memory]:
        square = self.beta * memory["square"] + (1.0 - self.beta) * gradient**2
        return gradient / (np.sqrt(square) + self.epsilon), {"square": square}
