"""Weights that make the gradients of all constraints equally long."""

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
class GradNorm(Balancer):
    """Learning-rate annealing: weights that make the gradients of all losses equally long.

    fresh_k = sum_j |grad L_j| / |grad L_k|, weight <- memory weight + (1 - memory) fresh, with
    the mean squared residuals L and gradients by the parameters.

    Parameters
    ----------
    every : int
        Steps of a first-order method between two updates, >= 1.
    memory : float
        Share of the last weights in the new ones, in [0, 1); the first update has none.
    factors : Mapping of str to float
        What found weights are multiplied by, by name of the constraint, 1 where none is given.

    References
    ----------
    Wang, Sankaran, Wang and Perdikaris (2023), An expert's guide to training physics-informed
    neural networks, algorithm 1; the first form, with largest and mean entries of the gradients:
    Wang, Teng and Perdikaris (2021), SIAM J. Sci. Comput. 43, A3055, algorithm 1.

    Examples
    --------
    >>> from sciml import MLP, Problem, Solver
    >>> from sciml.equations import Dirichlet, Poisson
    >>> from sciml.geometry import Disk
    >>> from sciml.training.optimisers import LBFGS, Adam
    >>> problem = Problem(Disk(), Poisson(), [Dirichlet("u", "circle", hard=False)])
    >>> solver = Solver(problem, MLP(hidden=(8, 8)), [Adam(50), LBFGS(100)], weights=GradNorm(10))
    >>> bool(abs(solver.solve()["u"](0.0, 0.0) - 0.25) < 0.01)
    True
    """

    every: int = 100
    memory: float = 0.9

    def check_settings(self) -> None:
        """Refuse numbers out of range."""
        require(0.0 <= self.memory < 1.0, "GradNorm", "memory in [0, 1)", memory=self.memory)

    @property
    def by_point(self) -> bool:
        return False

    def check(self, constraints: Sequence[Constraint]) -> None:
        """Take any constraints."""

    def update(self, view: View, before: Weighing | None) -> Weighing:
        return Weighing(equal_shares(view.gradient_norms, before, self.memory))
