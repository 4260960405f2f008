import math

import numpy as np
import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import Arc, Disk, Rectangle, Segment
from sciml.geometry.trimming import Rule, joints, trimmed


def test_kept_and_turned_pieces():
    circle = Disk().pieces
    box = Rectangle((0, -2), (2, 2))
    ((name, arc),) = trimmed(circle, box, Rule(frozenset({(-1, -1)}), turned=True), 2.0)
    assert name == "circle"
    assert isinstance(arc, Arc)
    assert (arc.first - arc.last) == pytest.approx(math.pi, rel=1e-15)
    assert arc.first % (2 * math.pi) == pytest.approx(math.pi / 2, rel=1e-15)


def test_where_four_pieces_meet_each_bounds_its_own_sector():
    lower = [Segment((0.0, -1.0), (0.0, 0.0)), Segment((0.0, 0.0), (-1.0, 0.0))]
    upper = [Segment((0.0, 1.0), (0.0, 0.0)), Segment((0.0, 0.0), (1.0, 0.0))]
    back = [Segment((-1.0, 0.0), (0.0, -1.0)), Segment((1.0, 0.0), (0.0, 1.0))]
    found = joints([*lower, *upper, *back], 1.0)
    assert [joint.after for joint in found] == [1, 4, 3, 5, 0, 2]


def test_the_vertex_of_a_cusp_points_ahead():
    drop = [Segment((0.0, 0.0), (0.0, -1.0)), Arc((0.5, -1.0), 0.5, math.pi, 2 * math.pi),
            Arc((0.0, -1.0), 1.0, 0.0, math.pi / 2)]  # fmt: skip
    sharp = [joint for joint in joints(drop, 1.0) if joint.sharp]
    np.testing.assert_allclose([j.vertex.point for j in sharp], [[0, 0]], atol=1e-15)
    normal = np.array([math.sqrt(0.5)] * 2) * [-1, 1]
    np.testing.assert_allclose(sharp[0].vertex.normal, normal, atol=1e-15)
    straight = [Segment((0.0, 0.0), (1.0, 0.0)), Arc((1.0, 0.5), 0.5, 1.5 * math.pi, math.pi)]
    cusp = joints([*straight, Segment((0.5, 0.5), (0.0, 0.0))], 1.0)[0]
    np.testing.assert_allclose(cusp.vertex.normal, [1, 0], atol=1e-15)


def test_open_boundaries_are_refused_with_the_place():
    with pytest.raises(GeometryError, match=r"does not close at \(1\.0, 0\.0\)"):
        joints([Segment((0.0, 0.0), (1.0, 0.0))], 1.0)
