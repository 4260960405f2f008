"""Combinations in space: what stays of surfaces, areas, volumes, normals and samples."""

import re

import numpy as np
import pytest
import sympy

from sciml.equations import Dirichlet, Poisson, ansatz
from sciml.framework.errors import GeometryError
from sciml.geometry import Ball, Box, Cylinder, Disk, Hyperball, Interval, Rectangle

pi = np.pi
CUBE, BALL = Box((0, 0, 0), (1, 1, 1)), Ball((1, 1, 1), 0.5)
PIPE = Cylinder((0, 0, 0), 1, 2) - Cylinder((0, 0, -1), 0.5, 4)
# Shape, volume, area, and the relative error of what is counted.
KNOWN = [
    (CUBE - BALL, 1 - pi / 48, 6 - 3 * pi / 16 + pi / 8),
    (CUBE & BALL, pi / 48, 3 * pi / 16 + pi / 8),
    (CUBE | BALL, 1 + 7 * pi / 48, 6 - 3 * pi / 16 + 7 * pi / 8),
    (Ball((0, 0, 0), 1) & Ball((1, 0, 0), 1), 5 * pi / 12, 2 * pi),
    (PIPE, 1.5 * pi, 7.5 * pi),
    (CUBE | Box((1, 0, 0), (2, 1, 1)), 2, 10),
    (CUBE - Box((0.25, 0.25, 0.5), (0.75, 0.75, 1)), 0.875, 7),
    ((CUBE - BALL).rotate(0.4, axis=(1, 2, 2)).scale(2), 8 - pi / 6, 24 - 3 * pi / 4 + pi / 2),
]
SHAPES = [shape for shape, _, _ in KNOWN]


@pytest.mark.parametrize(("shape", "volume", "surface"), KNOWN)
def test_volumes_and_areas_are_those_of_textbooks(shape, volume, surface):
    assert shape.measure == pytest.approx(volume, rel=1e-3)
    assert shape.boundary_measure() == pytest.approx(surface, rel=3e-4)


@pytest.mark.parametrize("shape", SHAPES)
def test_points_lie_inside_and_their_share_is_the_volume(shape):
    X = shape.sample_interior(500)
    assert (shape.signed_distance(X) <= 0).all()
    lower, upper = map(np.array, shape.bounding_box)
    box = np.random.default_rng(0).uniform(lower, upper, (20000, 3))
    share = shape.contains(box).mean()
    p = shape.measure / np.prod(upper - lower)
    assert abs(share - p) < 5 * np.sqrt(p * (1 - p) / len(box)) + 1e-3


@pytest.mark.parametrize("shape", SHAPES)
def test_boundary_points_lie_on_it_with_normals_that_point_out(shape):
    edge = shape.sample_boundary("boundary", 400)
    size = np.abs(shape.bounding_box).max()
    assert np.abs(shape.signed_distance(edge.points)).max() < 1e-6 * size
    np.testing.assert_allclose(np.linalg.norm(edge.normals, axis=1), 1, rtol=1e-12)
    step = 1e-4 * size
    out = shape.signed_distance(edge.points + step * edge.normals)
    into = shape.signed_distance(edge.points - step * edge.normals)
    # Within a step of a cut either side may be the other shape's.
    assert ((out > 0) & (into < 0)).mean() > 0.99


@pytest.mark.parametrize("shape", SHAPES)
def test_flux_through_the_boundary_is_the_volume(shape):
    """div(x) = 3, by 20000 random boundary points."""
    edge = shape.sample_boundary("boundary", 20000)
    center = np.mean(shape.bounding_box, axis=0)
    along = np.sum((edge.points - center) * edge.normals, axis=1)
    assert np.sum(edge.weights * along) / 3 == pytest.approx(shape.measure, rel=5e-3)


def test_shared_faces_vanish_and_names_are_told_apart():
    joined = CUBE | Box((1, 0, 0), (2, 1, 1))
    leaves = joined.resolve("boundary")
    assert len(leaves) == 10
    assert joined.boundary_measure("faces.left") == pytest.approx(1)
    X = joined.sample_boundary("boundary", 300).points
    inner = (np.abs(X[:, 0] - 1) < 1e-9) & ((X[:, 1:] > 0) & (X[:, 1:] < 1)).all(axis=1)
    assert not inner.any()


def test_a_hole_has_its_curvature_turned():
    edge = (CUBE - BALL).sample_boundary("sphere", 20)
    np.testing.assert_allclose(edge.curvatures, -4)
    np.testing.assert_allclose(edge.normals, (np.array([1, 1, 1]) - edge.points) / 0.5, atol=1e-12)


def test_more_dimensions_are_cut_alike():
    """A half of a ball in four dimensions has half of pi^2/2."""
    half = Hyperball((0,) * 4, 1) - Hyperball((2.0, 0, 0, 0), 1.5)
    assert 0 < half.measure < pi**2 / 2
    assert (half.signed_distance(half.sample_interior(100)) <= 0).all()


def test_conditions_are_soft_and_factors_refused():
    shape = CUBE - BALL
    u = Poisson(dimension=3).u
    trial = ansatz(shape, [Dirichlet("u", "sphere", 1)], u)
    assert (trial.hard, [s.name for s in trial.soft]) == ((), ["u"])
    with pytest.raises(GeometryError, match="no factor in closed form in space"):
        ansatz(shape, [Dirichlet("u", "sphere", sympy.Symbol("x"), hard=True)], u)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: CUBE - Disk(), "lie in 3 and 2 coordinates"),
        (lambda: Interval(0, 1) | Interval(1, 2), "must be a shape of the plane or of space"),
        (lambda: CUBE & Ball((9, 9, 9), 1), "nothing is left"),
        (lambda: Ball((0.5, 0.5, 0.5), 0.1) - CUBE, "nothing is left"),
        (lambda: Rectangle().over_time(1) - Rectangle(), "coordinates"),
        (lambda: (CUBE - BALL).boundary_quadrature("sphere"), "no Gauss rule"),
        (lambda: (CUBE - BALL).quadrature(3), "no Gauss rule"),
    ],
)
def test_what_cannot_be_is_refused(make, reason):
    with pytest.raises(GeometryError, match=re.escape(reason)):
        make()
