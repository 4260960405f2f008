"""What is particular to single shapes of the plane: refusals, closed forms, distances."""

import doctest
import importlib
import math

import numpy as np
import pytest
import sympy
from scipy.optimize import brentq
from scipy.special import ellipe

from sciml.framework.errors import GeometryError
from sciml.geometry import (
    SHAPES,
    Annulus,
    Ellipse,
    EllipticArc,
    Motion,
    Polygon,
    Rectangle,
    RoundedRectangle,
    Sector,
    Triangle,
)  # fmt: skip
from sciml.geometry.plane_shape import area
from sciml.geometry.samplers import chosen, unit_points

SQUARE = ((0, 0), (4, 0), (4, 4), (0, 4))


@pytest.mark.parametrize("name", SHAPES)
def test_examples_in_docstrings(name):
    module = importlib.import_module(SHAPES[name].__module__)
    assert doctest.testmod(module)[0] == 0


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Annulus((0, 0), 1, 1), "inner_radius must be below"),
        (lambda: Ellipse((0, 0), (1, 0)), r"radii\[1\] must be positive"),
        (lambda: RoundedRectangle((0, 0), (2, 1), 0.5), "longer than twice the radius"),
        (lambda: Sector((0, 0), 1, 0, 7), "between 0 and 2 pi"),
        (lambda: Triangle((0, 0), (1, 1), (2, 2)), "fold back"),
        (lambda: Polygon(((0, 0), (1, 0))), "at least 3 vertices, got 2"),
        (lambda: Polygon(((0, 0), (1, 0), (1, 0), (0, 1))), r"vertices\[1\] and vertices\[2\]"),
        (lambda: Polygon(((0, 0), (1, 1), (1, 0), (0, 1))), "meets the edge"),
        (lambda: Polygon(((0, 0), (2, 0), (2, 2), (1, 0), (0, 2))), "meets the edge"),
        (lambda: Polygon(SQUARE, (((5, 1), (6, 1), (5, 2)),)), r"holes\[0\] starts at"),
        (lambda: Polygon(SQUARE, (((3, 1), (6, 1), (3, 2)),)), "meets the edge"),
        (
            lambda: Polygon(SQUARE, (((1, 1), (3, 1), (3, 3)), ((2, 1.5), (2.5, 1.5), (2.5, 2)))),
            r"holes\[1\] starts at",
        ),
    ],
)
def test_degenerate_shapes_are_refused(build, message):
    with pytest.raises(GeometryError, match=message):
        build()


def test_perimeter_of_an_ellipse_against_the_elliptic_integral():
    exact = 4 * 2 * ellipe(1 - (0.6 / 2) ** 2)
    assert Ellipse((1, 2), (2, 0.6), 0.3).boundary_measure() == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize("radii", [(2.0, 1.0), (1.0, 3.0), (1.0, 1.0), (5.0, 0.05)])
def test_distance_to_an_ellipse_against_a_bracketed_root(radii):
    a, b = radii
    random = np.random.default_rng(0)
    for x, y in random.uniform(0.01, 1.5, (40, 2)) * [a, b]:

        def excess(s, x=x, y=y):
            return (a * x / (s + a * a)) ** 2 + (b * y / (s + b * b)) ** 2 - 1

        low = max(a * x - a * a, b * y - b * b)
        s = brentq(excess, low, a * a + b * b + 2 * a * x + 2 * b * y, xtol=1e-15, rtol=1e-15)
        exact = s * math.hypot(x / (s + a * a), y / (s + b * b))
        got = Ellipse((0, 0), radii).signed_distance(np.array([[x, y]]))[0]
        assert got == pytest.approx(exact, abs=1e-13 * max(radii))


def test_distance_of_the_centre_of_an_ellipse_is_the_smaller_half_axis():
    for radii in ((2.0, 1.0), (1.0, 2.0), (3.0, 3.0)):
        assert Ellipse((0, 0), radii).signed_distance(np.zeros((1, 2)))[0] == -min(radii)


def test_boxes_touch_the_boundary():
    for shape in (Ellipse((1, 2), (2, 0.6), 0.3), Sector((0, 0), 2, -0.4, 4), Annulus()):
        points = shape.boundary_quadrature("boundary", 400).points
        lower, upper = map(np.array, shape.bounding_box)
        assert (points >= lower - 1e-15).all()
        assert (points <= upper + 1e-15).all()
        np.testing.assert_allclose(points.min(axis=0), lower, atol=1e-4)
        np.testing.assert_allclose(points.max(axis=0), upper, atol=1e-4)


def test_area_follows_from_the_boundary():
    shapes = (Annulus(), Sector((1, 1), 2, 0.5, 3), RoundedRectangle(), Polygon(SQUARE))
    for shape in shapes:
        assert area(shape.pieces.values()) == pytest.approx(shape.measure, rel=1e-13)


def test_moments_of_a_polygon_with_a_hole_are_differences_of_rectangles():
    frame = Polygon(SQUARE, (((1, 1), (1, 2), (3, 2), (3, 1)),))
    rule = frame.quadrature(4)
    x, y = rule.points.T
    exact = 4**4 / 4 * 4**5 / 5 - (3**4 - 1) / 4 * (2**5 - 1) / 5
    assert (x**3 * y**4 * rule.weights).sum() == pytest.approx(exact, rel=1e-13)


def test_vertices_are_walked_with_the_region_on_the_left():
    turned = Polygon(SQUARE[::-1])
    assert turned.vertices == ((0, 4), (0, 0), (4, 0), (4, 4))
    assert turned.corners["corners.0"] == ("edges.3", "edges.0")


@pytest.mark.parametrize("motion", [Motion.plane((0.6, 0.8), False, 2, (1, -3)),
                                    Motion.plane((0.6, 0.8), True, 0.5, (1, 2))])  # fmt: skip
def test_pieces_move_with_their_points_and_normals(motion):
    u = np.linspace(0.1, 0.9, 5)[:, None]
    matrix = np.array(motion.matrix)
    shapes = (Sector(), Ellipse((1, 0), (2, 1), 0.4), Rectangle())
    for piece in (p for s in shapes for p in s.pieces.values()):
        points, normals, curvatures = piece.frame(u)
        image = piece.placed(motion).frame(1 - u if motion.flips else u)
        np.testing.assert_allclose(image[0], motion.points(points), atol=1e-13)
        np.testing.assert_allclose(image[1], normals @ matrix.T, atol=1e-13)
        np.testing.assert_allclose(image[2], curvatures / motion.scale, atol=1e-12)
    back = motion.pull(motion.points(np.array([[0.3, 0.7]])))
    np.testing.assert_allclose(back, [[0.3, 0.7]], rtol=1e-14)


def test_symbolic_motion_is_the_numeric_one():
    motion = Motion.plane((0.6, 0.8), True, 0.5, (1, 2))
    image = motion.symbols((sympy.Rational(3, 10), sympy.Rational(7, 10)))
    np.testing.assert_allclose([float(c) for c in image], motion.point((0.3, 0.7)), rtol=1e-15)
    back = motion.symbols(image, inverse=True)
    assert back == (sympy.Rational(3, 10), sympy.Rational(7, 10))


def test_parts_of_arcs_and_their_other_side():
    arc = EllipticArc((0, 0), (2, 1))
    half = arc.between(0.25, 0.75)
    assert half.measure == pytest.approx(arc.measure / 2, rel=1e-13)
    u = np.array([[0.5]])
    np.testing.assert_allclose(half.frame(u)[0], [[-2, 0]], atol=1e-14)
    np.testing.assert_allclose(half.reversed().frame(u)[1], -half.frame(u)[1], atol=1e-14)
    assert half.reversed().frame(u)[2] == pytest.approx(-2.0)
    assert arc.between(0.9, 1.1).measure == pytest.approx(arc.measure / 5, rel=1e-12)


def test_extension_takes_the_value_of_each_part():
    x, y = sympy.symbols("x y")
    ring = Annulus((0, 0), 1, 2)
    blend = sympy.lambdify((x, y), ring.boundary_extension({"inner": x, "outer": y**2}))
    for part, value in (("inner", lambda p: p[:, 0]), ("outer", lambda p: p[:, 1] ** 2)):
        points = ring.sample_boundary(part, 20).points
        np.testing.assert_allclose(blend(*points.T), value(points), atol=1e-14)


def test_values_that_jump_where_edges_meet_are_refused():
    with pytest.raises(GeometryError, match=r"'edges\.0' and 'edges\.1' differ by -1"):
        Triangle().boundary_extension({"edges.0": 0, "edges.1": 1})


def test_factor_of_collinear_edges_tells_them_apart():
    """Both arms of a U end on one line; the factor of one end is positive on the other."""
    arms = Polygon(((0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)))
    factor = sympy.lambdify(sympy.symbols("x y"), arms.boundary_factor("edges.2"))
    points = arms.sample_boundary("edges.6", 20).points
    assert (factor(*points.T) > 0.5).all()


def test_grid_of_a_shape_without_a_map_thins_a_finer_one():
    finer = unit_points("grid", 40, (1.0, 1.0), 0)
    np.testing.assert_array_equal(chosen("grid", finer, 10), finer[2::4])
    np.testing.assert_array_equal(chosen("sobol", finer, 10), finer[:10])
