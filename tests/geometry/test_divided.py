import math

import numpy as np
import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import Disk, Interval, Product, Rectangle

CHANNEL = Rectangle((0, 0), (4, 1))


def test_an_edge_is_cut_at_a_predicate_to_rounding():
    shape = CHANNEL.with_part("inlet", lambda p: np.abs(p[:, 1] - 0.4) < 0.2, "edges.left")
    assert shape.resolve("edges.left") == ("edges.left.0", "edges.left.1")
    piece = shape.pieces["inlet"].frame(np.array([[0.0], [1.0]]))[0]
    np.testing.assert_allclose(piece, [[0, 0.6], [0, 0.2]], rtol=0, atol=1e-15)
    assert shape.corners["corners.top_left"] == ("edges.top", "edges.left.0")
    assert shape.corners["corners.bottom_left"] == ("edges.left.1", "edges.bottom")
    assert shape.boundary_measure() == pytest.approx(10, rel=1e-15)


def test_a_part_inside_a_shape_spans_corners_and_what_lies_on_its_boundary():
    shape = CHANNEL.with_part("inlet", Rectangle((-1, 0), (0.5, 3)))
    assert shape.boundary_measure("inlet") == pytest.approx(0.5 + 1 + 0.5, rel=1e-15)
    assert shape.resolve("inlet") == ("inlet.0", "inlet.1", "inlet.2")
    assert shape.corners["corners.top_left"] == ("inlet.2", "inlet.0")


@pytest.mark.parametrize("where", [lambda p: p[:, 0] > 0.5, Rectangle((0.5, -2), (3, 2))])
def test_a_part_across_the_seam_of_a_circle_is_one_piece(where):
    shape = Disk().with_part("right", where)
    assert shape.resolve("boundary") == ("circle", "right")
    assert shape.boundary_measure("right") == pytest.approx(2 * math.pi / 3, rel=1e-14)


def test_new_parts_survive_combinations_and_motions_and_can_be_divided_again():
    shape = CHANNEL.with_part("inlet", lambda p: p[:, 0] == 0)
    shape = shape.with_part("outlet", lambda p: p[:, 0] == 4)
    plate = (shape - Disk((0, 0), 0.5)).rotate(1.0).scale(2)
    assert plate.boundary_measure("inlet") == pytest.approx(1, rel=1e-14)
    assert plate.boundary_measure("outlet") == pytest.approx(2, rel=1e-14)
    assert plate.corners["corners.bottom_right"] == ("edges.bottom", "outlet")


def test_factor_and_samples_of_a_new_part_are_on_it():
    shape = CHANNEL.with_part("inlet", Rectangle((-1, 0.25), (0.5, 0.75)))
    points = shape.sample_boundary("inlet", 20).points
    assert (points[:, 0] == 0).all()
    assert ((points[:, 1] > 0.25) & (points[:, 1] < 0.75)).all()
    assert shape.measure == 4
    assert shape.quadrature(3).weights.sum() == pytest.approx(4)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: CHANNEL.with_part("edges", lambda p: p[:, 0] == 0), "a part 'edges' already"),
        (lambda: Disk().with_part("circle.a", lambda p: p[:, 0] > 0), "a part 'circle' already"),
        (lambda: CHANNEL.with_part("1a", lambda p: p[:, 0] == 0), "words joined by dots"),
        (lambda: CHANNEL.with_part("in", lambda p: p[:, 0] > 9), "no stretch of 'boundary'"),
        (lambda: CHANNEL.with_part("in", lambda p: p[:, 0]), "one truth value.*got float64"),
        (lambda: CHANNEL.with_part("in", Interval(0, 1)), "where must be a shape of the plane"),
        (lambda: CHANNEL.with_part("in", lambda p: p[:, 0] > 0, "edgs"), "did you mean 'edges'"),
        (
            lambda: Product(Disk(), Interval(0, 1)).with_part("in", lambda p: p[:, 0] > 0),
            "shape must be a shape of the plane",
        ),
    ],
)
def test_what_is_no_part_is_refused(build, message):
    with pytest.raises(GeometryError, match=message):
        build()
