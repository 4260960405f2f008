import pytest
import sympy

from sciml.equations import Dirichlet, Neumann, Periodic, ansatz
from sciml.equations.exact_forms import Builder, common_periods
from sciml.framework.errors import EquationError
from sciml.geometry import Annulus, Polygon, Rectangle, Triangle

x, y = sympy.symbols("x y")
u, v, N = (sympy.Function(n)(x, y) for n in "uvN")
SQUARE = Rectangle((0, 0), (1, 1))


def test_base_and_free_part():
    form = Builder(SQUARE, u, N, [Dirichlet("u", "edges.left", "y")]).build()
    assert (form.base, form.free, form.factor) == (y, x * N, x)
    assert [name for _, name in form.hard] == ["u"]


def test_unknown_symbols_in_a_slope_leave_it_soft():
    condition = Neumann("u", "edges.left", sympy.Symbol("k"))
    assert Builder(SQUARE, u, N, [condition]).build().hard == ()


def test_of_conditions_that_do_not_fit_together_those_that_do_are_kept():
    conditions = [Neumann("u", "edges.left", "y**2"), Neumann("u", "edges.top")]
    form = Builder(SQUARE, u, N, conditions).build()
    assert [c.part for c, _ in form.hard] == ["edges.left"]


def test_periods_are_common_to_all_fields_and_their_values():
    one = Periodic("u", "edges.left")
    assert common_periods(SQUARE, [one], [u]) == {x: 1.0}
    assert common_periods(SQUARE, [one], [u, v]) == {}
    assert common_periods(SQUARE, [one, Periodic("v", "edges.left", period=2)], [u, v]) == {}
    assert common_periods(SQUARE, [one, Dirichlet("u", "edges.top", "cos(2*pi*x)")], [u]) == {x: 1}
    assert common_periods(SQUARE, [one, Dirichlet("u", "edges.top", "cos(3*x)")], [u]) == {}


def hard_parts(shape, conditions):
    return [c.part for c, _ in Builder(shape, u, N, conditions).build().hard]


def test_values_are_exact_by_default_where_the_form_has_bounded_derivatives():
    """Factors that are no polynomials, and blends at corners, are singular there."""
    corner = Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    assert hard_parts(corner, [Dirichlet("u", "edges")]) == []
    assert hard_parts(corner, [Dirichlet("u", "edges", hard=True)]) == ["edges"]
    each = [Dirichlet("u", f"edges.{i}") for i in range(6)]
    assert hard_parts(corner, each) == ["edges.0", "edges.1", "edges.4", "edges.5"]
    ring = [Dirichlet("u", "outer", "x"), Dirichlet("u", "inner", 2)]
    assert hard_parts(Annulus(), ring) == ["outer", "inner"]
    three = [Dirichlet("u", f"edges.{i}", value) for i, value in enumerate(("x*y", 0, 0))]
    assert hard_parts(Triangle((0, 0), (1, 0), (0, 1)), three) == ["edges.0"]


def test_what_is_asked_for_goes_before_what_is_not():
    """The slopes y on the right and 0 on top do not fit at their corner."""
    given = Neumann("u", "edges.right", "y"), Neumann("u", "edges.top")
    assert hard_parts(SQUARE, given) == ["edges.right"]
    asked = given[0], Neumann("u", "edges.top", hard=True)
    assert hard_parts(SQUARE, asked) == ["edges.top"]


def test_a_form_that_is_asked_for_and_does_not_exist_is_refused():
    tilted = Neumann("u", "edges.left", sympy.Symbol("k"), hard=True)
    with pytest.raises(EquationError, match=r"Neumann\('edges.left'\): hard=True, but no trial"):
        Builder(SQUARE, u, N, [tilted]).build()


def test_hard_is_one_of_three():
    with pytest.raises(EquationError, match="hard must be None, True or False, got 'yes'"):
        ansatz(SQUARE, [Dirichlet("u", "edges", hard="yes")], u)
