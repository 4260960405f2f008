import numpy as np

from sciml.geometry import Ball, Box
from sciml.geometry.surface_pieces import Facet, Sphere


def test_a_face_of_a_box_ends_on_the_other_faces():
    box = Box((0, 0, 0), (1, 2, 3))
    rim = box.rim("faces.top")
    assert (rim[:, 2] == 3).all()
    on = [rim[:, 0] == 0, rim[:, 0] == 1, rim[:, 1] == 0, rim[:, 1] == 2]
    assert np.any(on, axis=0).all()
    assert all(side.any() for side in on)


def test_rules_of_faces_and_spheres_sum_to_their_measure():
    for piece in (Facet((0, 0, 0), (1, 2, 3), 1, True), Sphere((0, 1, 2), 2.0)):
        rule = piece.rule(4, "part")
        np.testing.assert_allclose(rule.weights.sum(), piece.measure, rtol=1e-14)
        assert rule.part == "part"
    assert Facet((0, 0, 0), (1, 2, 3), 1, True).measure == 3


def test_the_sphere_of_a_ball_is_met_everywhere():
    np.testing.assert_allclose(Ball().signed_distance(Ball().rim("sphere")), 0, atol=1e-15)
