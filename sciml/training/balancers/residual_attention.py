"""Weights of points by a running mean of their residuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from sciml.problem.constraint import Array

from ..optimisers.base import require
from .multipliers import PointMultipliers


@final
@dataclass(frozen=True)
class ResidualAttention(PointMultipliers):
    """Residual-based attention (RBA): points whose residual stays large get more weight.

    The loss is mean(m^2 r^2) with m <- decay m + rate |r| / max |r|, from m = 0 on, so that m is
    at most rate / (1 - decay).

    Parameters
    ----------
    every : int
        Steps of a first-order method between two updates, >= 1.
    decay : float
        Share of m that stays, in [0, 1).
    rate : float
        Share of the new residuals, > 0.
    constraints : tuple of str
        Names of the constraints whose points are weighed; none means all.
    factors : Mapping of str to float
        What found weights are multiplied by, by name of the constraint, 1 where none is given.

    References
    ----------
    Anagnostopoulos, Toscano, Stergiopulos and Karniadakis (2024), Residual-based attention in
    physics-informed neural networks, Comput. Methods Appl. Mech. Eng. 421, 116805, equation 7.
    """

    every: int = 1
    decay: float = 0.999
    rate: float = 0.01

    def check_settings(self) -> None:
        """Refuse numbers out of range."""
        name = "ResidualAttention"
        require(0.0 <= self.decay < 1.0, name, "decay in [0, 1)", decay=self.decay)
        require(self.rate > 0.0, name, "rate > 0", rate=self.rate)

    def first(self, r: Array) -> Array:
        return np.zeros_like(r)

    def next(self, m: Array, r: Array) -> Array:
        size, largest = np.abs(r), np.abs(r).max()
        # where all residuals are zero all points are alike
        shares = size / largest if largest > 0.0 else np.ones_like(r)
        return np.asarray(self.decay * m + self.rate * shares)
