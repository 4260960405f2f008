"""Weights that make all constraints converge at the same rate, by their tangent kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from sciml.problem.constraint import Constraint

from ..optimisers.base import require
from .base import Balancer, Weighing
from .shares import equal_shares
from .view import View


@final
@dataclass(frozen=True)
class NTK(Balancer):
    """Weights that give the neural tangent kernels of all constraints the same mean eigenvalue.

    fresh_k = sum_j T_j / T_k, weight <- memory weight + (1 - memory) fresh, with the mean T of
    |dr/dparameters|^2 over the points of a constraint: the trace of its kernel over their number.

    Parameters
    ----------
    every : int
        Steps of a first-order method between two updates, >= 1.
    memory : float
        Share of the last weights in the new ones, in [0, 1); the first update has none.
    points : int
        Most points of a constraint that the mean is taken over, >= 1: derivatives at a point cost
        as many numbers as there are parameters.
    factors : Mapping of str to float
        What found weights are multiplied by, by name of the constraint, 1 where none is given.

    References
    ----------
    Wang, Yu and Perdikaris (2022), When and why PINNs fail to train: a neural tangent kernel
    perspective, J. Comput. Phys. 449, 110768, algorithm 1.
    """

    every: int = 100
    memory: float = 0.9
    points: int = 256

    def check_settings(self) -> None:
        """Refuse numbers out of range."""
        require(0.0 <= self.memory < 1.0, "NTK", "memory in [0, 1)", memory=self.memory)
        require(self.points >= 1, "NTK", "points >= 1", points=self.points)

    @property
    def by_point(self) -> bool:
        return False

    def check(self, constraints: Sequence[Constraint]) -> None:
        """Take any constraints."""

    def update(self, view: View, before: Weighing | None) -> Weighing:
        return Weighing(equal_shares(view.kernel_traces(self.points), before, self.memory))
