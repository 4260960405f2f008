"""Gradient descent with momentum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from .base import Objective, Vector, require
from .first_order import GradientMethod, Memory, check_factors
from .rates import Rate


@final
@dataclass(frozen=True)
class SGD(GradientMethod):
    """Steps along the gradient, with momentum m <- mu m + g.

    x <- x - rate m, or x <- x - rate (g + mu m) by Nesterov.

    Parameters
    ----------
    momentum : float
        mu, in [0, 1).
    nesterov : bool
        Whether to look ahead along the momentum, which then must be positive.

    Raises
    ------
    ConfigError
        If a number is out of its range.

    References
    ----------
    Sutskever, Martens, Dahl and Hinton (2013), On the importance of initialization and momentum in
    deep learning, ICML, section 2; in the form with the rate outside of the momentum.

    Examples
    --------
    >>> from sciml.training.optimisers.base import minimise
    >>> state = minimise(SGD(50, 0.1, 0.5), np.ones(2), lambda x: (float(x @ x), 2 * x))
    >>> bool(abs(state.x).max() < 1e-6)
    True
    """

    rate: Rate | float = 1e-2
    momentum: float = 0.9
    nesterov: bool = False

    def check(self) -> None:
        check_factors("SGD", momentum=self.momentum)
        holds = self.momentum > 0.0 or not self.nesterov
        require(holds, "SGD", "momentum > 0 with nesterov", momentum=self.momentum)

    def empty(self, x: Vector, objective: Objective) -> Memory:
        return {"mean": np.zeros_like(x)}

    def direction(
        self, x: Vector, gradient: Vector, memory: Memory, t: int
    ) -> tuple[Vector, Memory]:
        mean = self.momentum * memory["mean"] + gradient
        ahead = gradient + self.momentum * mean if self.nesterov else mean
        return ahead, {"mean": mean}
