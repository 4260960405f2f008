"""Estimates of errors from solutions that differ in how they were found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sciml.problem.problem import Problem
from sciml.problem.solution import Solution

_POINTS = 2000
# Differences that fall by less than this bound no error.
_SLOWEST = 0.95


@dataclass(frozen=True)
class Judge:
    """Compares solutions of a problem on points that none was fitted to.

    Parameters
    ----------
    problem : Problem
        What is solved.
    seed : int
        Of the points.
    """

    problem: Problem
    seed: int

    @cached_property
    def points(self) -> np.ndarray:
        """Points inside, shape (n, d)."""
        return np.asarray(self.problem.geometry.sample_interior(_POINTS, "random", self.seed))

    def values(self, solution: Solution, names: Sequence[str]) -> Mapping[str, np.ndarray]:
        """Return quantities at the points, and the numbers that were found."""
        found = {name: np.array([value]) for name, value in solution.identified.items()}
        return {**solution.evaluate(list(names), self.points), **found}

    def differences(
        self,
        one: Mapping[str, np.ndarray],
        other: Mapping[str, np.ndarray],
        units: Mapping[str, str],
    ) -> dict[str, float]:
        """Return the relative L2 differences of quantities.

        Quantities of the same unit share their size, so that one that is zero counts as the others
        do.
        """
        sizes: dict[str, float] = {}
        for name, values in other.items():
            unit = units.get(name, name)
            sizes[unit] = max(sizes.get(unit, 0.0), float(np.linalg.norm(values)))
        found = {}
        for name, values in other.items():
            gap, size = float(np.linalg.norm(one[name] - values)), sizes[units.get(name, name)]
            found[name] = gap / size if size > 0.0 else (0.0 if gap == 0.0 else math.inf)
        return found


def bound(difference: float, before: float) -> float:
    """Return the error of the finer of two solutions from two differences in a row.

    If errors fall by a factor q from one solution to the next, those of the finer one are
    q / (1 - q) of the difference; where they fall fast, the difference itself is taken.
    """
    if not math.isfinite(before) or before <= 0.0:
        return difference
    q = min(difference / before, _SLOWEST)
    return difference * max(1.0, q / (1.0 - q))
