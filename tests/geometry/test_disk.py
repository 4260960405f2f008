import math

import numpy as np
import pytest
import sympy

from sciml.framework.errors import GeometryError
from sciml.geometry import Disk


@pytest.mark.parametrize(
    ("center", "radius"),
    [((0, 0), 0), ((0, 0), -1), ((0, 0), float("nan")), ((0, float("inf")), 1), ((0, 0, 0), 1)],
)
def test_degenerate_disks_are_refused(center, radius):
    with pytest.raises(GeometryError, match="Disk"):
        Disk(center, radius)


def test_measures():
    disk = Disk((1, 2), 3)
    assert disk.measure == pytest.approx(9 * math.pi)
    assert disk.boundary_measure("circle") == pytest.approx(6 * math.pi)


def test_quadrature_of_even_powers_against_closed_form():
    rule = Disk((0, 0), 2).quadrature(4)
    x, y = rule.points.T
    assert (x**4 * y**2 * rule.weights).sum() == pytest.approx(math.pi / 64 * 2**8, rel=1e-13)


def test_factor_is_half_of_the_power_of_the_point():
    x, y = sympy.symbols("x y")
    factor = Disk((1, 0), 2).boundary_factor("circle")
    assert sympy.expand(factor - (4 - (x - 1) ** 2 - y**2) / 4) == 0


def test_the_one_part_takes_its_value_as_it_is():
    x, y = sympy.symbols("x y")
    assert Disk().boundary_extension({"circle": x * y}) == x * y


def test_curvature_is_one_over_the_radius():
    np.testing.assert_allclose(Disk(radius=4).sample_boundary("circle", 3).curvatures, 0.25)
