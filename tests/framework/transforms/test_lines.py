"""Coefficients along lines against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import ShapeError
from sciml.framework.transforms.lines import line_coefficients

X = np.array([[0.3, -0.7], [1.1, 0.4], [-0.2, 0.9]])
DIRECTIONS = np.array([[1.0, 0.0], [0.5, -2.0], [1.0, 1.0], [0.0, 3.0]])


def wave(X: object) -> object:
    return sf.sin(X[:, 0] * 2.0 + X[:, 1])  # type: ignore[index]


def test_every_order_along_every_line() -> None:
    value, parts = line_coefficients(wave, X, DIRECTIONS, 5)
    phase = 2 * X[:, 0] + X[:, 1]
    np.testing.assert_allclose(np.asarray(value), np.sin(phase), rtol=1e-15)
    rate = DIRECTIONS @ np.array([2.0, 1.0])
    factorial = 1.0
    for k, part in enumerate(parts, 1):
        factorial *= k
        exact = rate[:, None] ** k * np.sin(phase + k * np.pi / 2) / factorial
        np.testing.assert_allclose(np.asarray(part), exact, rtol=1e-13, atol=1e-14)


def test_a_direction_for_each_point() -> None:
    own = np.stack([X, -2.0 * X])
    _, (first,) = line_coefficients(lambda X: X[:, 0] * X[:, 1], X, own, 1)
    exact = own[:, :, 0] * X[:, 1] + own[:, :, 1] * X[:, 0]
    np.testing.assert_allclose(np.asarray(first), exact, rtol=1e-15)


def test_a_coefficient_that_is_zero_everywhere_is_none() -> None:
    _, parts = line_coefficients(lambda X: X[:, 0] * 3.0 + X[:, 1], X, DIRECTIONS, 3)
    assert parts[0] is not None
    assert parts[1:] == [None, None]


def test_directions_of_another_dimension_are_refused() -> None:
    with pytest.raises(ShapeError, match="directions must be"):
        line_coefficients(wave, X, np.ones((2, 3)), 2)
