import numpy as np
import pytest
import sympy

from sciml.equations import Diffusion, NavierStokes, nondimensionalise
from sciml.framework.errors import EquationError

x, t = sympy.symbols("x t")
HEAT = nondimensionalise(Diffusion(1e-4), {"x": 0.02, "u": 80})


def test_values_and_functions_go_back_to_units():
    assert HEAT.to_units("t", 0.5) == 2.0
    np.testing.assert_array_equal(HEAT.without_units("u", np.array([40.0, 8.0])), [0.5, 0.1])
    u = HEAT.in_units("u", lambda x, t: x * np.exp(-t))
    assert u(0.01, 4.0) == pytest.approx(80 * 0.5 * np.exp(-1), rel=1e-15)
    flux = HEAT.in_units("flux_x", lambda x, t: x)
    assert flux(0.02, 0.0) == pytest.approx(1e-4 * 80 / 0.02, rel=1e-15)


def test_boundary_data_lose_their_units():
    assert HEAT.expression("20 + 4000*x", "u") == sympy.Rational(1, 4) + x
    assert HEAT.expression("8*t", "u") == 2 * t / 5
    assert HEAT.expression(40, "u") == sympy.Rational(1, 2)


def test_an_exact_solution_stays_one():
    """exp(-D k^2 t) sin(k x) solves the equation; without units it solves the other."""
    exact = HEAT.expression("exp(-4*t/1e4)*sin(2*x)", "u")
    residual = HEAT.pde.residuals()["diffusion"].subs(HEAT.pde.field("u"), exact).doit()
    assert sympy.simplify(residual) == 0


def test_the_report_shows_scales_and_numbers():
    text = str(nondimensionalise(NavierStokes(1000, 1e-3), {"x": 0.01, "u": 0.02}))
    lines = [line.split() for line in text.splitlines()]
    assert ["scale", "p", "rho*u_ref**2", "0.4", "Pa"] in lines
    number = "number 1/Reynolds number in momentum_x mu/(rho*u_ref*x_ref) 0.005"
    assert number.split() in lines
    assert HEAT._repr_html_().count("<td>") == 4 * len(HEAT.rows())


def test_an_unknown_name_is_refused():
    with pytest.raises(EquationError, match="there is no scale of 'w'; declared are x, t, u"):
        HEAT.to_units("w", 1.0)
