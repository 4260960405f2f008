import math

import numpy as np
import pytest
import sympy

from sciml.equations import Dirichlet, Poisson, ansatz
from sciml.framework.errors import GeometryError
from sciml.geometry import (
    Ball,
    Cone,
    Cylinder,
    Disk,
    Ellipse,
    Interval,
    Polygon,
    Rectangle,
    Revolution,
    RoundedRectangle,
    Sector,
    Torus,
)

x, y, z = sympy.symbols("x y z")
HALF_DISK = Sector((0, 1), 2, -math.pi / 2, math.pi / 2)
POINTS = np.random.default_rng(0).uniform(-4, 4, (300, 3))


@pytest.mark.parametrize(("solid", "same"), [
    (Revolution(HALF_DISK, (0.5, -1)), Ball((0.5, -1, 1), 2)),
    (Revolution(Rectangle((0, 1), (2, 4)), (0.5, -1)), Cylinder((0.5, -1, 1), 2, 3)),
    (Cone((1, 0, -1), 2, 3, 2), Cylinder((1, 0, -1), 2, 3)),
])  # fmt: skip
def test_balls_and_cylinders_are_solids_of_revolution(solid, same):
    exact = same.signed_distance(POINTS)
    np.testing.assert_allclose(solid.signed_distance(POINTS), exact, atol=1e-14)
    assert solid.measure == pytest.approx(same.measure, rel=1e-13)
    assert solid.boundary_measure() == pytest.approx(same.boundary_measure(), rel=1e-13)
    on_axis = np.array([[*np.mean(same.bounding_box, axis=0)[:2], 1.5]])
    np.testing.assert_allclose(solid.signed_distance(on_axis), same.signed_distance(on_axis))


def test_distance_to_a_torus():
    ring = Torus((0, 0, 1), 2, 0.5)
    px, py, pz = POINTS.T
    exact = np.hypot(np.hypot(px, py) - 2, pz - 1) - 0.5
    np.testing.assert_allclose(ring.signed_distance(POINTS), exact, atol=1e-15)
    assert ring.measure == pytest.approx(2 * math.pi * 2 * math.pi * 0.25, rel=1e-14)
    assert ring.boundary_measure("tube") == pytest.approx(4 * math.pi**2, rel=1e-14)


def test_areas_and_volume_of_a_frustum():
    cut = Cone((0, 0, 0), 3, 4, 1)
    assert cut.measure == pytest.approx(math.pi * 4 / 3 * (9 + 3 + 1), rel=1e-14)
    assert cut.boundary_measure("side") == pytest.approx(math.pi * 4 * math.sqrt(20), rel=1e-14)
    assert cut.boundary_measure("top") == pytest.approx(math.pi, rel=1e-14)


def test_volume_of_a_ring_with_an_elliptic_section_is_area_times_path():
    ring = Revolution(Ellipse((2, 0), (1, 0.6), 0.4))
    assert ring.measure == pytest.approx(2 * math.pi * 2 * math.pi * 0.6, rel=1e-13)


@pytest.mark.parametrize(("build", "message"), [
    (lambda: Revolution(Interval(0, 1)), "shape of the plane"),
    (lambda: Revolution(Disk((0.5, 0), 1)), r"reaches r = -0\.5 < 0"),
    (lambda: Torus((0, 0, 0), 1, 1), "tube_radius must be below radius"),
    (lambda: Cone(top_radius=-1), "top_radius must not be negative"),
    (lambda: Revolution(RoundedRectangle((1, 0), (2, 1))).quadrature(2), "no Gauss rule"),
])  # fmt: skip
def test_refusals(build, message):
    with pytest.raises(GeometryError, match=message):
        build()


@pytest.mark.parametrize("solid", [
    Cone(), Cone((0, 1, 0), 1, 2, 0.5), Torus(), Revolution(HALF_DISK),
    Revolution(Polygon([(0, 0), (1, 1), (1, -1), (0, -1)])),
])  # fmt: skip
def test_factors_are_smooth_on_the_axis(solid):
    for part in ("boundary", solid.resolve("boundary")[0]):
        phi = solid.boundary_factor(part)
        second = sum(phi.diff(c, 2) for c in (x, y, z))
        cx, cy = np.mean(solid.bounding_box, axis=0)[:2]
        low, high = (end[2] for end in solid.bounding_box)
        line = np.array([[cx, cy, low + s * (high - low)] for s in (0.2, 0.5, 0.7)])
        inside = line[solid.signed_distance(line) < -1e-3]
        evaluate = sympy.lambdify((x, y, z), [phi.diff(x), phi.diff(y), second])
        for dx, dy, laplacian in (evaluate(*row) for row in inside.tolist()):
            assert abs(dx) + abs(dy) < 1e-12
            assert abs(laplacian) < 100


def test_values_on_all_parts_of_a_frustum_are_exact():
    cut = Cone((0, 0, 0), 1, 2, 0.5)
    value = x * y + sympy.sin(z)
    own = value + cut.boundary_factor("side") * sympy.cos(x)
    conditions = [Dirichlet("u", "side", own, hard=True),
                  Dirichlet("u", "bottom", value, hard=True),
                  Dirichlet("u", "top", value + z - 2, hard=True)]  # fmt: skip
    with pytest.raises(GeometryError, match=r"Cone: the values on 'bottom' and 'side' differ"):
        ansatz(cut, [conditions[0], Dirichlet("u", "bottom", value + 1, hard=True)],
               Poisson(dimension=3).u)  # fmt: skip
    trial = ansatz(cut, conditions, Poisson(dimension=3).u)
    assert trial.soft == ()
    field = trial.bind(lambda X: X[:, 0] + 2)
    X = cut.sample_boundary("boundary", 60).points
    exact = X[:, 0] * X[:, 1] + np.sin(X[:, 2])
    np.testing.assert_allclose(field(X), exact, atol=1e-13)
