import pytest
import sympy

from sciml.equations import EQUATIONS, KirchhoffPlate, Poisson
from sciml.equations.pde import coordinate_units, space, space_time, unknowns
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
    with pytest.raises(EquationError, match=r"no field 'w1'; did you mean 'w'"):
        KirchhoffPlate().field("w1")


def test_space():
    assert space(3) == sympy.symbols("x y z")
    for dimension in (0, 4, True, 1.5):
        with pytest.raises(EquationError, match="dimension"):
            space(dimension)
    for dimension in (1, 4):
        with pytest.raises(EquationError, match=r"must be one of 2, 3, got"):
            space(dimension, least=2)


def test_time_is_the_last_coordinate():
    x, y, t = sympy.symbols("x y t")
    assert space_time(2) == (x, y, t)
    assert space_time(2, steady=True) == (x, y)
    assert unknowns("u v w", (x, t), 2) == (sympy.Function("u")(x, t), sympy.Function("v")(x, t))
    assert coordinate_units((x, t)) == {"x": "m", "t": "s"}


def test_symbolic_has_letters_for_coefficients():
    pde = Poisson.symbolic(dimension=1, source=2)
    x, k = sympy.symbols("x k")
    u = sympy.Function("u")(x)
    assert pde.residuals()["poisson"] == -k * u.diff(x, 2) - 2
    assert KirchhoffPlate.symbolic().coefficient_values() == sympy.symbols("D nu q")


def test_decimal_coefficients_are_exact():
    assert KirchhoffPlate(0.1, 0.3, "x/4").coefficient_values() == (
        sympy.Rational(1, 10), sympy.Rational(3, 10), sympy.Symbol("x") / 4,
    )  # fmt: skip


def test_a_value_out_of_range_names_equation_coefficient_and_unit():
    with pytest.raises(
        EquationError, match=r"^KirchhoffPlate: rigidity must be positive \[N m\], got -1$"
    ):
        KirchhoffPlate(rigidity=-1)
