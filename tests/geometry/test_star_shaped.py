import math

import numpy as np
import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import StarShaped


def test_area_is_that_of_the_squares_of_the_coefficients():
    shape = StarShaped(2.0, (0.1, 0.0, 0.3), (0.0, -0.2), (1.0, 5.0))
    exact = math.pi * (4 + (0.01 + 0.09 + 0.04) / 2)
    assert shape.measure == pytest.approx(exact, rel=1e-14)


def test_inside_is_where_the_radius_is_larger():
    shape = StarShaped(1.0, (0, 0, 0, 0, 0.2), (0.1,))
    X = np.random.default_rng(0).uniform(-1.4, 1.4, (2000, 2))
    theta = np.arctan2(X[:, 1], X[:, 0])
    radius = 1 + 0.2 * np.cos(5 * theta) + 0.1 * np.sin(theta)
    np.testing.assert_array_equal(shape.contains(X), np.hypot(*X.T) <= radius)


def test_distance_is_the_least_of_a_fine_sampling_to_its_error():
    shape = StarShaped(1.0, (0, 0, 0, 0, 0.2))
    X = np.random.default_rng(1).uniform(-1.4, 1.4, (300, 2))
    theta = np.linspace(0, 2 * math.pi, 20001)[:-1]
    radius = 1 + 0.2 * np.cos(5 * theta)
    curve = np.stack([radius * np.cos(theta), radius * np.sin(theta)], axis=1)
    least = np.linalg.norm(X[:, None] - curve, axis=2).min(axis=1)
    found = np.abs(shape.signed_distance(X))
    assert (found <= least + 1e-15).all()
    spacing = np.linalg.norm(np.diff(curve, axis=0), axis=1).max()
    # The nearest sample is at most half a spacing along the curve from the nearest point.
    assert (least**2 - found**2 <= spacing**2).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.0, (1.0,)), "positive at all angles, got 0 at theta = 3.14159"),
        ((0.0,), "radius must be positive"),
        ((1.0, (math.nan,)), r"cosines\[0\] must be finite"),
    ],
)
def test_a_radius_that_is_not_positive_is_refused(arguments, message):
    with pytest.raises(GeometryError, match=message):
        StarShaped(*arguments)


def test_coefficients_are_a_row():
    with pytest.raises(GeometryError, match=r"cosines must be a row of numbers, got 0.5"):
        StarShaped(1.0, cosines=0.5)
