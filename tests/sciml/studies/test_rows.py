from __future__ import annotations

import doctest

import numpy as np

from sciml.studies import rows


def test_an_integral_has_one_row() -> None:
    x = np.array([1.0, 2.0, 4.0])
    r, J = rows.linearised(lambda p, x: (p["a"] * x * x).sum() - 1.0, {"a": 3.0}, (x,))
    np.testing.assert_array_equal(r, [62.0])
    np.testing.assert_array_equal(J, [[21.0]])


def test_examples() -> None:
    assert doctest.testmod(rows, extraglobs={"np": np}).failed == 0
