import pytest
import sympy

from sciml.equations import EQUATIONS, KirchhoffPlate, Poisson
from sciml.equations.pde import space
from sciml.framework.errors import EquationError

every_equation = pytest.mark.parametrize("name", EQUATIONS)


@every_equation
def test_units_name_every_coordinate_field_and_derived_quantity(name):
    pde = EQUATIONS[name]()
    expected = {str(x) for x in pde.coordinates}
    expected |= {f.func.__name__ for f in pde.fields} | set(pde.derived())
    assert set(pde.units()) == expected


@every_equation
def test_latex_shows_each_residual(name):
    pde = EQUATIONS[name]()
    text = pde._repr_latex_()
    assert text.startswith("$")
    assert text.endswith("$")
    assert text.count("= 0") == len(pde.residuals())


@every_equation
def test_equations_are_values(name):
    assert EQUATIONS[name]() == EQUATIONS[name]()
    assert hash(EQUATIONS[name]()) == hash(EQUATIONS[name]())


def test_orders():
    assert KirchhoffPlate().order == 4
    assert Poisson().order == 2


def test_an_unknown_field_is_named_with_the_nearest():
    with pytest.raises(EquationError, match=r"no field 'w1', .* did you mean 'w'"):
        KirchhoffPlate().field("w1")


def test_space():
    assert space(3) == sympy.symbols("x y z")
    for dimension in (0, 4, True, 1.5):
        with pytest.raises(EquationError, match="dimension"):
            space(dimension)
