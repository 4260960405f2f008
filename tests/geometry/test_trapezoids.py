import numpy as np
import pytest

from sciml.geometry import Polygon
from sciml.geometry.trapezoids import Trapezoids

ANGLES = np.arange(40) * 2 * np.pi / 40
STAR = Polygon([((1 + 0.4 * np.cos(5 * t)) * np.cos(t), (1 + 0.4 * np.cos(5 * t)) * np.sin(t))
                for t in ANGLES])  # fmt: skip
FRAME = Polygon([(0, 0), (3, 0), (3, 2), (0, 2)], holes=[[(1, 0.5), (1, 1.5), (2, 1.5), (2, 0.5)]])
UP = np.array([0, 1e-3])
STEEP = Polygon([(0, 0), (1e-7, 0), (2e-7, 1), (0, 1)])


@pytest.mark.parametrize("shape", [STAR, FRAME, STEEP])
def test_inside_is_told_as_by_the_distance(shape):
    lower, upper = map(np.array, shape.bounding_box)
    size = upper - lower
    X = np.random.default_rng(0).uniform(lower - size / 5, upper + size / 5, (3000, 2))
    edge = shape.sample_boundary("boundary", 300)
    near = [edge.points + s * edge.normals for s in (0, 1e-15, -1e-15, 1e-10, -1e-10)]
    vertices = np.array([p for ring in shape.rings for p in ring])
    X = np.concatenate([X, *near, vertices, vertices + UP, vertices + UP[::-1]])
    np.testing.assert_array_equal(shape.contains(X), shape.signed_distance(X) <= 0)


def test_sides_are_left_open_near_a_line():
    cut = Trapezoids.cut(FRAME.rings)
    X = np.array([(0.5, 1.0), (1.5, 1.0), (1.5, 0.5), (1.0, 1.7), (4.0, 1.0), (0.0, 1.0)])
    assert cut.side(X, 1e-9).tolist() == [1, -1, 0, 0, -1, 0]


def test_the_map_of_the_square_keeps_ratios_of_area():
    """Moments of a triangle: the means of x, y, x^2, x y over (0, 0), (1, 0), (0, 1).

    The map ends in x like a square root, so that the midpoint rule errs by h^(3/2).
    """
    cut = Trapezoids.cut([((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))])
    s = (np.arange(400) + 0.5) / 400
    unit = np.stack([c.ravel() for c in np.meshgrid(s, s)], axis=1)
    x, y = cut.from_unit_square(unit).T
    np.testing.assert_allclose([x.mean(), y.mean(), (x * x).mean(), (x * y).mean()],
                               [1 / 3, 1 / 3, 1 / 6, 1 / 12], rtol=400**-1.5)  # fmt: skip
