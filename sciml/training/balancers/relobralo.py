"""Weights by the progress of each loss, with random looks back to the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import softmax

from sciml.problem.constraint import Constraint

from ..optimisers.base import Vector, require
from .base import Balancer, Weighing, even
from .view import View


@final
@dataclass(frozen=True)
class ReLoBRaLo(Balancer):
    """Relative loss balancing with random lookback.

    b(t, t') = n softmax(L(t) / (temperature L(t'))), for n constraints and mean squared residuals
    L; weight(t) = alpha (rho weight(t - 1) + (1 - rho) b(t, 0)) + (1 - alpha) b(t, t - 1), where
    rho is drawn at every update: 1, or 0 for a look back to the first losses.

    Parameters
    ----------
    every : int
        Steps of a first-order method between two updates, >= 1.
    alpha : float
        How much the past counts, in [0, 1].
    lookback : float
        Mean of rho, in [0, 1].
    temperature : float
        The smaller the sharper, > 0.
    factors : Mapping of str to float
        What found weights are multiplied by, by name of the constraint, 1 where none is given.

    References
    ----------
    Bischof and Kraus (2025), Multi-objective loss balancing for physics-informed deep learning,
    Comput. Methods Appl. Mech. Eng. 439, 117914, equations 9 to 11.
    """

    every: int = 1
    alpha: float = 0.999
    lookback: float = 0.999
    temperature: float = 0.1

    def check_settings(self) -> None:
        """Refuse numbers out of range."""
        holds = 0.0 <= self.alpha <= 1.0 and 0.0 <= self.lookback <= 1.0
        require(holds, "ReLoBRaLo", "alpha and lookback in [0, 1]",
                alpha=self.alpha, lookback=self.lookback)  # fmt: skip
        require(self.temperature > 0.0, "ReLoBRaLo", "temperature > 0",
                temperature=self.temperature)  # fmt: skip

    @property
    def by_point(self) -> bool:
        return False

    def check(self, constraints: Sequence[Constraint]) -> None:
        """Take any constraints."""

    def update(self, view: View, before: Weighing | None) -> Weighing:
        losses = view.losses
        if before is None:
            return Weighing(even(view.constraints), {"first": losses, "last": losses})
        first, last = before.memory["first"], before.memory["last"]
        rho = float(view.random.random() < self.lookback)
        old = np.array(before.weights)
        past = rho * old + (1.0 - rho) * self._balanced(losses, first)
        weights = self.alpha * past + (1.0 - self.alpha) * self._balanced(losses, last)
        memory = {"first": first, "last": losses}
        return Weighing(tuple(np.asarray(w) for w in weights), memory)

    def _balanced(self, losses: Vector, earlier: Vector) -> Vector:
        # a loss that was zero and still is has made no progress to compare: a ratio of one
        ratio = np.divide(losses, earlier, out=np.ones_like(losses), where=earlier > 0.0)
        return np.asarray(len(losses) * softmax(ratio / self.temperature), dtype=float)
