import doctest
import math

import numpy as np
import pytest

import sciml.framework as framework
from sciml.equations import Dirichlet, Poisson
from sciml.framework.errors import GeometryError
from sciml.geometry import SAMPLERS, Annulus, PointCloud, point_cloud
from sciml.problem.problem import Problem

RING = Annulus((0, 0), 1, 2)
INSIDE = RING.sample_interior(3000, "halton")
EDGES = {}
for part in ("outer", "inner"):
    sample = RING.sample_boundary(part, 2000, "grid")
    EDGES[part] = (sample.points, sample.normals)
AREAS = {part: RING.boundary_measure(part) for part in EDGES}
CLOUD = PointCloud(INSIDE, EDGES, RING.measure, AREAS)


def test_examples_in_docstrings():
    assert doctest.testmod(point_cloud, extraglobs={"np": np})[0] == 0


def test_distance_is_as_good_as_the_points_are_dense():
    X = np.random.default_rng(0).uniform(-2.5, 2.5, (400, 2))
    exact, found = RING.signed_distance(X), CLOUD.signed_distance(X)
    # Half the spacing of the boundary points.
    half = math.pi * 2 / 2000
    assert (np.abs(found) >= np.abs(exact) - 1e-12).all()
    assert (np.abs(found) <= np.hypot(exact, half) + half * np.abs(exact) + 1e-12).all()
    far = np.abs(exact) > half
    np.testing.assert_array_equal(np.sign(found[far]), np.sign(exact[far]))


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_samples_are_given_points_and_even(sampler):
    n = 1000
    X = CLOUD.sample_interior(n, sampler, seed=1)
    assert {tuple(p) for p in X} <= {tuple(p) for p in INSIDE}
    share = np.mean(np.hypot(*INSIDE.T) < 1.5)
    found = np.mean(np.hypot(*X.T) < 1.5)
    assert abs(found - share) < 4 * math.sqrt(share * (1 - share) / n)
    edge = CLOUD.sample_boundary("boundary", 300, sampler, seed=1)
    np.testing.assert_allclose(RING.signed_distance(edge.points), 0, atol=1e-15)
    assert np.sum(np.hypot(*edge.points.T) > 1.5) == 200
    assert edge.weights.sum() == pytest.approx(6 * math.pi, rel=1e-14)
    assert np.isnan(edge.curvatures).all()


def test_a_problem_on_points_is_soft():
    with pytest.raises(GeometryError, match="impose the condition softly"):
        Problem(CLOUD, Poisson(), [Dirichlet("u", "outer", 0.0, hard=True)])
    problem = Problem(CLOUD, Poisson(), [Dirichlet("u", "outer", 0.0)])
    assert [s.where for s in problem.forms[0].soft] == ["outer"]
    for refused in (CLOUD.quadrature, lambda n: CLOUD.boundary_quadrature("inner", n)):
        with pytest.raises(GeometryError, match="no Gauss rule"):
            refused(2)
    with pytest.raises(GeometryError, match="cannot be traced"):
        framework.grad(lambda X: CLOUD.signed_distance(X).sum())(INSIDE[:2])


@pytest.mark.parametrize(("change", "message"), [
    ({"inside": INSIDE[:, 0]}, r"shape \(n, d\)"),
    ({"inside": INSIDE * 3}, r"points of inside lie outside .* number 0 at"),
    ({"edges": {"outer": EDGES["outer"]}}, "give both for every part"),
    ({"edges": EDGES | {"inner": (EDGES["inner"][0], 2 * EDGES["inner"][1])}}, "of length one"),
    ({"edges": EDGES | {"inner": (EDGES["inner"][0] * np.nan, EDGES["inner"][1])}}, "be finite"),
    ({"edges": EDGES | {"inner": (EDGES["inner"][0], -EDGES["inner"][1])}}, "turn the normals"),
    ({"edges": EDGES | {"inner": (np.zeros((0, 2)),) * 2}}, "'inner' has no points"),
    ({"edges": {"boundary": EDGES["outer"]}, "areas": {"boundary": 1.0}}, "other than 'boundary'"),
    ({"volume": 0.0}, "volume must be positive"),
    ({"areas": AREAS | {"outer": -1.0}}, "area of 'outer' must be positive"),
])  # fmt: skip
def test_refusals(change, message):
    given = {"inside": INSIDE, "edges": EDGES, "volume": RING.measure, "areas": AREAS}
    with pytest.raises(GeometryError, match=message):
        PointCloud(**(given | change))
