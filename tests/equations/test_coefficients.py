import numpy as np
import pytest
import sympy

from sciml.equations.coefficients import as_expression
from sciml.framework.errors import EquationError, ParseError

x, y, k = sympy.symbols("x y k")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2, 2),
        (0.3, sympy.Rational(3, 10)),
        (np.float64(0.5), sympy.Rational(1, 2)),
        ("x*y", x * y),
        (k * x, k * x),
    ],
)
def test_forms(value, expected):
    assert as_expression(value, (x, y), "load") == expected


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, [1], True, sympy.oo * x])
def test_other_values_are_refused_with_their_place(value):
    with pytest.raises(EquationError, match="load must be"):
        as_expression(value, (x, y), "load")


def test_text_may_name_coordinates_only():
    with pytest.raises(ParseError, match="unknown name 'k'"):
        as_expression("k*x", (x, y), "load")
