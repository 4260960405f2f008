from __future__ import annotations

import doctest

import numpy as np

from sciml.problem.constraint import Constraint
from sciml.studies import rows


def test_an_integral_has_one_row() -> None:
    x = np.array([1.0, 2.0, 4.0])
    integral = Constraint("sum", lambda p, x: (p["a"] * x * x).sum() - 1.0, (x,), weight=4.0)
    r, J = rows.linearised(integral, {"a": 3.0})
    np.testing.assert_array_equal(r, [124.0])
    np.testing.assert_array_equal(J, [[42.0]])


def test_examples() -> None:
    assert doctest.testmod(rows, extraglobs={"np": np}).failed == 0
