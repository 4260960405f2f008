import numpy as np
import pytest
import sympy

from sciml.framework.errors import GeometryError
from sciml.geometry import transfinite

x, t = sympy.symbols("x t")


def test_an_axis_takes_both_end_values_and_keeps_others_that_agree():
    g = transfinite.along(x, (t, 1.0, 3.0), x**2, x**3)
    assert sympy.expand(g.subs(t, 1)) == x**2
    assert sympy.expand(g.subs(t, 3)) == x**3
    assert g.subs(x, 1) == 1
    assert transfinite.along(x, (t, 1.0, 3.0), None, None) == x
    assert transfinite.along(x, (t, 1.0, 3.0), t * x, None) == x


def test_numbers_of_what_has_other_symbols_are_unknown():
    points = np.array([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(transfinite.numbers(x * t, (x, t), points), [2.0, 12.0])
    np.testing.assert_array_equal(transfinite.numbers(sympy.Integer(2), (x, t), points), [2, 2])
    assert transfinite.numbers(x * sympy.Symbol("k"), (x, t), points) is None
    assert transfinite.numbers(sympy.Function("f")(x), (x, t), points) is None


def test_a_jump_is_refused_with_its_place_and_size():
    place = {("a", "b"): np.array([[0.0, 0.0], [1.0, 0.5]])}
    transfinite.check_meeting("Block", {"a": x, "b": 2 * t}, place, (x, t))
    with pytest.raises(GeometryError, match=r"'a' and 'b' differ by 0\.5 at \(1\.0, 0\.5\)"):
        transfinite.check_meeting("Block", {"a": x, "b": t}, place, (x, t))
