import math

import numpy as np
import pytest

import sciml.framework as framework
from sciml.framework.errors import GeometryError
from sciml.geometry import CurvedShape, Disk, Ellipse, PathPiece, Sector


def line(a, b):
    return PathPiece(lambda t: (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])), 0.0, 1.0)


def circle(t):
    return framework.cos(t), framework.sin(t)


def test_distance_to_an_ellipse_is_that_of_the_ellipse():
    exact = Ellipse((0, 0), (2.0, 0.6))
    shape = CurvedShape(
        {"c": PathPiece(lambda t: (2 * framework.cos(t), 0.6 * framework.sin(t)), 0.0, 2 * math.pi)}
    )
    X = np.random.default_rng(0).uniform(-2.5, 2.5, (2000, 2))
    np.testing.assert_allclose(shape.signed_distance(X), exact.signed_distance(X), atol=1e-14)
    assert shape.measure == pytest.approx(exact.measure, rel=1e-14)
    np.testing.assert_allclose(shape.bounding_box, exact.bounding_box, atol=1e-15)
    assert shape.corners == {}


def test_a_sector_of_lines_and_an_arc_has_its_distance_and_corners():
    exact = Sector((0, 0), 1.0, 0.0, 1.25)
    end = (math.cos(1.25), math.sin(1.25))
    shape = CurvedShape(
        {"out": line((0, 0), (1, 0)), "arc": PathPiece(circle, 0.0, 1.25), "in": line(end, (0, 0))}
    )
    X = np.random.default_rng(1).uniform(-1.0, 2.0, (1000, 2))
    np.testing.assert_allclose(shape.signed_distance(X), exact.signed_distance(X), atol=1e-14)
    assert shape.corners == {
        "corners.0": ("in", "out"), "corners.1": ("out", "arc"), "corners.2": ("arc", "in")
    }  # fmt: skip
    for own, other in (("corners.0", "corners.tip"), ("corners.1", "corners.first")):
        expected = exact.pieces[other].frame(np.zeros((1, 0)))[1]
        np.testing.assert_allclose(shape.pieces[own].frame(np.zeros((1, 0)))[1], expected)
    assert (shape - Disk((0, 0), 0.5)).measure == pytest.approx(0.375 * 1.25, rel=1e-13)


def test_derivatives_of_the_distance_to_a_circle():
    shape = CurvedShape({"c": PathPiece(circle, 0.0, 2 * math.pi)})
    X = np.array([[0.3, 0.4], [-1.5, 2.0], [0.6, -0.8]])
    first = framework.grad(lambda Y: shape.signed_distance(Y).sum())(X)
    radius = np.linalg.norm(X, axis=1, keepdims=True)
    np.testing.assert_allclose(first, X / radius, atol=1e-13)
    second = framework.laplacian(lambda Y: shape.signed_distance(Y))(X)
    np.testing.assert_allclose(np.ravel(second), 1 / radius[:, 0], atol=1e-11)


@pytest.mark.parametrize(
    ("curves", "message"),
    [
        ({"c": PathPiece(circle, 2 * math.pi, 0.0)}, "counter-clockwise"),
        ({"c": PathPiece(circle, 0.0, 6.0)}, "does not close at"),
        (
            {"a": line((0, 0), (1, 0)), "b": line((0, 1), (0, 0)), "c": line((1, 0), (0, 1))},
            "in walking order",
        ),
        (
            {"c": PathPiece(lambda t: (circle(t)[0], framework.sin(2 * t)), 0.0, 2 * math.pi)},
            r"crosses itself near \(0\.00",
        ),
    ],
)
def test_what_bounds_no_region_is_refused(curves, message):
    with pytest.raises(GeometryError, match=message):
        CurvedShape(curves)
