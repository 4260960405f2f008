import math

import numpy as np
import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import Arc, Disk, Ellipse, EllipticArc, Polygon, Rectangle, Segment
from sciml.geometry.crossings import stretches

LINE = Segment((-2.0, 0.0), (2.0, 0.0))


def found(piece, other):
    return [(s.first, s.last, s.sides) for s in stretches(piece, other, 3.0)]


def test_a_line_through_a_disk():
    first, inside, last = found(LINE, Disk())
    assert (first[2], inside[2], last[2]) == ((1, 1), (-1, -1), (1, 1))
    assert inside[:2] == pytest.approx((0.25, 0.75), rel=1e-15)


@pytest.mark.parametrize("depth", [1e-3, 1e-6, 1e-9, 1e-11])
def test_a_tip_that_just_pokes_through_is_found(depth):
    tip = Polygon(((-1, 1), (0.3, -depth), (1, 1)))
    cuts = [s.first for s in stretches(LINE, tip, 3.0)][1:]
    ends = [0.3 - depth * 1.3 / (1 + depth), 0.3 + depth * 0.7 / (1 + depth)]
    # A place along the line is known to rounding of the distance over the sine of the angle.
    np.testing.assert_allclose([4 * u - 2 for u in cuts], ends, rtol=0, atol=3e-15)


def test_crossings_of_one_cell_are_told_apart():
    teeth = [(0.1 + 1e-5 * i, 0.5 if i % 2 else -1e-5) for i in range(41)]
    comb = Polygon(((1, 1), (-1, 1), *teeth))
    assert [s.sides[0] for s in stretches(LINE, comb, 3.0)] == [1, *[-1, 1] * 21]


def test_a_touch_is_no_crossing():
    assert found(LINE, Disk((0.3, 1.0), 1.0)) == [(0.0, 1.0, (1, 1))]
    assert found(LINE, Rectangle((-5, -5), (5, 0.5))) == [(0.0, 1.0, (-1, -1))]
    assert found(Arc((0.0, 0.0), 0.5), Disk((0.5, 0.0), 1.0)) == [(0.0, 1.0, (-1, -1))]


def test_a_touch_of_order_four_is_no_crossing():
    """The circle of curvature of an ellipse at its end lies inside the ellipse."""
    ellipse, circle = EllipticArc((0, 0), (2.0, 1.0)), Disk((1.5, 0.0), 0.5)
    assert found(ellipse, circle) == [(0.0, 1.0, (1, 1))]
    whole = found(Arc((1.5, 0.0), 0.5), Ellipse((0, 0), (2.0, 1.0)))
    assert whole == [(0.0, 1.0, (-1, -1))]


def test_the_sides_of_a_shared_stretch():
    below, above = Rectangle((-1, -1), (1, 0)), Rectangle((-1, 0), (1, 1))
    for box, sides in ((below, (-1, 1)), (above, (1, -1))):  # the outer side of the line is below
        assert found(LINE, box) == [(0.0, 0.25, (1, 1)), (0.25, 0.75, sides), (0.75, 1.0, (1, 1))]
    changing = Rectangle((-1, -1), (0, 0)) | Rectangle((0, 0), (1, 1))
    assert [s.sides for s in stretches(LINE, changing, 3.0)] == [(1, 1), (-1, 1), (1, -1), (1, 1)]
    assert found(LINE, below | above)[1] == (0.25, 0.75, (-1, -1))


def test_part_of_a_circle_shared_with_a_sector():
    from sciml.geometry import Sector

    quarter = Sector((0, 0), 1.0, 0.0, math.pi / 2)
    assert found(Arc((0.0, 0.0), 1.0), quarter) == [(0.0, 0.25, (1, -1)), (0.25, 1.0, (1, 1))]


def test_boundaries_too_close_to_tell_are_refused_with_the_place():
    with pytest.raises(GeometryError, match=r"near \(-?[01]\.\d+, 0\.0\), 1e-08 apart"):
        stretches(LINE, Rectangle((-3, 1e-8), (3, 1)), 3.0)
