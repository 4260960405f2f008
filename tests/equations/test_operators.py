import pytest
import sympy

from sciml.equations import D, biharmonic, div, dot, grad, laplacian
from sciml.framework.errors import EquationError

COORDINATES = sympy.symbols("x y z")
every_dimension = pytest.mark.parametrize("X", [COORDINATES[:d] for d in (1, 2, 3)])


@every_dimension
def test_laplacian_is_the_divergence_of_the_gradient(X):
    f = sympy.Function("f")(*X)
    assert sympy.expand(div(grad(f, X), X) - laplacian(f, X)) == 0


@every_dimension
def test_biharmonic_of_a_power_of_the_radius(X):
    r2, d = sum(x**2 for x in X), len(X)
    assert sympy.expand(biharmonic(r2**2, X) - 8 * d * (d + 2)) == 0


def test_biharmonic_in_the_plane_is_the_textbook_formula():
    x, y = COORDINATES[:2]
    w = sympy.Function("w")(x, y)
    assert biharmonic(w, (x, y)) == w.diff(x, 4) + 2 * w.diff(x, 2, y, 2) + w.diff(y, 4)


@every_dimension
def test_product_rule_of_the_divergence(X):
    f = sympy.Function("f")(*X)
    v = [sympy.Function(f"v{i}")(*X) for i in range(len(X))]
    left = div([f * c for c in v], X)
    assert sympy.expand(left - f * div(v, X) - dot(grad(f, X), v)) == 0


def test_derivative_of_an_order():
    x = COORDINATES[0]
    assert D(x**4, x, order=2) == 12 * x**2
    assert D(x**4, x, order=0) == x**4
    with pytest.raises(EquationError, match="negative"):
        D(x, x, -1)


def test_lengths_must_match():
    with pytest.raises(EquationError, match="got 1 and 2"):
        div([1], COORDINATES[:2])
    with pytest.raises(EquationError, match="got 3 and 2"):
        dot(COORDINATES, COORDINATES[:2])
