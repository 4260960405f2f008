import numpy as np
import pytest

from sciml.geometry import strips


def test_strips_are_as_wide_as_their_shares():
    at, share = strips.located(np.array([1.0, 2.0, 1.0]), np.array([0.0, 0.125, 0.25, 0.5, 1.0]))
    assert at.tolist() == [0, 0, 1, 1, 2]
    np.testing.assert_allclose(share, [0, 0.5, 0, 0.5, 1], atol=1e-15)


def test_the_map_to_a_triangle_keeps_areas():
    corners = np.tile(np.array([(0, 0), (2, 0), (1, 3)], dtype=float), (40, 1, 1))
    s, t = np.random.default_rng(0).uniform(0.1, 0.9, (2, 40))
    h = 1e-6
    a = (strips.in_triangles(corners, s + h, t) - strips.in_triangles(corners, s - h, t)) / (2 * h)
    b = (strips.in_triangles(corners, s, t + h) - strips.in_triangles(corners, s, t - h)) / (2 * h)
    np.testing.assert_allclose(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], 3.0, rtol=1e-8)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_the_rule_is_exact_to_its_degree(n):
    """The mean of x^p y^q over the triangle (0, 0), (1, 0), (0, 1) is 2 p! q! / (p + q + 2)!."""
    share, across, weights = strips.triangle_rule(n)
    corner = np.tile(np.array([(0, 0), (1, 0), (0, 1)], dtype=float), (len(share), 1, 1))
    x, y = strips.in_triangles(corner, share, across).T
    for p, q in ((0, 0), (1, 0), (0, 1), (2, 1), (1, 2), (3, 4), (7, 0), (0, 7)):
        if p + q <= 2 * n - 1:
            factorials = np.cumprod([1, *range(1, 12)]).astype(float)
            exact = 2 * factorials[p] * factorials[q] / factorials[p + q + 2]
            assert weights @ (x**p * y**q) == pytest.approx(exact, rel=1e-13)
