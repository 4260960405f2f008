"""What the balancers have in common whose points carry a multiplier each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from sciml.problem.constraint import Array, Constraint

from .base import Balancer, Weighing, check_names
from .view import View


@dataclass(frozen=True)
class PointMultipliers(Balancer):
    """The loss is mean(m^2 r^2), with a multiplier m of each point that follows its residual r.

    Parameters
    ----------
    every, factors
        As of `Balancer`.
    constraints : tuple of str
        Names of the constraints whose points are weighed; none means all.
    """

    constraints: tuple[str, ...] = ()

    @abstractmethod
    def first(self, r: Array) -> Array:
        """Return the multipliers that the first update starts from, shape (n,)."""

    @abstractmethod
    def next(self, m: Array, r: Array) -> Array:
        """Return the multipliers after those before, at residuals of shape (n,)."""

    @property
    @final
    def by_point(self) -> bool:
        return True

    @final
    def check(self, constraints: Sequence[Constraint]) -> None:
        check_names(type(self).__name__, self.constraints, constraints)

    @final
    def update(self, view: View, before: Weighing | None) -> Weighing:
        weights = []
        for number, (c, r) in enumerate(zip(view.constraints, view.residuals, strict=True)):
            if self.constraints and c.name not in self.constraints:
                weights.append(np.ones(()))
                continue
            m = self.first(r) if before is None else np.sqrt(before.weights[number])
            weights.append(self.next(m, r) ** 2)
        return Weighing(tuple(weights))
