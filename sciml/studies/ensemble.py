"""Several trainings of one problem: how much their solutions differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from sciml.framework.errors import ConfigError
from sciml.problem.constraint import Array
from sciml.problem.solution import Solution
from sciml.training.solver import Solver

from .uncertain import Identified, Uncertain


@final
@dataclass(frozen=True)
class Ensemble(Uncertain):
    """Solutions of one problem, as equally likely; made by `ensemble`.

    Standard deviations are those between members, with n - 1 in the denominator. They show what
    training leaves open; an error that all members share is not among them.

    Parameters
    ----------
    members : tuple of Solution
        Two or more.

    Raises
    ------
    ConfigError
        If there are fewer than two, or their quantities differ.

    References
    ----------
    Lakshminarayanan, Pritzel, Blundell (2017), Simple and scalable predictive uncertainty
    estimation using deep ensembles.
    """

    members: tuple[Solution, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", tuple(self.members))
        if len(self.members) < 2:
            raise ConfigError(f"Ensemble: expected two members or more, got {len(self.members)}")
        for member in self.members:
            if member.names != self.members[0].names:
                raise ConfigError(
                    f"Ensemble: members must have the same quantities, got {member.names} and "
                    f"{self.members[0].names}"
                )

    @property
    def typical(self) -> Solution:
        return self.members[0]

    @property
    def identified(self) -> dict[str, Identified]:
        """The unknown numbers: their mean and the standard deviation between members, by name."""
        found = [member.identified for member in self.members]
        rows = {name: np.array([each[name] for each in found]) for name in found[0]}
        return {
            name: Identified(float(np.mean(row)), float(np.std(row, ddof=1)))
            for name, row in rows.items()
        }

    def mean(self, name: str, X: Array) -> Array:
        return np.asarray(np.mean(self._values(name, X), axis=0))

    def deviation(self, name: str, X: Array) -> Array:
        return np.asarray(np.std(self._values(name, X), axis=0, ddof=1))

    def _values(self, name: str, X: Array) -> Array:
        return np.stack([member.evaluate([name], X)[name] for member in self.members])


def ensemble(
    solver: Solver[Solution],
    seeds: Sequence[int],
    vary: Callable[[Solver[Solution], int], Solver[Solution]] | None = None,
) -> Ensemble:
    """Solve a problem once for each seed.

    Parameters
    ----------
    solver : Solver
        What is solved.
    seeds : sequence of int
        Two or more that differ, >= 0; of parameters and points.
    vary : function or None
        Returns the solver of a member from the one with its seed, such as one with other data.

    Raises
    ------
    ConfigError
        If there are fewer than two seeds or some are equal.

    Examples
    --------
    >>> from sciml import LBFGS, MLP, Points, Problem
    >>> from sciml.equations import Dirichlet, Poisson
    >>> from sciml.geometry import Interval
    >>> problem = Problem(Interval(0, 1), Poisson(1, dimension=1), [Dirichlet("u", "boundary")])
    >>> small = Solver(problem, MLP(hidden=(4,)), [LBFGS(100)], Points(30, 1), dtype="float64")
    >>> members = ensemble(small, seeds=range(3))
    >>> bool(abs(members["u"](0.5) - 0.125) < 1e-3)
    True
    >>> bool(members["u"].standard_deviation(0.5) < 1e-3)
    True
    """
    seeds = tuple(seeds)
    if len(seeds) < 2 or len(set(seeds)) < len(seeds):
        raise ConfigError(f"ensemble: expected two seeds or more, all different, got {seeds}")
    solvers = [replace(solver, seed=seed) for seed in seeds]
    if vary is not None:
        solvers = [vary(each, each.seed) for each in solvers]
    return Ensemble(tuple(each.solve() for each in solvers))
