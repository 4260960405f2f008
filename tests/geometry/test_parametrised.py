import doctest
import math

import numpy as np
import pytest
import sympy

import sciml.framework as framework
from sciml.equations import Dirichlet, ansatz
from sciml.framework.errors import GeometryError
from sciml.geometry import (
    Annulus,
    Ball,
    Box,
    Cylinder,
    Disk,
    Interval,
    Parametrised,
    Polygon,
    Rectangle,
    Sector,
    parametrised,
)

PIPES = Parametrised(lambda radius: Disk((0.5, 0), radius), {"radius": (0.5, 2.0)})
FAMILIES = [
    PIPES,
    Parametrised(lambda a, b: Rectangle((0, 0), (a, b)), {"a": (1, 2), "b": (0.5, 1)}),
    Parametrised(lambda r: Annulus((0, 0), r, 2.0), {"r": (0.5, 1.5)}),
    Parametrised(lambda end: Interval(-1, end), {"end": (0, 1)}),
    Parametrised(lambda r, x: Ball((x, 0, 0), r), {"r": (0.5, 1), "x": (-1, 1)}),
    Parametrised(lambda r, h: Cylinder((0, 0, 0), r, h), {"r": (0.5, 1), "h": (1, 2)}),
    Parametrised(lambda h: Box((0, 0, 0), (1, 2, h)), {"h": (1, 2)}),
]
every_family = pytest.mark.parametrize("family", FAMILIES)


def test_examples_in_docstrings():
    assert doctest.testmod(parametrised)[0] == 0


@every_family
def test_points_lie_in_the_shape_at_their_parameters(family):
    d = family.at(np.mean(list(family.parameters.values()), axis=1)).dimension
    X = family.sample_interior(200, seed=1)
    edge = family.sample_boundary("boundary", 200, seed=1)
    for row in X:
        assert family.at(row[d:]).contains(row[None, :d]).all()
    for row, normal in zip(edge.points, edge.normals, strict=True):
        shape = family.at(row[d:])
        assert abs(shape.signed_distance(row[None, :d])[0]) < 1e-14
        assert shape.signed_distance(row[None, :d] + 1e-3 * normal[:d])[0] > 0
        assert (normal[d:] == 0).all()
    np.testing.assert_allclose(np.linalg.norm(edge.normals, axis=1), 1, rtol=1e-14)
    assert edge.weights.sum() == pytest.approx(family.boundary_measure(), rel=1e-13)


@every_family
def test_traced_distances_are_those_of_single_shapes_with_derivatives_by_the_sizes(family):
    X = family.sample_interior(40, seed=2)
    traced = framework.vmap(lambda row: family.signed_distance(row[None, :])[0])(X)
    np.testing.assert_allclose(traced, family.signed_distance(X), rtol=0, atol=1e-15)
    gradient = framework.grad(lambda Y: family.signed_distance(Y).sum())(X)
    for i in range(len(family.parameters)):
        step = 1e-6 * np.eye(family.dimension)[i - len(family.parameters)]
        slope = (family.signed_distance(X + step) - family.signed_distance(X - step)) / 2e-6
        # A difference across a ridge of the distance is no derivative; 1 in 10 points may meet one.
        gap = np.abs(slope - gradient[:, i - len(family.parameters)])
        assert np.mean(gap[np.isfinite(gap)] < 1e-8) > 0.9


def test_measures_are_integrals_over_the_ranges():
    assert PIPES.measure == pytest.approx(math.pi * (8 - 0.125) / 3, rel=1e-14)
    assert PIPES.boundary_measure() == pytest.approx(math.pi * (4 - 0.25), rel=1e-14)
    rule = PIPES.quadrature(4)
    assert rule.weights.sum() == pytest.approx(PIPES.measure, rel=1e-13)
    edge = PIPES.boundary_quadrature("circle", 12)
    # The integral of r over the circle of radius r is 2 pi r^2.
    moment = 2 * math.pi * (8 - 0.125) / 3
    assert edge.weights @ edge.points[:, 2] == pytest.approx(moment, rel=1e-13)


def test_points_are_even_over_coordinates_and_parameters():
    n = 4000
    X = PIPES.sample_interior(n, "random", seed=3)
    edge = PIPES.sample_boundary("circle", n, "random", seed=3).points
    # The share below the radius r is (r^3 - a^3) / (b^3 - a^3) inside, (r^2 - a^2) / (b^2 - a^2) on
    # the boundary.
    for r in (0.8, 1.2, 1.7):
        for points, power in ((X, 3), (edge, 2)):
            share = (r**power - 0.5**power) / (2**power - 0.5**power)
            deviation = math.sqrt(share * (1 - share) / n)
            assert abs(np.mean(points[:, 2] < r) - share) < 4 * deviation


def test_outside_the_ranges_there_is_no_shape():
    assert PIPES.signed_distance(np.array([[0.5, 0.0, 3.0]])).tolist() == [math.inf]
    assert PIPES.contains(np.array([[0.5, 0.0, 3.0], [0.5, 0.0, 1.0]])).tolist() == [False, True]


def test_walls_of_all_members_are_exact():
    x, y, r = sympy.symbols("x y r")

    trial = ansatz(PIPES, [Dirichlet("u", "circle", x * r)], sympy.Function("u")(x, y, r))
    assert trial.soft == ()
    field = trial.bind(lambda X: X[:, 0] + 2)
    X = PIPES.sample_boundary("circle", 40).points
    np.testing.assert_allclose(field(X), X[:, 0] * X[:, 2], atol=1e-14)


@pytest.mark.parametrize(("build", "ranges", "message"), [
    (lambda a: Disk((0, 0), a), {}, "at least one parameter"),
    (lambda a: Disk((0, 0), a), {"a": (2, 1)}, "must be in order"),
    (lambda a: Disk((0, 0), a), {"a": (-1, 1)}, "radius must be positive"),
    (lambda a: 3, {"a": (0, 1)}, "must return a shape"),
    (lambda a: Disk((0, 0), a), {"b": (0, 1)}, "does not take the parameters b"),
    (Disk(), {"a": (0, 1)}, "build must be a function of the sizes"),
    (lambda a: Disk() if a < 0.5 else Rectangle(), {"a": (0, 1)}, "the same parts everywhere"),
])  # fmt: skip
def test_refusals(build, ranges, message):
    with pytest.raises(GeometryError, match=message):
        Parametrised(build, ranges)


def test_shapes_that_take_numbers_only_say_so():
    wedges = Parametrised(lambda a: Sector((0, 0), 1, 0, a), {"a": (0.5, 1.5)})
    X = wedges.sample_interior(20)
    with pytest.raises(GeometryError, match="Sector has no derivative by its sizes"):
        framework.grad(lambda Y: wedges.signed_distance(Y).sum())(X)
    roofs = Parametrised(lambda h: Polygon(((0, 0), (1, 0), (0.5, h))), {"h": (1, 2)})
    with pytest.raises(GeometryError, match="Polygon"):
        roofs.boundary_factor()


def test_what_is_larger_between_the_points_looked_at_is_refused():
    bump = Parametrised(
        lambda a: Disk((0, 0), 1 + math.exp(-(((a - 0.3) / 0.01) ** 2))), {"a": (0, 1)}
    )
    with pytest.raises(GeometryError, match="split the range"):
        bump.sample_boundary("circle", 2000)
    with pytest.raises(GeometryError, match="split the range"):
        bump.contains(np.array([[0.0, 0.0, 0.3]]))
