import pytest
import sympy

from sciml.equations import Neumann, Poisson, Robin
from sciml.framework.errors import ParseError

x, y, nx, ny = sympy.symbols("x y n_x n_y")


def test_convection_from_a_wall():
    pde = Poisson()
    u = pde.u
    convection = Robin("u", "edges", value="3*y", a=3, b=2).residuals(pde)["u_robin"]
    by_hand = 3 * u + 2 * (nx * u.diff(x) + ny * u.diff(y)) - 3 * y
    assert sympy.expand(convection - by_hand) == 0


def test_without_the_value_it_is_neumann():
    pde = Poisson()
    robin = Robin("u", "edges", value=4, a=0).residuals(pde)["u_robin"]
    assert sympy.expand(robin - Neumann("u", "edges", 4).residuals(pde)["u_n"]) == 0


def test_bad_factors_are_refused():
    with pytest.raises(ParseError, match="unknown name 'h'"):
        Robin("u", "edges", a="h").residuals(Poisson())
