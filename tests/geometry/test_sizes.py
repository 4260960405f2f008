import numpy as np
import pytest
import sympy

import sciml.framework as framework
from sciml.framework.errors import GeometryError
from sciml.geometry import sizes


def test_decimals_are_exact():
    assert sizes.exact(0.1) == sympy.Rational(1, 10)
    assert float(sizes.exact(0.1 + 0.2)) == 0.1 + 0.2
    assert sizes.exact(1e-12) == sympy.Rational(1, 10**12)


@pytest.mark.parametrize("value", [None, "a", "2", True, float("nan"), float("-inf")])
def test_what_is_not_a_finite_number_is_refused_by_name(value):
    with pytest.raises(GeometryError, match="Shape: size must be"):
        sizes.finite("Shape", "size", value)


def test_points_and_sizes():
    assert sizes.point("Shape", "center", (1, 2), 2) == (1.0, 2.0)
    with pytest.raises(GeometryError, match="must be 2 numbers, got 1"):
        sizes.point("Shape", "center", (1,), 2)
    with pytest.raises(GeometryError, match="must be positive, got 0"):
        sizes.positive("Shape", "radius", 0)


def test_sizes_of_many_points_are_all_checked():
    assert sizes.positive("Shape", "radius", np.array([1.0, 2.0])).tolist() == [1.0, 2.0]
    with pytest.raises(GeometryError, match="must be positive"):
        sizes.positive("Shape", "radius", np.array([1.0, 0.0]))
    with pytest.raises(GeometryError, match="finite for all points"):
        sizes.finite("Shape", "radius", np.array([1.0, np.nan]))
    assert sizes.below(1.0, np.array([2.0, 3.0]))
    assert not sizes.below(2.5, np.array([2.0, 3.0]))


def test_symbols_and_traced_sizes_pass():
    radius = sympy.Symbol("R")
    assert sizes.positive("Shape", "radius", radius) is radius
    assert sizes.exact(radius) is radius
    slope = framework.grad(lambda X: (sizes.positive("Shape", "radius", X[0]) * X[1]).sum())
    assert slope(np.array([2.0, 3.0])).tolist() == [3.0, 2.0]
