"""Laws of combinations, on random trees of moved shapes."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sciml.framework.errors import GeometryError
from sciml.geometry import Annulus, Disk, Ellipse, Polygon, Rectangle, RoundedRectangle, Sector

LEAVES = (
    Annulus((0.1, 0.0), 0.4, 0.9),
    Disk((0, 0), 0.8),
    Ellipse((0, 0), (1.0, 0.5)),
    Polygon(((-1, -1), (1, -1), (1, 0), (0, 0), (0, 1), (-1, 1))),
    Rectangle((-1, -0.5), (1, 0.5)),
    RoundedRectangle((-0.8, -0.7), (0.8, 0.7), 0.3),
    Sector((0, 0), 1.0, 0.0, 4.0),
)
few = settings(max_examples=10, deadline=None, derandomize=True)


@st.composite
def moved(draw):
    shape = draw(st.sampled_from(LEAVES))
    if draw(st.booleans()):
        shape = shape.mirror((1.0, 0.5))
    # Multiples of an eighth, and now and then a right angle, so that edges coincide as well.
    turn = draw(st.sampled_from((0.0, 0.3, math.pi / 2, 2.0)))
    x, y = (draw(st.integers(-6, 6)) / 8 for _ in "xy")
    return shape.rotate(turn).scale(draw(st.sampled_from((0.5, 0.75, 1.0)))).translate(x, y)


def combined(operation, first, second):
    """The combination, or None where nothing is left of it."""
    try:
        return operation(first, second)
    except GeometryError as error:
        if "nothing is left" not in str(error):
            raise
        return None


OPERATIONS = (lambda a, b: a | b, lambda a, b: a & b, lambda a, b: a - b)


@st.composite
def trees(draw):
    shape = draw(moved())
    for _ in range(draw(st.integers(1, 3))):
        shape = combined(draw(st.sampled_from(OPERATIONS)), shape, draw(moved()))
        assume(shape is not None)
    return shape


def flux(shape, powers):
    """The flux of (x^a y^b, x^b y^a) out of a shape."""
    if shape is None:
        return 0.0
    edge = shape.boundary_quadrature("boundary", 192)
    x, y = edge.points.T
    a, b = powers
    field = np.stack([x**a * y**b, x**b * y**a], axis=1)
    return float(((field * edge.normals).sum(axis=1) * edge.weights).sum())


@few
@given(moved(), moved(), st.sampled_from(((1, 0), (2, 1), (0, 3), (3, 2))))
def test_integrals_are_those_of_inclusion_and_exclusion(first, second, powers):
    both, either, rest = (
        combined(operation, first, second)
        for operation in (OPERATIONS[1], OPERATIONS[0], OPERATIONS[2])
    )
    one, other, shared = flux(first, powers), flux(second, powers), flux(both, powers)
    assert flux(either, powers) == pytest.approx(one + other - shared, abs=1e-11)
    assert flux(rest, powers) == pytest.approx(one - shared, abs=1e-11)
    areas = [0.0 if shape is None else shape.measure for shape in (both, either, rest)]
    assert areas[1] == pytest.approx(first.measure + second.measure - areas[0], abs=1e-11)
    assert areas[2] == pytest.approx(first.measure - areas[0], abs=1e-11)


@few
@given(trees())
def test_the_distance_is_a_bound_of_slope_one_with_the_sign_of_the_shape(shape):
    random = np.random.default_rng(0)
    X, Y = random.uniform(-3, 3, (2, 2000, 2))
    dX, dY = shape.signed_distance(X), shape.signed_distance(Y)
    assert (np.abs(dX - dY) <= np.linalg.norm(X - Y, axis=1) + 1e-13).all()
    edge = shape.sample_boundary("boundary", 400, "random").points
    assert np.abs(shape.signed_distance(edge)).max() < 1e-13
    nearest = np.linalg.norm(X[:200, None] - edge, axis=2).min(axis=1)
    assert (np.abs(dX[:200]) <= nearest + 1e-13).all()


@few
@given(trees())
def test_the_share_of_points_inside_is_the_share_of_the_area(shape):
    lower, upper = map(np.array, shape.bounding_box)
    X = lower + np.random.default_rng(1).random((20_000, 2)) * (upper - lower)
    share = shape.measure / np.prod(upper - lower)
    bound = 5 * math.sqrt(share * (1 - share) / len(X)) + 1e-12
    assert abs(shape.contains(X).mean() - share) < bound


@few
@given(trees())
def test_normals_are_unit_vectors_that_point_outwards(shape):
    for part in shape.resolve("boundary"):
        sample = shape.sample_boundary(part, 20, "random", 3)
        np.testing.assert_allclose(np.linalg.norm(sample.normals, axis=1), 1, rtol=1e-14)
        # A step small enough to stay beside a piece of length L, but within 1e-6 L of its ends.
        step = 1e-7 * min(1.0, shape.boundary_measure(part)) * sample.normals
        assert (shape.signed_distance(sample.points + step) > 0).all()
        assert (shape.signed_distance(sample.points - step) < 0).all()


@few
@given(trees())
def test_measures_of_parts_add_up_and_corners_join_their_edges(shape):
    leaves = shape.resolve("boundary")
    total = sum(shape.boundary_measure(leaf) for leaf in leaves)
    assert shape.boundary_measure() == pytest.approx(total, rel=1e-14)
    assert shape.boundary_quadrature().weights.sum() == pytest.approx(total, rel=1e-12)
    for corner, (before, after) in shape.corners.items():
        point = shape.pieces[corner].frame(np.zeros((1, 0)))[0][0]
        ends = [shape.pieces[before].frame(np.ones((1, 1)))[0][0],
                shape.pieces[after].frame(np.zeros((1, 1)))[0][0]]  # fmt: skip
        np.testing.assert_allclose(ends, [point] * 2, rtol=0, atol=1e-9)


@few
@given(trees())
def test_the_divergence_theorem(shape):
    powers = (2, 1)
    x, y = shape.sample_interior(20_000, "random").T
    values = 2 * x * y + 2 * x * y  # of (x^2 y, x y^2)
    bound = 5 * shape.measure * values.std() / math.sqrt(len(x))
    assert abs(shape.measure * values.mean() - flux(shape, powers)) < bound
