import doctest

import numpy as np
import pytest
import sympy

from sciml.equations import (
    EQUATIONS,
    CustomPDE,
    Data,
    Diffusion,
    Dirichlet,
    Integral,
    KirchhoffPlate,
    NavierStokes,
    PointValue,
    Poisson,
    SimplySupported,
    Tabulated,
    UnknownParameter,
    lower,
)
from sciml.equations.exact import manufacture, manufactured
from sciml.framework.errors import EquationError, ParseError
from sciml.geometry import Rectangle

x, y, t = sympy.symbols("x y t")
POINTS = np.random.default_rng(0).uniform(0.1, 0.9, (9, 4))


def functions(case):
    """Return the chosen fields as functions whose derivatives the framework takes."""
    found = {}
    for field, value in case.chosen:
        lowered = lower({"f": value}, case.equation.coordinates, [])
        found[field.func.__name__] = lambda X, lowered=lowered: lowered({}, X)["f"] + 0 * X[:, 0]
    return found


@pytest.mark.parametrize("name", EQUATIONS)
def test_the_fields_solve_every_equation_with_its_sources(name):
    """The residuals, with derivatives taken by the framework, against the sources of sympy."""
    case = manufacture(EQUATIONS[name]())
    pde = case.pde
    assert pde.residuals().keys() == case.sources.keys()
    X = POINTS[:, : len(pde.coordinates)]
    without = lower(case.equation.residuals(), pde.coordinates, pde.fields)(functions(case), X)
    residuals = lower(pde.residuals(), pde.coordinates, pde.fields)(functions(case), X)
    for word, values in residuals.items():
        size = max(1.0, float(np.abs(without[word]).max()))
        np.testing.assert_allclose(values, 0.0, rtol=0, atol=1e-12 * size)


def test_the_source_of_a_flow_known_in_closed_form_is_the_one_derived_by_hand():
    """u = y (1 - y), p = -2 mu x is a channel flow; with p = 0 the source is 2 mu."""
    flow = NavierStokes(viscosity=0.5, steady=True)
    chosen = {"u": "y*(1 - y)", "v": 0, "p": "-x"}
    assert set(manufacture(flow, chosen).sources.values()) == {0}
    sources = manufacture(flow, chosen | {"p": 0.0}).sources
    assert sources == {"momentum_x": 1, "momentum_y": 0, "continuity": 0}


def test_values_and_derived_quantities_are_those_of_the_fields():
    case = manufacture(KirchhoffPlate(2, 0.25), {"w": "x**3*y"})
    values = case(np.array([[0.5, 2.0]]))
    assert values["w"] == [0.25]
    np.testing.assert_allclose(values["M_x"], [-2 * 6 * 0.5 * 2], rtol=1e-15)
    np.testing.assert_allclose(values["M_xy"], [-2 * 0.75 * 3 * 0.25], rtol=1e-15)


def test_a_complex_field_is_chosen_in_one_text():
    pde = CustomPDE({"wave": "I*psi__t + psi__x__x"}, "x t", complex_unknowns="psi")
    case = manufacture(pde, {"psi": "exp(I*(2*x - t))"})
    assert [sympy.simplify(s) for s in case.sources.values()] == [
        sympy.expand(-3 * sympy.cos(2 * x - t)),
        sympy.expand(-3 * sympy.sin(2 * x - t)),
    ]
    assert manufacture(pde, {"psi_re": "cos(x)", "psi_im": "0"}).sources["wave_im"] == 0


def test_delays_and_tables_have_sources():
    delay = CustomPDE({"r": "u__t + u(x, t - 1)"}, "x t", "u")
    assert manufacture(delay, {"u": "x*t^2"}).sources["r"] == 2 * t * x + x * (t - 1) ** 2
    axis = np.linspace(0, 1, 5)
    case = manufacture(Poisson(0, Tabulated({"x": axis}, 1 + axis**3), 1), {"u": "x**2"})
    found = lower(case.sources, [x], [])({}, np.array([[0.3]]))["poisson"]
    np.testing.assert_allclose(found, -(3 * 0.3**2 * 0.6 + (1 + 0.3**3) * 2), rtol=1e-13)


def test_points_get_the_values_of_the_fields():
    case = manufacture(Poisson(), {"u": "x + 2*y"})
    data, point = case.conditions(
        Rectangle(), [Data("u", [(0.5, 0.25), (0, 1)], [0, 0]), PointValue("u", (0.5, 0.5))]
    )
    assert (data.values, point.value) == ((1.0, 2.0), 1.5)


def test_plate_conditions_know_a_plate_with_sources():
    case = manufacture(KirchhoffPlate(), {"w": "x**2*y"})
    assert list(SimplySupported("edges").residuals(case.pde)) == ["w", "M_n"]


@pytest.mark.parametrize(
    ("pde", "fields", "message"),
    [
        (Poisson(), {"v": "x"}, "no field 'v'; declared are u"),
        (NavierStokes(), {"u": "x", "v": "y"}, r"no expression is given for the field p\(x, y, t"),
        (Poisson(), {"u": [1]}, "must be a number, a text or an expression, got list"),
        (Poisson(), {"u": t * x}, r"must be a finite expression in x, y, got t\*x"),
        (Diffusion(UnknownParameter(1.0, (0, 9))), {"u": "x"}, "'D' is to be found by training"),
    ],
)
def test_wrong_choices_are_refused(pde, fields, message):
    with pytest.raises(EquationError, match=message):
        manufacture(pde, fields)


def test_a_text_in_unknown_names_and_an_integral_are_refused():
    with pytest.raises(ParseError, match="unknown name 'z'"):
        manufacture(Poisson(), {"u": "z"})
    case = manufacture(Poisson(), {"u": "x"})
    with pytest.raises(EquationError, match="Integral over 'interior' has no right side"):
        case.conditions(Rectangle(), [Integral("u", "u"), Dirichlet("u", "edges")])


def test_the_default_are_the_fields_the_equation_is_tested_with():
    case = manufacture(Poisson(dimension=1))
    assert case.chosen == ((case.equation.u, Poisson(dimension=1).manufactured()["u"]),)


def test_examples():
    assert doctest.testmod(manufactured).failed == 0
