import pytest
import sympy

from sciml.framework.errors import GeometryError
from sciml.geometry import sizes


def test_decimals_are_exact():
    assert sizes.exact(0.1) == sympy.Rational(1, 10)
    assert float(sizes.exact(0.1 + 0.2)) == 0.1 + 0.2
    assert sizes.exact(1e-12) == sympy.Rational(1, 10**12)


@pytest.mark.parametrize("value", [None, "a", float("nan"), float("-inf")])
def test_what_is_not_a_finite_number_is_refused_by_name(value):
    with pytest.raises(GeometryError, match="Shape: size must be"):
        sizes.finite("Shape", "size", value)


def test_points_and_sizes():
    assert sizes.point("Shape", "center", (1, 2), 2) == (1.0, 2.0)
    with pytest.raises(GeometryError, match="must be 2 numbers, got 1"):
        sizes.point("Shape", "center", (1,), 2)
    with pytest.raises(GeometryError, match="must be positive, got 0"):
        sizes.positive("Shape", "radius", 0)
