import numpy as np
import pytest
import sympy

from sciml.equations import CustomPDE, Diffusion, Poisson, lower
from sciml.equations.given import source_of, sources
from sciml.equations.tabulated import Tabulated
from sciml.equations.unknown import Given, UnknownParameter
from sciml.framework.errors import EquationError

X = np.linspace(0.1, 0.9, 5)[:, None]


def square(P):
    return P[:, 0] ** 2


def test_a_node_knows_its_source_and_a_derivative_keeps_it():
    k = Given(square, "x")
    node = k.node("k", sympy.symbols("x t"), "here")
    assert str(node) == "k(x)"
    assert source_of(node) is k
    derivative = node.diff(sympy.Symbol("x"))
    assert sources(derivative) == {"k": node}
    assert source_of(sympy.Symbol("k")) is None


def test_two_sources_with_one_name_are_refused():
    (x,) = coordinates = (sympy.Symbol("x"),)
    a, b = (UnknownParameter(s).node("k", coordinates, "here") for s in (1.0, 2.0))
    assert a != b != sympy.Symbol("k")
    with pytest.raises(EquationError, match="two different coefficients have the name 'k'"):
        sources(a + x * b)


def test_a_function_over_something_else_is_refused():
    with pytest.raises(EquationError, match=r"k depends on 'z', expected some of .* x"):
        Given(square, "z").node("k", (sympy.Symbol("x"),), "k")


def test_the_product_rule_holds_for_a_given_function():
    """-(k u_x)_x with k = x^2 and u = x^3 is -(3 x^4)_x = -12 x^3."""
    pde = CustomPDE({"r": "-k*u__x__x - k__x*u__x"}, "x", "u", {"k": Given(square)})
    lowered = lower(pde.residuals(), pde.coordinates, pde.fields)
    np.testing.assert_allclose(
        lowered({"u": lambda P: P[:, 0] ** 3}, X)["r"], -12 * X[:, 0] ** 3, rtol=1e-13
    )


def test_library_equations_take_functions_and_unknown_numbers():
    """u_t - (k u_x)_x - f with k = x^2, u = x^3 t and f = 2 is x^3 - 12 x^3 t - 2."""
    pde = Diffusion(diffusivity=Given(square, "x"), source=UnknownParameter(2.0))
    P = np.column_stack([X[:, 0], X[::-1, 0]])
    lowered = lower(pde.residuals(), pde.coordinates, pde.fields)
    assert list(lowered.functions), list(lowered.unknowns) == (["D"], ["f"])

    def u(Q):
        return Q[:, 0] ** 3 * Q[:, 1]

    x, t = P.T
    for f in (2.0, 5.0):
        given = {} if f == 2.0 else {"f": f}
        np.testing.assert_allclose(
            lowered({"u": u}, P, **given)["diffusion"], x**3 - 12 * x**3 * t - f, rtol=1e-12
        )


def test_inside_an_integral():
    """u - integral of k(s) over (0, x) with k = s^2 and u = 0 is -x^3/3."""
    pde = CustomPDE(
        {"r": "u - c*integral(s*s*u(s), s, 0, x)"}, "x", "u", {"c": UnknownParameter(3)}
    )
    lowered = lower(pde.residuals(), pde.coordinates, pde.fields)
    x = X[:, 0]
    np.testing.assert_allclose(lowered({"u": lambda P: P[:, 0]}, X)["r"], x - 3 * x**4 / 4)


@pytest.mark.parametrize(
    "bad",
    [
        UnknownParameter(1.0),
        UnknownParameter(1.0, bounds=(-1.0, 2.0)),
        Tabulated({"x": [0, 1, 2, 3]}, [1, 1, 0, 1]),
    ],
)
def test_sources_that_can_leave_the_declared_range_are_refused(bad):
    with pytest.raises(EquationError, match=r"diffusivity must be in \(0, inf\)"):
        Diffusion(diffusivity=bad)


def test_a_constant_coefficient_takes_no_table():
    from sciml.equations import KirchhoffPlate

    with pytest.raises(EquationError, match="poisson_ratio must be constant"):
        KirchhoffPlate(poisson_ratio=Tabulated({"x": [0, 1, 2, 3]}, [0.1, 0.2, 0.1, 0.2]))


def test_a_boundary_value_needs_a_name():
    with pytest.raises(EquationError, match="a UnknownParameter needs a name here"):
        Poisson().expression(UnknownParameter(1.0), "g")
    assert str(Poisson().expression(UnknownParameter(1.0, name="g"), "g")) == "g"
