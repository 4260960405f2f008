import doctest
import sys

import pytest
import sympy

from sciml.equations import Diffusion, KirchhoffPlate, LinearElasticity, quantities
from sciml.framework.errors import EquationError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("210 GPa", 21 * 10**10),
        ("2.1e11 Pa", 21 * 10**10),
        ("1 bar", 10**5),
        ("30 N/mm^2", 3 * 10**7),
    ],
)
def test_a_modulus_with_a_unit(text, expected):
    assert LinearElasticity(modulus=text).coefficient_values()[0] == expected


def test_other_units():
    assert Diffusion(diffusivity="36 cm^2/hour").coefficient_values()[0] == sympy.Rational(1, 10**6)
    assert KirchhoffPlate(rigidity="2 kJ", load="1 kN/m^2").coefficient_values()[0] == 2000
    assert LinearElasticity(force=("1 kN/m^3", 2)).coefficient_values()[3] == (1000, 2)


def test_another_kind_of_unit_is_refused():
    message = r"LinearElasticity: modulus is declared in Pa \[.*\], got '2 m', which is in \[m\]"
    with pytest.raises(EquationError, match=message):
        LinearElasticity(modulus="2 m")


def test_an_unknown_unit_is_refused():
    with pytest.raises(EquationError, match="'2 xyzzy' has no known unit"):
        LinearElasticity(modulus="2 xyzzy")


def test_without_pint_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pint", None)
    with pytest.raises(EquationError, match=r"pip install 'sciml\[units\]'"):
        LinearElasticity(modulus="2 Pa")


def test_a_range_holds_with_units_as_well():
    with pytest.raises(EquationError, match="modulus must be positive"):
        LinearElasticity(modulus="-2 Pa")


def test_examples():
    assert doctest.testmod(quantities).failed == 0
