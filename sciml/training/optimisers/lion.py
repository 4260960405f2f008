"""Lion, steps by signs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from .base import Objective, Vector, require
from .first_order import GradientMethod, Memory, check_factors
from .rates import Rate


@final
@dataclass(frozen=True)
class Lion(GradientMethod):
    """Steps of one length along the signs of a running mean of the gradient.

    x <- x - rate (sign(b1 m + (1 - b1) g) + decay x), then m <- b2 m + (1 - b2) g.

    Parameters
    ----------
    rate : Rate or float
        Learning rate; about a tenth of that of Adam. It should fall to zero.
    beta1, beta2 : float
        Forgetting factors, in [0, 1).
    decay : float
        Weight decay, >= 0.

    Raises
    ------
    ConfigError
        If a number is out of its range.

    References
    ----------
    Chen et al. (2023), Symbolic discovery of optimization algorithms, NeurIPS, program 1.
    """

    rate: Rate | float = 1e-4
    beta1: float = 0.9
    beta2: float = 0.99
    decay: float = 0.0

    def check(self) -> None:
        check_factors("Lion", beta1=self.beta1, beta2=self.beta2)
        require(self.decay >= 0.0, "Lion", "decay >= 0", decay=self.decay)

    def empty(self, x: Vector, objective: Objective) -> Memory:
        return {"mean": np.zeros_like(x)}

    def direction(
        self, x: Vector, gradient: Vector, memory: Memory, t: int
    ) -> tuple[Vector, Memory]:
        mean = memory["mean"]
        sign = np.sign(self.beta1 * mean + (1.0 - self.beta1) * gradient)
        return sign + self.decay * x, {"mean": self.beta2 * mean + (1.0 - self.beta2) * gradient}
