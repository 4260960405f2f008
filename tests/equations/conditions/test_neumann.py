import pytest
import sympy

from sciml.equations import Neumann, Poisson


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_residual_is_the_outward_derivative_less_the_value(dimension):
    pde = Poisson(dimension=dimension)
    (residual,) = Neumann("u", "right", 2).residuals(pde).values()
    field = sum((i + 1) * s for i, s in enumerate(pde.coordinates))
    normals = sympy.symbols("n_x n_y n_z")[:dimension]
    expected = sum((i + 1) * n for i, n in enumerate(normals)) - 2
    assert sympy.expand(residual.subs(pde.u, field).doit() - expected) == 0
