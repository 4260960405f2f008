"""Estimates of errors from differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sciml import Problem
from sciml.automatic.judge import Judge, bound
from sciml.equations import Dirichlet, Poisson
from sciml.geometry import Disk


def test_the_bound_is_the_error_of_a_geometric_sequence() -> None:
    """Errors q^k have the differences q^k (1 - q); slow ones are bounded exactly."""
    for q in (0.6, 0.8, 0.9):
        errors = q ** np.arange(4)
        gaps = -np.diff(errors)
        assert bound(gaps[2], gaps[1]) == pytest.approx(errors[3], rel=1e-12)
    fast = 0.1 ** np.arange(4)
    gaps = -np.diff(fast)
    assert bound(gaps[2], gaps[1]) == gaps[2] > fast[3]


def test_the_bound_without_a_difference_before() -> None:
    assert bound(0.3, math.inf) == 0.3
    assert bound(0.3, 0.0) == 0.3
    assert bound(0.3, 0.1) == pytest.approx(0.3 * 19)


def test_quantities_of_one_unit_share_their_size() -> None:
    judge = Judge(Problem(Disk(), Poisson("1"), [Dirichlet("u", "circle")]), 0)
    one = {"u": np.array([3.0, 4.0]), "v": np.array([0.0, 0.1]), "p": np.array([2.0, 0.0])}
    other = {"u": np.array([3.0, 4.5]), "v": np.array([0.0, 0.0]), "p": np.array([1.0, 0.0])}
    found = judge.differences(one, other, {"u": "m/s", "v": "m/s", "p": "Pa"})
    size = math.hypot(3.0, 4.5)
    assert found == pytest.approx({"u": 0.5 / size, "v": 0.1 / size, "p": 1.0})
    nothing = {"u": np.zeros(2)}
    assert judge.differences(nothing, nothing, {}) == {"u": 0.0}
    assert judge.differences({"u": np.ones(2)}, nothing, {}) == {"u": math.inf}


def test_the_points_lie_inside_and_are_the_same_again() -> None:
    problem = Problem(Disk(), Poisson("1"), [Dirichlet("u", "circle")])
    X = Judge(problem, 3).points
    assert np.all(np.hypot(*X.T) < 1.0)
    assert np.array_equal(X, Judge(problem, 3).points)
