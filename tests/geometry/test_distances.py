import numpy as np

import sciml.framework as framework
from sciml.geometry.distances import length, to_arc, to_box, to_segment
from sciml.geometry.sizes import TINY


def test_length_is_a_root_with_a_finite_derivative_at_zero():
    assert length(np.array([0.0, 9.0])).tolist() == [TINY, 3.0]
    assert framework.grad(lambda s: length(s).sum())(np.zeros(1)).tolist() == [0.0]


def test_box_distance_beside_a_side_beyond_a_corner_and_inside():
    dx, dy = np.array([2.0, 3.0, -2.0]), np.array([-1.0, 4.0, -0.5])
    np.testing.assert_allclose(to_box(dx, dy), [2.0, 5.0, -0.5], rtol=1e-15)


def test_distances_to_a_segment_and_an_arc():
    x, y = np.array([0.0, 2.0, 1.0, -3.0]), np.array([1.0, 1.0, 0.0, -4.0])
    np.testing.assert_allclose(to_segment(x, y, (0, 0), (1, 0)), [1, np.sqrt(2), 0, 5], atol=1e-15)
    quarter = to_arc(x, y, 2.0, np.pi / 4, np.pi / 4)
    np.testing.assert_allclose(quarter, [1, np.sqrt(5) - 2, 1, np.hypot(5, 4)], atol=1e-15)
