import pytest
import sympy

from sciml.equations import Interface, LinearElasticity, Poisson
from sciml.framework.errors import EquationError, ParseError

x, y, nx, ny = sympy.symbols("x y n_x n_y")


def test_sides_have_their_own_coefficients_and_the_same_normal():
    bond = Interface("a.right", "b.left", ("u", "k*u_n"))
    one, two = (Poisson(coefficient=k) for k in (2, "1 + x"))
    (u,) = one.fields
    slope = nx * u.diff(x) + ny * u.diff(y)
    assert bond.side(one, 0) == [u, 2 * slope]
    value, flux = bond.side(two, 1)
    assert (value, sympy.expand(flux - (1 + x) * slope)) == (u, 0)


def test_texts_may_differ_and_name_derived_quantities():
    pressure = Interface("fluid.right", "solid.left", (("-u*n_x", "sigma_xx*n_x + sigma_xy*n_y"),))
    assert pressure.names == ("-u*n_x = sigma_xx*n_x + sigma_xy*n_y",)
    solid = LinearElasticity()
    stress = solid.derived()
    expected = stress["sigma_xx"] * nx + stress["sigma_xy"] * ny
    assert sympy.expand(pressure.side(solid, 1)[0] - expected) == 0
    assert pressure.side(Poisson(), 0) == [-nx * Poisson().u]


def test_what_is_not_known_is_refused():
    with pytest.raises(ParseError, match="unknown name 'K'"):
        Interface("a.right", "b.left", ("K*u_n",)).side(Poisson(), 0)
    with pytest.raises(EquationError, match="no quantity"):
        Interface("a.left", "b.right", ())
    with pytest.raises(EquationError, match=r"a row of texts; give \('k\*u_n',\)"):
        Interface("a.left", "b.right", "k*u_n")
    with pytest.raises(EquationError, match="1 jumps for 2 quantities"):
        Interface("a.left", "b.right", ("u", "u_n"), (1,))
