from dataclasses import dataclass, fields

import pytest
import sympy

from sciml.equations.declarations import coefficient, declared
from sciml.framework.errors import EquationError

x, y = sympy.symbols("x y")


@dataclass(frozen=True)
class Example:
    stiffness: object = coefficient("k", "N/m", 2.0, "of the spring", positive=True)
    ratio: object = coefficient("nu", "-", 0.3, between=(-1, 0.5), constant=True)
    force: object = coefficient("b", "N", ())
    dimension: int = 2


def test_declarations_are_read_from_the_class_in_order():
    found = declared(Example)
    assert list(found) == ["stiffness", "ratio", "force"]
    assert declared(Example()) == found
    spring = found["stiffness"]
    assert (spring.symbol, spring.unit, spring.meaning) == ("k", "N/m", "of the spring")
    assert [d.vector for d in found.values()] == [False, False, True]
    assert fields(Example)[0].default == 2.0


def check(name, value):
    declared(Example)[name].check(sympy.sympify(value), (x, y), f"Example: {name}")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("stiffness", 0, r"Example: stiffness must be positive \[N/m\], got 0"),
        ("stiffness", -2.5, "got -2.5"),
        ("stiffness", sympy.I, "positive"),
        ("ratio", 0.5, r"Example: ratio must be in \(-1, 0.5\), got 0.5"),
        ("ratio", -1, "must be in"),
        ("ratio", x / 9, "Example: ratio must be constant, got x/9"),
    ],
)
def test_values_out_of_range_are_refused(name, value, message):
    with pytest.raises(EquationError, match=message):
        check(name, value)


def test_values_in_range_symbols_and_variable_coefficients_pass():
    check("stiffness", sympy.sqrt(2) - 1)
    check("stiffness", x - 3)
    check("ratio", 0.49)
    check("ratio", sympy.Symbol("nu"))
    check("force", -1)
