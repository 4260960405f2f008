"""Weights by how fast each constraint's loss changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import softmax

from sciml.problem.constraint import Constraint

from ..optimisers.base import require
from .base import Balancer, Weighing, even
from .view import View


@final
@dataclass(frozen=True)
class SoftAdapt(Balancer):
    """More weight to losses that fall more slowly, or rise, than others.

    weight_k = n softmax(beta s / sum_j |s_j|)_k, for n constraints, with the change s of each mean
    squared residual since the last update. The first update has no change to look at: ones.

    Parameters
    ----------
    every : int
        Steps of a first-order method between two updates, >= 1.
    beta : float
        How sharply weights follow the changes; negative favours the fastest.
    by_loss : bool
        Whether to multiply the exponentials by the losses too, so that large ones count more.
    factors : Mapping of str to float
        What found weights are multiplied by, by name of the constraint, 1 where none is given.

    References
    ----------
    Heydari, Thompson and Mehmood (2019), SoftAdapt: techniques for adaptive loss weighting of
    neural networks with multi-part loss functions, section 3; normalised and loss-weighted
    variants. Their weights add up to one, these to the number of constraints.
    """

    every: int = 10
    beta: float = 0.1
    by_loss: bool = False

    def check_settings(self) -> None:
        """Refuse numbers out of range."""
        require(bool(np.isfinite(self.beta)), "SoftAdapt", "a number for beta", beta=self.beta)

    @property
    def by_point(self) -> bool:
        return False

    def check(self, constraints: Sequence[Constraint]) -> None:
        """Take any constraints."""

    def update(self, view: View, before: Weighing | None) -> Weighing:
        losses = view.losses
        memory = {"losses": losses}
        if before is None:
            return Weighing(even(view.constraints), memory)
        changes = losses - before.memory["losses"]
        total = np.abs(changes).sum()
        shares = softmax(self.beta * changes / total if total > 0.0 else changes)
        if self.by_loss and losses.any():
            shares = losses * shares / np.sum(losses * shares)
        return Weighing(tuple(np.asarray(w) for w in len(losses) * shares), memory)
