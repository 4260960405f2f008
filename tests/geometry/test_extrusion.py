import math

import numpy as np
import pytest
import sympy

from sciml.equations import Dirichlet, Poisson, ansatz
from sciml.framework.errors import GeometryError
from sciml.geometry import Annulus, Ball, Cylinder, Disk, Extrusion, Interval, Polygon

x, y, z = sympy.symbols("x y z")


def test_a_disk_drawn_out_is_the_cylinder():
    drawn, can = Extrusion(Disk((1, 2), 3), 4, 5), Cylinder((1, 2, 5), 3, 4)
    assert drawn.boundary_factor() == can.boundary_factor()
    assert drawn.boundary_measure("sides.circle") == can.boundary_measure("side")
    assert can.measure == pytest.approx(36 * math.pi)
    X = np.random.default_rng(0).normal(size=(50, 3)) * 5
    np.testing.assert_array_equal(drawn.signed_distance(X), can.signed_distance(X))


def test_what_is_no_profile_is_refused():
    for profile in (Interval(0, 1), Ball(), 3):
        with pytest.raises(GeometryError, match="profile must be a shape of the plane"):
            Extrusion(profile, 1)
    with pytest.raises(GeometryError, match="Cylinder: height must be positive"):
        Cylinder(height=0)


@pytest.mark.parametrize("shape", [
    Cylinder(), Extrusion(Annulus(), 1), Ball((0, 0, 0.5)),
    Extrusion(Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]), 1),
])  # fmt: skip
def test_values_on_the_whole_boundary_of_a_solid_are_exact(shape):
    leaves = shape.resolve("boundary")
    value = x * y + sympy.sin(z)
    # The value on the first part is another function that is equal where it meets the others.
    own = value + shape.boundary_factor(leaves[:1]) * sympy.cos(x)
    conditions = [Dirichlet("u", leaf, own if leaf == leaves[0] else value, hard=True)
                  for leaf in leaves]  # fmt: skip
    trial = ansatz(shape, conditions, Poisson(dimension=3).u)
    assert trial.soft == ()
    field = trial.bind(lambda X: X[:, 0] + 2)
    X = shape.sample_boundary("boundary", 60).points
    exact = X[:, 0] * X[:, 1] + np.sin(X[:, 2])
    np.testing.assert_allclose(field(X), exact, atol=1e-13)
