"""Weights of points that climb where the residual stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from sciml.problem.constraint import Array

from ..optimisers.base import require
from .multipliers import PointMultipliers


@final
@dataclass(frozen=True)
class SelfAdaptive(PointMultipliers):
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

    def check_settings(self) -> None:
        """Refuse numbers out of range."""
        require(self.rate > 0.0, "SelfAdaptive", "rate > 0", rate=self.rate)

    def first(self, r: Array) -> Array:
        return np.ones_like(r)

    def next(self, m: Array, r: Array) -> Array:
        return np.asarray(m + self.rate * m * r**2)
