import pytest
import sympy

from sciml.framework.errors import GeometryError
from sciml.geometry import Interval

x = sympy.Symbol("x")


@pytest.mark.parametrize("ends", [(1, 1), (2, 1), (float("nan"), 1), (0, float("inf")), ("a", 1)])
def test_degenerate_intervals_are_refused(ends):
    with pytest.raises(GeometryError, match="Interval"):
        Interval(*ends)


def test_parts_and_measures():
    line = Interval(1, 3)
    assert line.parts == ("boundary", "left", "right")
    assert line.measure == 2
    assert line.boundary_measure("boundary") == 2
    assert line.boundary_measure("left") == 1


def test_extension_is_the_straight_line_between_the_values():
    line = Interval(1, 3)
    extension = line.boundary_extension({"left": 4, "right": x**2})
    assert sympy.expand(extension - (4 + 5 * (x - 1) / 2)) == 0
