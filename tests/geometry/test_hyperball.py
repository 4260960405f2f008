import math

import numpy as np
import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import Ball, Disk, Hyperball


@pytest.mark.parametrize(("center", "radius", "message"), [
    ((0.0,), 1, "at least 2 coordinates, got 1; take an Interval"),
    (3.0, 1, "must be a list of numbers"),
    ((0, math.nan), 1, r"center\[1\] must be finite"),
    ((0, 0, 0, 0), 0, "radius must be positive"),
])  # fmt: skip
def test_what_is_no_ball_is_refused(center, radius, message):
    with pytest.raises(GeometryError, match=message):
        Hyperball(center, radius)


def test_in_the_plane_it_is_the_disk():
    ball, disk = Hyperball((1, 2), 3), Disk((1, 2), 3)
    assert ball.measure == pytest.approx(disk.measure, rel=1e-14)
    assert ball.boundary_measure() == pytest.approx(disk.boundary_measure(), rel=1e-14)
    X = np.random.default_rng(0).normal(size=(30, 2))
    np.testing.assert_allclose(ball.signed_distance(X), disk.signed_distance(X), rtol=1e-15)
    assert ball.boundary_factor() == disk.boundary_factor()


def test_points_of_a_ball_of_a_hundred_dimensions_are_even():
    ball = Hyperball((0.5,) * 100, 2.0)
    n = 20_000
    X = ball.sample_interior(n, "random")
    assert ball.contains(X).all()
    radius = np.linalg.norm(X - 0.5, axis=1) / 2
    # The d-th power of the radius is even: the mean is 1/2 with a deviation of 1/sqrt(12 n).
    assert abs((radius**100).mean() - 0.5) < 4 / math.sqrt(12 * n)
    # E |x - c|^2 = R^2 d / (d + 2), shared by all coordinates.
    second = ((X - 0.5) ** 2).mean(axis=0)
    assert np.abs(second - 4 / 102).max() < 5 * math.sqrt(2 / n) * 4 / 102


def test_volume_and_moments_of_the_ball_by_quadrature():
    rule = Ball((0, 0, 0), 2).quadrature(3)
    x, _, z = rule.points.T
    assert rule.weights.sum() == pytest.approx(32 * math.pi / 3, rel=1e-14)
    assert rule.weights @ (x**2 * z**2) == pytest.approx(4 * math.pi / 105 * 2**7, rel=1e-13)
    edge = Ball((0, 0, 0), 2).boundary_quadrature("sphere", 3)
    assert edge.weights @ edge.points[:, 1] ** 4 == pytest.approx(4 * math.pi / 5 * 2**6)
    assert edge.curvatures == pytest.approx(1.0)
