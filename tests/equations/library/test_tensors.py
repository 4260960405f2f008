import sympy

from sciml.equations import div
from sciml.equations.library.tensors import (
    advection,
    contraction,
    diffusion,
    isotropic_stress,
    lame,
    strain,
    tensor_divergence,
    upper,
)

x, y, z, bulk, mu = X = sympy.symbols("x y z lambda mu")
X = X[:3]
f = sympy.Function("f")(*X)
V = tuple(sympy.Function(n)(*X) for n in "uvw")


def test_advection_by_components():
    assert advection((2, 3), x * y, (x, y)) == 2 * y + 3 * x


def test_a_rotation_has_no_strain():
    assert strain((-y, x), (x, y)) == ((0, 0), (0, 0))
    assert strain((3 * x, 0 * x), (x, y)) == ((3, 0), (0, 0))


def test_stress_of_stretching_and_shearing():
    assert isotropic_stress((x, 0 * x), bulk, mu, (x, y)) == ((bulk + 2 * mu, 0), (0, bulk))
    assert isotropic_stress((y, 0 * x), bulk, mu, (x, y)) == ((0, mu), (mu, 0))


def test_divergence_of_the_stress_is_naviers_operator():
    """lambda grad(div u) + mu grad(div u) + mu laplacian(u), Landau and Lifshitz, section 7."""
    found = tensor_divergence(isotropic_stress(V, bulk, mu, X), X)
    for component, c, force in zip(V, X, found, strict=True):
        laplacian = sum(component.diff(s, 2) for s in X)
        expected = (bulk + mu) * div(V, X).diff(c) + mu * laplacian
        assert sympy.expand(force - expected) == 0


def test_diffusion_in_a_body_that_varies():
    assert sympy.expand(diffusion(x**2 * y, 1 + x, (x, y)) - (4 * x * y + 2 * y)) == 0


def test_contraction_and_components_of_a_symmetric_tensor():
    a = ((1, 2), (2, 3))
    assert contraction(a, ((x, y), (y, z))) == x + 4 * y + 3 * z
    assert upper("s", a, (x, y)) == {"s_xx": 1, "s_xy": 2, "s_yy": 3}


def test_lame_parameters_give_youngs_modulus_back():
    E, nu = sympy.symbols("E nu")
    first, second = lame(E, nu)
    assert sympy.simplify(second * (3 * first + 2 * second) / (first + second) - E) == 0
    assert sympy.simplify(first / (2 * (first + second)) - nu) == 0
