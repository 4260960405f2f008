import math

import numpy as np
import pytest
import sympy

from sciml.framework.errors import GeometryError
from sciml.geometry import Disk, Interval, Motion, Moved, Product, Rectangle, Sector

x, y = sympy.symbols("x y")


def test_a_turned_square_is_a_diamond():
    diamond = Rectangle((-1, -1), (1, 1)).rotate(math.pi / 4)
    X = np.random.default_rng(0).uniform(-2, 2, (200, 2))
    exact = (np.abs(X).sum(axis=1) - math.sqrt(2)) / math.sqrt(2)
    inside = exact < 0
    np.testing.assert_allclose(diamond.signed_distance(X)[inside], exact[inside], atol=1e-15)
    assert (diamond.signed_distance(X)[~inside] > 0).all()
    assert diamond.measure == 4
    right = diamond.pieces["edges.right"].frame(np.array([[0.0], [1.0]]))
    np.testing.assert_allclose(right[0], [[math.sqrt(2), 0], [0, math.sqrt(2)]], atol=1e-15)
    np.testing.assert_allclose(right[1], [[math.sqrt(0.5)] * 2] * 2, atol=1e-15)


def test_lengths_areas_and_curvatures_scale():
    small = Disk((1, 0), 2).scale(0.5, about=(1, 1))
    assert small.measure == pytest.approx(math.pi, rel=1e-15)
    assert small.boundary_measure("circle") == pytest.approx(2 * math.pi, rel=1e-15)
    np.testing.assert_allclose(small.sample_boundary("circle", 5).curvatures, 1, rtol=1e-15)
    assert small.signed_distance(np.array([[1.0, 0.5]]))[0] == -1


def test_pieces_of_a_solid_move_with_their_rules():
    solid = Product(Disk(), Interval(0, 2))
    moved = solid.rotate(0.7, (1, 0, 2), (1, -2, 0.5)).scale(3)
    for part in solid.parts:
        own, image = solid.boundary_quadrature(part, 6), moved.boundary_quadrature(part, 6)
        assert image.weights.sum() == pytest.approx(9 * own.weights.sum(), rel=1e-14)
        on = moved.signed_distance(image.points)
        np.testing.assert_allclose(on, 0, atol=1e-14)
        step = moved.signed_distance(image.points + 1e-3 * image.normals)
        np.testing.assert_allclose(step, 1e-3, atol=1e-14)
        np.testing.assert_allclose(3 * image.curvatures, own.curvatures, atol=1e-15)
        assert moved.rim(part).shape == solid.rim(part).shape


def test_a_mirror_image_swaps_the_edges_of_a_corner():
    sector = Sector((0, 0), 1, 0, 1)
    image = sector.mirror((1, 0))
    assert image.corners["corners.first"] == ("arc", "edges.first")
    for corner, (before, after) in image.corners.items():
        point = image.pieces[corner].frame(np.zeros((1, 0)))[0][0]
        end = image.pieces[before].frame(np.ones((1, 1)))[0][0]
        start = image.pieces[after].frame(np.zeros((1, 1)))[0][0]
        np.testing.assert_allclose([end, start], [point] * 2, atol=1e-15)


def test_factor_and_extension_are_those_of_the_shape_at_the_point_it_came_from():
    unit = Rectangle((0, 0), (1, 1))
    moved = unit.translate(2, 3)
    assert sympy.expand(moved.boundary_factor("edges.left")) == x - 2
    values = {"edges.left": x * y, "edges.right": x + y**2}
    blend = moved.boundary_extension(values)
    assert sympy.expand(blend.subs(x, 2) - 2 * y) == 0
    assert sympy.expand(blend.subs(x, 3) - 3 - y**2) == 0
    assert moved.boundary_factor(()) == 1
    turned = unit.rotate(0.3).boundary_extension(values)
    for part in values:
        points = unit.rotate(0.3).sample_boundary(part, 9).points
        got = sympy.lambdify((x, y), turned)(*points.T)
        np.testing.assert_allclose(got, sympy.lambdify((x, y), values[part])(*points.T), atol=1e-14)
    with pytest.raises(GeometryError, match=r"before its motion.* differ by"):
        moved.boundary_extension({"edges.left": 0, "edges.top": 1})


def test_copies_that_touch_are_one_region_and_copies_apart_are_many():
    row = Rectangle((0, 0), (1, 1)).repeat(4, (1, 0))
    assert row.measure == pytest.approx(4, rel=1e-14)
    assert row.boundary_measure() == pytest.approx(10, rel=1e-14)
    assert row.boundary_measure("edges.bottom") == pytest.approx(4, rel=1e-14)
    assert set(row.corners) == {f"corners.{name}" for name in (
        "bottom_left", "top_left", "bottom_right", "top_right")}  # fmt: skip
    holes = Disk((0.5, 0.5), 0.25).repeat(5, (1, 0))
    assert holes.resolve("circle") == tuple(f"circle.{i}" for i in range(5))
    third = holes.sample_boundary("circle.3", 9).points
    np.testing.assert_allclose(np.linalg.norm(third - [3.5, 0.5], axis=1), 0.25, rtol=1e-15)
    overlapping = Disk().repeat(2, (1, 0))
    lens = 2 * math.acos(0.5) - math.sqrt(0.75)
    assert overlapping.measure == pytest.approx(2 * math.pi - lens, rel=1e-14)
    assert Disk().repeat(1, (1, 0)) == Disk()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Disk().translate(1.0), "2 coordinates, its motion in 1"),
        (lambda: Disk().rotate(1.0, (0, 0, 0)), "2 coordinates, its motion in 3"),
        (lambda: Moved(Interval(0, 1), Motion.plane()), "1 coordinates, its motion in 2"),
        (lambda: Disk().repeat(0, (1, 0)), "count must be a positive integer, got 0"),
        (lambda: Disk().repeat(2, (0, 0)), "must not be zero"),
        (lambda: Disk().repeat(2, (1,)), "shift must be 2 numbers"),
    ],
)
def test_what_cannot_be_moved_is_refused(build, message):
    with pytest.raises(GeometryError, match=message):
        build()
