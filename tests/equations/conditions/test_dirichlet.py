import pytest
import sympy

from sciml.equations import Dirichlet, Poisson
from sciml.framework.errors import EquationError, ParseError

x, y = sympy.symbols("x y")


@pytest.mark.parametrize("value", ["x*y", x * y])
def test_residual_is_the_difference(value):
    pde = Poisson()
    assert Dirichlet("u", "edges", value).residuals(pde) == {"u": pde.u - x * y}


def test_bad_values_are_refused():
    with pytest.raises(EquationError, match=r"Poisson\.u must be finite"):
        Dirichlet("u", "edges", float("nan")).residuals(Poisson())
    with pytest.raises(ParseError, match="unknown name 'z'"):
        Dirichlet("u", "edges", "z").residuals(Poisson())


def test_unknown_field():
    with pytest.raises(EquationError, match="no field 'v'"):
        Dirichlet("v", "edges").residuals(Poisson())
