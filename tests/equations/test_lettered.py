import doctest

import sympy

from sciml.equations import CustomPDE, NavierStokes, Tabulated, UnknownParameter, lettered
from sciml.equations.lettered import lettered as letters
from sciml.equations.sourced import Sourced

x, y = sympy.symbols("x y")


def test_vectors_have_a_letter_for_each_component():
    found = letters(NavierStokes(2, 3, ("x", 0), steady=True))
    assert found.coefficients == {"rho": 2, "mu": 3, "f_x": x, "f_y": 0}
    assert found.pde.residuals()["momentum_x"].has(sympy.Function("f_x")(x, y))
    assert found.units["f_y"] == "N/m^3"
    assert found.fields == ["u", "v", "p"]


def test_ones_own_coefficients_become_fields_of_all_coordinates():
    k = UnknownParameter(2.0)
    table = Tabulated({"x": [0, 1]}, [1, 2], degree=1)
    given = {"b": k, "a": "2*b*x", "c": table}
    pde = CustomPDE({"r": "a*u__x + b*u*c"}, "x y", "u", given, si_units={"u": "m"})
    found = letters(pde)
    assert list(found.coefficients) == ["b", "a", "c"]
    assert found.coefficients["a"] == 2 * x * found.coefficients["b"]
    assert (found.coordinates, found.fields, found.units) == (["x", "y"], ["u"], {"u": "m"})
    assert (found.kind("u"), found.kind("x")) == (sympy.Symbol("m", positive=True), None)


def test_sources_stay():
    pde = Sourced(NavierStokes(2, 3, steady=True), {"momentum_x": x})
    assert letters(pde).pde.sources == {"momentum_x": x}


def test_examples():
    assert doctest.testmod(lettered).failed == 0
