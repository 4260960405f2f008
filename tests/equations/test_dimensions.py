import doctest

import pytest
import sympy

from sciml.equations import dimensions
from sciml.equations.dimensions import check_terms, dimension
from sciml.framework.errors import EquationError

m, kg, s, A = (sympy.Symbol(w, positive=True) for w in ("m", "kg", "s", "A"))
x, t = sympy.symbols("x t")
u = sympy.Function("u")(x, t)


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("-", 1),
        ("rad", 1),
        ("N m", kg * m**2 / s**2),
        ("N/m^2", kg / (m * s**2)),
        ("A/(m^2 s)", A / (m**2 * s)),
        ("V/m", kg * m / (s**3 * A)),
        ("1/s", 1 / s),
        ("m^(1/2)", sympy.sqrt(m)),
    ],
)
def test_units_by_base_units(unit, expected):
    assert dimension(unit) == expected


@pytest.mark.parametrize("bad", ["m + s", "2 m", "m/", "3"])
def test_what_is_no_product_of_powers_is_refused(bad):
    with pytest.raises(EquationError, match="is not a unit"):
        dimension(bad)


UNITS = {"x": m, "t": s, "u": kg, "a": m / s}


def test_derivatives_products_and_powers():
    a = sympy.Symbol("a")
    assert check_terms("r", u.diff(t) + a * u.diff(x), UNITS) == kg / s
    assert check_terms("r", sympy.sqrt(a**2) * 3, UNITS) == m / s
    assert check_terms("r", sympy.sin(x / (a * t)) * u, UNITS) == kg
    assert check_terms("r", sympy.Max(x, a * t), UNITS) == m
    assert check_terms("r", sympy.Integer(0), UNITS) is None


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (u.diff(t) + u.diff(x), r"r: the terms .* are added, but must have the same unit"),
        (sympy.exp(x), r"exp\(x\) needs a number, but x has the unit m"),
        (sympy.Symbol("q"), "no unit is given for 'q'"),
        (sympy.Max(x, t), "are compared"),
    ],
)
def test_what_does_not_fit_is_refused(expression, message):
    with pytest.raises(EquationError, match=message):
        check_terms("r", expression, UNITS)


def test_examples():
    flags = doctest.ELLIPSIS
    assert doctest.testmod(dimensions, optionflags=flags).failed == 0
