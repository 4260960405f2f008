import numpy as np

from sciml.geometry import boundary


def make(count):
    normals = np.tile([0.6, 0.8], (count, 1))
    return boundary.make(np.ones((count, 2)), normals, np.zeros(count), np.full(count, 2.0), "p")


def test_tangents_follow_from_the_normals():
    np.testing.assert_allclose(make(3).tangents, [[-0.8, 0.6]] * 3)


def test_joined_parts_keep_their_order_and_take_the_new_name():
    both = boundary.join([make(2), make(3)], "both")
    assert len(both) == 5
    assert both.part == "both"
    assert both.weights.sum() == 10
