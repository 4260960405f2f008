import math

import numpy as np
import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import spheres
from sciml.geometry.samplers import unit_points


def test_areas():
    exact = {1: 2, 2: 2 * math.pi, 3: 4 * math.pi, 4: 2 * math.pi**2, 5: 8 * math.pi**2 / 3}
    for d, area in exact.items():
        assert spheres.area(d) == pytest.approx(area, rel=1e-14)


@pytest.mark.parametrize("d", [2, 3, 4, 5, 6, 7, 20, 101])
def test_directions_are_even(d):
    """E x_i^2 = 1/d, E x_i^2 x_j^2 = 1/(d (d + 2)) and thrice that for i = j."""
    n = 20_000
    x = spheres.directions(unit_points("random", n, (1.0,) * (d - 1), 3))
    np.testing.assert_allclose(np.linalg.norm(x, axis=1), 1, rtol=1e-14)
    assert np.abs(x.mean(axis=0)).max() < 5 / math.sqrt(n * d)
    second = x.T @ x / n
    assert np.abs(second - np.eye(d) / d).max() < 5 * math.sqrt(3 / d**2 / n)
    fourth = (x**2).T @ x**2 / n
    exact = (1 + 2 * np.eye(d)) / (d * (d + 2))
    assert np.abs(fourth / exact - 1).max() < 5 * math.sqrt((105 / 9 - 1) / n)


def test_the_map_keeps_areas_in_three_dimensions():
    u = np.random.default_rng(0).uniform(0.05, 0.95, (50, 2))
    h = 1e-6
    a, b = ((spheres.directions(u + e) - spheres.directions(u - e)) / (2 * h)
            for e in h * np.eye(2))  # fmt: skip
    np.testing.assert_allclose(np.linalg.norm(np.cross(a, b), axis=1), 4 * math.pi, rtol=1e-7)


@pytest.mark.parametrize(("n", "d"), [(1, 3), (3, 2), (3, 3), (3, 4), (2, 6)])
def test_rules_are_exact_to_their_degree(n, d):
    points, shares = spheres.rule(n, d)
    assert shares.sum() == pytest.approx(1, rel=1e-14)
    for powers in ((2, 2), (4, 0), (0, 4), (1, 1), (3, 1), (2, 0)):
        if sum(powers) > 2 * n - 1:
            continue
        value = shares @ (points[:, 0] ** powers[0] * points[:, -1] ** powers[1])
        exact = 0.0
        if not any(p % 2 for p in powers):
            top = math.prod(math.gamma((p + 1) / 2) / math.gamma(0.5) for p in powers)
            exact = top * math.gamma(d / 2) / math.gamma((d + sum(powers)) / 2)
        assert value == pytest.approx(exact, abs=1e-15)


def test_rules_of_too_many_points_are_refused():
    with pytest.raises(GeometryError, match="'sample_interior'"):
        spheres.rule(4, 100)
