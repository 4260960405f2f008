import math

import numpy as np
import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import (
    Annulus,
    Arc,
    Difference,
    Disk,
    Ellipse,
    Interval,
    Polygon,
    Rectangle,
    Segment,
    Triangle,
)

SQUARE = Rectangle((-1, -1), (1, 1))
LENS = 2 * math.acos(0.5) - math.sqrt(0.75)  # shared by unit disks with centres 1 apart

BITE = 0.4 * 1e-6 / (1 + 1e-6)  # width at the edge of a tip 1e-6 deep


@pytest.mark.parametrize(
    ("shape", "area", "length"),
    [
        (SQUARE - Disk((0, 0), 0.5), 4 - math.pi / 4, 8 + math.pi),
        (Disk() & Disk((1, 0), 1), LENS, 4 * math.acos(0.5)),
        (Disk() | Disk((1, 0), 1), 2 * math.pi - LENS, 4 * math.pi - 4 * math.acos(0.5)),
        (Disk() - Disk((1, 0), 1), math.pi - LENS, 2 * math.pi),
        (Disk() - Rectangle((0, -2), (2, 2)), math.pi / 2, math.pi + 2),
        # Shared edges: on the same side, on opposite sides, in part, through a corner.
        (Rectangle((0, 0), (2, 1)) | Rectangle((0, 0), (1, 2)), 3, 8),
        (Rectangle((0, 0), (1, 1)) | Rectangle((1, 0), (2, 1)), 2, 6),
        (Rectangle((0, 0), (1, 1)) | Rectangle((1, 0.25), (2, 0.5)), 1.25, 6),
        (Rectangle((0, 0), (1, 1)) - Rectangle((1, 0.25), (2, 0.5)), 1, 4),
        (Rectangle((0, 0), (1, 1)) - Rectangle((0.5, 0), (2, 1)), 0.5, 3),
        (Rectangle((0, 0), (2, 2)) & Rectangle((1, 0), (3, 2)), 2, 6),
        (SQUARE & Triangle((-1, -1), (1, -1), (1, 1)), 2, 4 + 2 * math.sqrt(2)),
        (Annulus((0, 0), 1, 2) | Disk(), 4 * math.pi, 4 * math.pi),
        (Annulus((0, 0), 1, 2) & Disk((0, 0), 2), 3 * math.pi, 6 * math.pi),
        (SQUARE & SQUARE, 4, 8),
        (SQUARE | SQUARE, 4, 8),
        # Touches: a disk inside or outside an edge, and two disks, at one point.
        (SQUARE - Disk((0, -0.5), 0.5), 4 - math.pi / 4, 8 + math.pi),
        (SQUARE | Disk((0, -1.5), 0.5), 4 + math.pi / 4, 8 + math.pi),
        (SQUARE | Disk((0, -0.5), 0.5), 4, 8),
        (Disk() | Disk((2, 0), 1), 2 * math.pi, 4 * math.pi),
        (Disk() - Disk((0.5, 0), 0.5), 0.75 * math.pi, 3 * math.pi),
        (Rectangle((0, 0), (1, 1)) | Rectangle((1, 1), (2, 2)), 2, 8),
        # Apart, and inside one another.
        (Disk() | Disk((3, 0), 1), 2 * math.pi, 4 * math.pi),
        (Disk() - Disk((3, 0), 1), math.pi, 2 * math.pi),
        (Disk((0, 0), 3) & Disk(), math.pi, 2 * math.pi),
        # A bite of a millionth, and an ellipse.
        (
            Rectangle((0, 0), (1, 1)) - Polygon(((0.3, -1), (0.7, -1), (0.5, 1e-6))),
            1 - BITE * 1e-6 / 2,
            4 - BITE + 2 * math.hypot(1e-6, BITE / 2),
        ),
        (Ellipse((0, 0), (2, 1)) - Rectangle((0, -2), (3, 2)), math.pi, 2 + 4.8442241102738381),
    ],
)
def test_area_and_length_are_those_of_the_point_set(shape, area, length):
    assert shape.measure == pytest.approx(area, rel=4e-14)
    assert shape.boundary_measure() == pytest.approx(length, rel=1e-12)


def test_coincident_edges_of_turned_polygons_are_shared():
    for angle in np.linspace(0.1, 6, 7):
        c, s = math.cos(angle), math.sin(angle)

        def turned(points, c=c, s=s):
            return Polygon(tuple((c * x - s * y + 3, s * x + c * y - 2) for x, y in points))

        left = turned(((0, 0), (1, 0), (1, 1), (0, 1)))
        right = turned(((1, 0.25), (2, 0.25), (2, 0.75), (1, 0.75)))
        assert (left | right).measure == pytest.approx(1.5, rel=1e-13)
        assert (left | right).boundary_measure() == pytest.approx(6, rel=1e-12)
        assert (left - right).boundary_measure() == pytest.approx(4, rel=1e-13)


def test_many_holes_close_together_are_all_found():
    """Twenty holes of radius 1e-5 on an edge, 2.5e-5 apart, each cut in half by it."""
    r, n = 1e-5, 20
    plate = Rectangle((0, 0), (1, 1))
    for i in range(n):
        plate = plate - Disk((0.5 + 2.5 * r * i, 0.0), r)
    assert plate.measure == pytest.approx(1 - n * math.pi * r**2 / 2, rel=1e-14)
    assert len(plate.resolve("edges.bottom")) == n + 1
    assert plate.boundary_measure("circle") == pytest.approx(n * math.pi * r, rel=1e-10)


def test_pieces_keep_their_names_and_cut_ones_are_numbered():
    plate = SQUARE - Disk((1, 0), 0.25) - Disk((-0.5, 0), 0.25)
    assert plate.resolve("edges.right") == ("edges.right.0", "edges.right.1")
    assert plate.resolve("circle") == ("circle.0", "circle.1")
    assert plate.resolve("edges.left") == ("edges.left",)
    assert plate.boundary_measure("edges.right") == pytest.approx(1.5, rel=1e-14)


def test_corners_are_kept_with_what_meets_there():
    cut = SQUARE - Rectangle((0, 0), (2, 2))
    assert cut.corners == {
        "corners.top_left": ("edges.top", "edges.left.0"),
        "corners.bottom_left.0": ("edges.left.0", "edges.bottom.0"),
        "corners.bottom_right": ("edges.bottom.0", "edges.right"),
        "crossings.0": ("edges.right", "edges.bottom.1"),
        "corners.bottom_left.1": ("edges.bottom.1", "edges.left.1"),
        "crossings.1": ("edges.left.1", "edges.top"),
    }


def test_at_a_corner_of_a_hole_the_normal_points_into_the_hole():
    frame = SQUARE - Rectangle((-0.5, -0.5), (0.5, 0.5))
    corner = frame.pieces["corners.bottom_left.1"]
    h = math.sqrt(0.5)
    np.testing.assert_allclose(corner.frame(np.zeros((1, 0)))[0], [[-0.5, -0.5]], atol=1e-15)
    np.testing.assert_allclose(corner.frame(np.zeros((1, 0)))[1], [[h, h]], atol=1e-15)
    assert frame.corners["corners.bottom_left.1"] == ("edges.bottom.1", "edges.left.1")


def test_a_hole_across_the_seam_of_a_circle_leaves_one_arc():
    bitten = Disk() - Disk((1, 0), 0.5)
    half = math.acos(1 - 0.125)
    arc = bitten.pieces["circle.0"]
    assert isinstance(arc, Arc)
    assert (arc.first, arc.last) == pytest.approx((half, 2 * math.pi - half), rel=1e-14)


def test_a_seam_inside_a_union_is_no_boundary():
    both = Rectangle((0, 0), (1, 1)) | Rectangle((1, 0), (2, 1))
    inner = both & Rectangle((0.5, 0.25), (1.5, 0.75))
    assert inner.measure == pytest.approx(0.5, rel=1e-14)
    # An edge along the seam bounds nothing in the union, and all of the hole.
    holed = both - Rectangle((0.5, 0.25), (1, 0.75))
    assert holed.measure == pytest.approx(1.75, rel=1e-14)
    assert isinstance(holed.pieces["edges.right.1"], Segment)


def test_signed_distance_is_exact_outside_a_union_and_inside_an_intersection():
    first, second = Disk(), Disk((1, 0), 1)
    X = np.random.default_rng(0).uniform(-2, 3, (500, 2))
    edge = (first | second).sample_boundary("boundary", 4000, "grid").points
    nearest = np.linalg.norm(X[:, None] - edge, axis=2).min(axis=1)
    union = (first | second).signed_distance(X)
    np.testing.assert_allclose(union[union > 0], nearest[union > 0], atol=1e-3)
    assert (np.abs(union) <= nearest + 1e-15).all()
    edge = (first & second).sample_boundary("boundary", 4000, "grid").points
    nearest = np.linalg.norm(X[:, None] - edge, axis=2).min(axis=1)
    common = (first & second).signed_distance(X)
    np.testing.assert_allclose(-common[common < 0], nearest[common < 0], atol=1e-3)
    assert (np.abs(common) <= nearest + 1e-15).all()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Disk() & Disk((3, 0), 1), "nothing is left"),
        (lambda: Disk() & Disk((2, 0), 1), "nothing is left"),
        (lambda: Disk() - Disk((0, 0), 2), "nothing is left"),
        (lambda: Disk() - Disk(), "nothing is left"),
        (lambda: Disk() - Interval(0, 1), "second must be a shape of the plane or of space, got I"),
        (
            lambda: Difference(1.0, Disk()),
            "first must be a shape of the plane or of space, got 1.0",
        ),
        (lambda: SQUARE - Rectangle((-2, -2), (-1 + 1e-9, 2)), "1e-09 apart"),
        (lambda: (SQUARE - Disk()).quadrature(3), "no Gauss rule"),
    ],
)
def test_what_has_no_sense_is_refused(build, message):
    with pytest.raises(GeometryError, match=message):
        build()


def test_sampling_of_a_plate_with_ten_holes_stays_in_the_plate():
    plate = Rectangle((0, 0), (10, 2))
    for i in range(10):
        plate = plate - Disk((i + 0.5, 1.0), 0.3)
    X = plate.sample_interior(2000)
    centres = np.stack([np.arange(10) + 0.5, np.ones(10)], axis=1)
    assert (np.linalg.norm(X[:, None] - centres, axis=2) >= 0.3).all()
