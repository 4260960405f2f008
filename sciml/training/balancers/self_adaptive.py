"""Weights of points that climb where the residual stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from sciml.problem.constraint import Constraint

from ..optimisers.base import require
from .base import Balancer, Weighing, check_names
from .view import View


@final
@dataclass(frozen=True)
class SelfAdaptive(Balancer):
    """Weights of points that climb the loss while the parameters descend it.

    The loss is mean(m^2 r^2) with a multiplier m of each point, which starts at one;
    m <- m + rate m r^2 is a step of gradient ascent (the number of points and a factor two are
    part of the rate).

    Parameters
    ----------
    every : int
        Steps of a first-order method between two updates, >= 1.
    rate : float
        Size of the steps upwards, > 0.
    constraints : tuple of str
        Names of the constraints whose points are weighed; none means all.
    factors : Mapping of str to float
        What found weights are multiplied by, by name of the constraint, 1 where none is given.

    References
    ----------
    McClenny and Braga-Neto (2023), Self-adaptive physics-informed neural networks, J. Comput.
    Phys. 474, 111722, section 3, with the mask m^2.
    """

    every: int = 1
    rate: float = 0.01
    constraints: tuple[str, ...] = ()

    def check_settings(self) -> None:
        """Refuse numbers out of range."""
        require(self.rate > 0.0, "SelfAdaptive", "rate > 0", rate=self.rate)

    @property
    def by_point(self) -> bool:
        return True

    def check(self, constraints: Sequence[Constraint]) -> None:
        check_names("SelfAdaptive", self.constraints, constraints)

    def update(self, view: View, before: Weighing | None) -> Weighing:
        weights = []
        for number, (c, r) in enumerate(zip(view.constraints, view.residuals, strict=True)):
            if self.constraints and c.name not in self.constraints:
                weights.append(np.ones(()))
                continue
            m = np.ones_like(r) if before is None else np.sqrt(before.weights[number])
            weights.append((m + self.rate * m * r**2) ** 2)
        return Weighing(tuple(weights))
