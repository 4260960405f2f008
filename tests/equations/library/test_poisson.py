import pytest
import sympy

from sciml.equations import Poisson
from sciml.framework.errors import EquationError


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_manufactured_solution_in_every_dimension(dimension):
    X = sympy.symbols("x y z")[:dimension]
    u = sympy.prod(sympy.sin((i + 1) * s) for i, s in enumerate(X)) + X[0] ** 3
    k = 1 + X[0] ** 2
    source = -sum(sympy.diff(k * sympy.diff(u, s), s) for s in X)
    pde = Poisson(source, k, dimension)
    residual = pde.residuals()["poisson"].subs(pde.u, u).doit()
    assert sympy.simplify(residual) == 0


def test_a_positive_source_raises_the_field():
    pde = Poisson(source=2, dimension=1)
    x = pde.coordinates[0]
    assert pde.residuals()["poisson"].subs(pde.u, x * (1 - x)).doit() == 0


def test_flux_points_down_the_gradient():
    pde = Poisson(coefficient=3)
    assert pde.derived()["flux_x"] == -3 * pde.u.diff(pde.coordinates[0])


@pytest.mark.parametrize("k", [0, -1, float("nan")])
def test_bad_coefficients_are_refused(k):
    with pytest.raises(EquationError, match="coefficient"):
        Poisson(coefficient=k)
