import math

import numpy as np
import pytest
import sympy

from sciml.framework.errors import GeometryError
from sciml.geometry import (
    Annulus,
    Disk,
    Interval,
    Polygon,
    Product,
    Rectangle,
    RoundedRectangle,
    Segment,
)
from sciml.geometry.product import ProductPiece, pairs

x, y, z = sympy.symbols("x y z")
BRACKET = Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])


def test_a_product_of_intervals_is_the_rectangle():
    product, plate = Product(Interval(0, 2), Interval(1, 2)), Rectangle((0, 1), (2, 2))
    X = np.random.default_rng(0).uniform(-1, 3, (200, 2))
    np.testing.assert_array_equal(product.signed_distance(X), plate.signed_distance(X))
    own = {"left": "first.left", "right": "first.right", "bottom": "second.left"}
    for edge, part in own.items():
        first, second = product.pieces[part], plate.pieces[f"edges.{edge}"]
        assert first.measure == second.measure
        np.testing.assert_array_equal(first.frame(np.array([[0.5]]))[0],
                                      second.frame(np.array([[0.5]]))[0])  # fmt: skip
    values = {"left": y, "right": y**2 + y, "bottom": sympy.sin(sympy.pi * x) + 1 + x / 2}
    blend = product.boundary_extension({own[e]: v for e, v in values.items()})
    same = plate.boundary_extension({f"edges.{e}": v for e, v in values.items()})
    assert sympy.simplify(blend - same) == 0


def test_distance_against_the_nearest_of_many_boundary_points():
    block = Product(BRACKET, Interval(0, 1))
    X = np.random.default_rng(1).uniform([-0.5, -0.5, -0.5], [2.5, 2.5, 1.5], (40, 3))
    edge = block.sample_boundary("boundary", 60_000, "random").points
    brute = np.sqrt(((X[:, None] - edge) ** 2).sum(axis=2).min(axis=1))
    exact = np.abs(block.signed_distance(X))
    # Within 0.06 of every boundary point lie 48 sampled ones on average, 12 at a corner of a face.
    assert (brute >= exact - 1e-12).all()
    assert (brute <= exact + 0.06).all()


def test_the_box_around_a_rounded_profile_is_thinned_on_its_faces():
    block = Product(RoundedRectangle((0, 0), (1, 1), 0.5 - 1e-9), Interval(0, 1))
    face = block.sample_boundary("second.right", 4000, "random")
    radius = np.hypot(*(face.points[:, :2] - 0.5).T)
    assert radius.max() <= 0.5 + 1e-9
    # The share of points within half the radius is a quarter, with a deviation of 0.0069.
    assert abs(np.mean(radius < 0.25) - 0.25) < 4 * math.sqrt(0.25 * 0.75 / 4000)
    assert face.weights.sum() == pytest.approx(math.pi / 4, rel=1e-8)


def test_factors_without_an_interval_are_blended_by_distance():
    torus = Product(Disk(), Annulus())
    symbols = sympy.symbols("a b c d")
    a, b, c, d = symbols
    u = a * c + b * d
    blend = torus.boundary_extension(
        {"first": u + (1 - a**2 - b**2), "second.inner": u, "second.outer": u}, symbols
    ).subs(a**2, 1 - b**2)
    evaluate = sympy.lambdify(symbols, blend)
    for part in ("first", "second.inner", "second.outer"):
        X = torus.sample_boundary(part, 20).points
        expected = X[:, 0] * X[:, 2] + X[:, 1] * X[:, 3]
        np.testing.assert_allclose(evaluate(*X.T), expected, atol=1e-13)


def test_values_that_jump_where_parts_meet_are_refused():
    with pytest.raises(GeometryError, match=r"'first\.circle' and 'second\.left' differ by 1 at"):
        Product(Disk(), Interval(0, 1)).boundary_extension({"first": 1, "second.left": 0})


def test_what_is_no_shape_is_refused():
    with pytest.raises(GeometryError, match="second must be a shape"):
        Product(Disk(), (0, 1))


def test_the_rim_of_a_face_lies_on_the_other_faces():
    for profile in (BRACKET, RoundedRectangle(), Disk()):
        block = Product(profile, Interval(0, 1))
        rim = block.rim("second.left")
        side = Product(profile, Interval(-1, 2))
        np.testing.assert_allclose(side.signed_distance(rim), 0, atol=1e-14)
        ends = block.rim(block.resolve("first")[0])[:, 2]
        assert {0.0, 1.0} <= set(ends)


def test_a_piece_of_a_product_carries_the_frame_of_its_edge():
    piece = ProductPiece(Segment((0, 0), (0, 2)), Interval(0, 3), False)
    points, normals, curvatures = piece.frame(np.array([[0.25, 0.5]]))
    assert points.tolist() == [[1.5, 0, 0.5]]
    assert normals.tolist() == [[0, 1, 0]]
    assert (piece.measure, piece.parameters, curvatures.tolist()) == (6.0, 2, [0.0])


def test_pairs_run_through_both_lists():
    i, j = pairs(2, 3)
    assert list(zip(i, j, strict=True)) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
