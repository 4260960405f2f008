import doctest

import pytest

from sciml.equations import CustomPDE, KirchhoffPlate, NavierStokes, unit_check
from sciml.equations.unit_check import check_units
from sciml.framework.errors import EquationError

HEAT = {"heat": "rho*u__t - k*u__x__x - q"}
UNITS = {"x": "m", "t": "s", "u": "K", "rho": "J/(m^3 K)", "k": "W/(m K)", "q": "W/m^3"}
VALUES = {"rho": 2.0, "k": 3.0, "q": "x"}


def test_own_equations_have_units_of_their_coefficients():
    assert check_units(CustomPDE(HEAT, "x t", "u", VALUES, {}, UNITS)) == {"heat": "kg/(m*s**3)"}


def test_a_wrong_unit_and_a_missing_one_are_refused():
    wrong = UNITS | {"k": "W/m"}
    with pytest.raises(EquationError, match=r"'heat': the terms .* are added"):
        check_units(CustomPDE(HEAT, "x t", "u", VALUES, {}, wrong))
    missing = {name: unit for name, unit in UNITS.items() if name != "q"}
    with pytest.raises(EquationError, match="no unit is given for 'q'"):
        check_units(CustomPDE(HEAT, "x t", "u", VALUES, {}, missing))


def test_derived_quantities_are_checked():
    units = UNITS | {"flux": "W/m^3"}
    flux = CustomPDE(HEAT, "x t", "u", VALUES, {"flux": "-k*u__x"}, units)
    with pytest.raises(EquationError, match=r"'flux': expected the unit kg/\(m\*s\*\*3\)"):
        check_units(flux)


def test_residuals_of_the_library():
    assert check_units(KirchhoffPlate()) == {"plate": "kg/(m*s**2)"}
    assert check_units(NavierStokes())["continuity"] == "1/s"


def test_examples():
    assert doctest.testmod(unit_check).failed == 0
