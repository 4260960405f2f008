import pytest
import sympy

from sciml.equations import CustomPDE, KirchhoffPlate, Operator, Poisson
from sciml.framework.errors import EquationError, ParseError

x, y, nx, ny, kappa = sympy.symbols("x y n_x n_y kappa")


def test_any_order_derived_quantities_normals_and_curvature():
    plate = KirchhoffPlate(poisson_ratio=0)
    text = "w__x__x__x*n_x + 2*M_xy*n_y - kappa*w"
    residual = Operator("w", "edges", text).residuals(plate)["operator"]
    by_hand = plate.w.diff(x, 3) * nx - 2 * plate.w.diff(x, y) * ny - kappa * plate.w
    assert sympy.expand(residual - by_hand) == 0


def test_coefficients_of_ones_own_equation_are_known_by_their_names():
    pde = CustomPDE({"heat": "k*u__x__x"}, "x", "u", {"a": 3, "k": "a + x"})
    found = Operator("u", "right", "k*u_n").residuals(pde)["operator"]
    assert sympy.expand(found - (3 + x) * nx * pde.field("u").diff(x)) == 0


def test_a_sympy_expression_is_taken_as_it_is():
    u = Poisson().u
    residual = Operator("u", "edges", u.diff(x) - u, name="decay").residuals(Poisson())
    assert residual == {"decay": u.diff(x) - u}


def test_an_expression_without_the_field_is_refused():
    with pytest.raises(EquationError, match="does not hold the field 'u'"):
        Operator("u", "edges", "x - 1").residuals(Poisson())


def test_errors_in_the_text_have_a_column():
    with pytest.raises(ParseError, match="line 1, column 5: unknown name 'z'"):
        Operator("u", "edges", "u + z").residuals(Poisson())
