import doctest

import pytest
import sympy

from sciml.equations import COORDINATE_SYSTEMS, CoordinateSystem, curvilinear
from sciml.framework.errors import EquationError

SYSTEMS = list(COORDINATE_SYSTEMS.values())
SOLID = [s for s in SYSTEMS if len(s.coordinates) == 3]
x, y, z = CARTESIAN = sympy.symbols("x y z")
SCALAR = x**2 * y + sympy.sin(x) * z + x * y**2
VECTOR = (x * y, z * x + y**2, x**2 * z + y)
OTHER = (y - x, x * y * z, z**2)


def flat(system, expressions):
    """Return expressions without the coordinates that a plane lacks."""
    return [sympy.sympify(e).subs(z, 0) if len(system.position) == 2 else e for e in expressions]


def at(system, e):
    """Return a Cartesian expression in the coordinates of a system."""
    return sympy.sympify(e).subs(dict(zip(CARTESIAN, system.position, strict=False)))


def components(system, vector):
    """Return physical components, the projections onto dx/dq_i over its length."""
    jacobian = sympy.Matrix(system.position).jacobian(system.coordinates)
    plain = sympy.Matrix([at(system, e) for e in vector])
    return [
        (jacobian[:, i].T * plain)[0] / h for i, h in enumerate(system.scale_factors)
    ]  # fmt: skip


def same(system, a, b):
    numbers = map(sympy.Rational, ("0.83", "0.71", "1.27"))
    place = dict(zip(system.coordinates, numbers, strict=False))
    for p, q in zip(a, b, strict=True):
        difference = sympy.sympify(p - q).subs(place).evalf(30)
        assert abs(difference) < 1e-25


@pytest.mark.parametrize("system", SYSTEMS)
def test_scale_factors_are_the_lengths_of_orthogonal_tangents(system):
    jacobian = sympy.Matrix(system.position).jacobian(system.coordinates)
    metric = sympy.simplify(jacobian.T * jacobian)
    assert metric == sympy.diag(*(h**2 for h in system.scale_factors))
    assert sympy.simplify(jacobian.det() - system.volume) == 0


@pytest.mark.parametrize("system", SYSTEMS)
def test_operators_agree_with_cartesian_ones_under_the_change_of_variables(system):
    d = len(system.position)
    X = CARTESIAN[:d]
    (f,) = flat(system, [SCALAR])
    a, v = flat(system, VECTOR)[:d], flat(system, OTHER)[:d]
    gradient = [f.diff(s) for s in X]
    same(system, system.grad(at(system, f)), components(system, gradient))
    laplace = sum(f.diff(s, 2) for s in X)
    same(system, [system.laplacian(at(system, f))], [at(system, laplace)])
    there_a, there_v = components(system, a), components(system, v)
    divergence = sum(c.diff(s) for c, s in zip(a, X, strict=True))
    same(system, [system.div(there_a)], [at(system, divergence)])
    vector_laplace = [sum(c.diff(s, 2) for s in X) for c in a]
    same(system, system.vector_laplacian(there_a), components(system, vector_laplace))
    carried = [sum(v[j] * c.diff(s) for j, s in enumerate(X)) for c in a]
    same(system, system.advection(there_v, there_a), components(system, carried))
    along = sum(v[j] * f.diff(s) for j, s in enumerate(X))
    same(system, system.advection(there_v, at(system, f)), [at(system, along)])
    if d == 3:
        p, q, r = a
        curl = (r.diff(y) - q.diff(z), p.diff(z) - r.diff(x), q.diff(x) - p.diff(y))
        same(system, system.curl(there_a), components(system, curl))
    else:
        same(system, system.curl(there_a), [at(system, a[1].diff(x) - a[0].diff(y))])


@pytest.mark.parametrize("system", SOLID)
def test_identities_hold_for_arbitrary_fields(system):
    f, *v = (sympy.Function(name)(*system.coordinates) for name in "fabc")
    assert sympy.simplify(system.div(system.curl(v))) == 0
    assert [sympy.simplify(c) for c in system.curl(system.grad(f))] == [0, 0, 0]


def test_textbook_expressions():
    polar, spherical = COORDINATE_SYSTEMS["polar"], COORDINATE_SYSTEMS["spherical"]
    r, theta = polar.coordinates
    u, v, w = (sympy.Function(name)(r, theta) for name in "uvw")
    laplacian = u.diff(r, 2) + u.diff(r) / r + u.diff(theta, 2) / r**2
    assert sympy.expand(polar.laplacian(u) - laplacian) == 0
    # The acceleration of a rotating flow: the centripetal term is -v^2/r.
    radial, around = polar.advection((u, v), (u, v))
    expected = u * u.diff(r) + v * u.diff(theta) / r - v**2 / r
    assert sympy.expand(radial - expected) == 0
    expected = u * v.diff(r) + v * v.diff(theta) / r + u * v / r
    assert sympy.expand(around - expected) == 0
    radial = polar.vector_laplacian((u, v))[0]
    expected = laplacian - u / r**2 - 2 * v.diff(theta) / r**2
    assert sympy.expand(radial - expected) == 0
    r, theta, phi = spherical.coordinates
    w = sympy.Function("w")(r, theta, phi)
    expected = (
        (r**2 * w.diff(r)).diff(r) / r**2
        + (sympy.sin(theta) * w.diff(theta)).diff(theta) / (r**2 * sympy.sin(theta))
        + w.diff(phi, 2) / (r * sympy.sin(theta)) ** 2
    )
    assert sympy.expand(spherical.laplacian(w) - expected) == 0


def test_one_coordinate():
    (q,) = sympy.symbols("q", seq=True)
    line = CoordinateSystem((q,), (2 * q,), (q**2,))
    # With x = q^2, f = x^2 has the derivatives 2 x and 2.
    assert line.grad(q**4) == (2 * q**2,)
    assert line.laplacian(q**4) == 2
    assert line.vector_laplacian((q**4,)) == (2,)
    with pytest.raises(EquationError, match="two or three coordinates"):
        line.curl((q,))


def test_wrong_arguments_are_refused():
    polar = COORDINATE_SYSTEMS["polar"]
    with pytest.raises(EquationError, match="div: expected 2 components, along r, theta, got 3"):
        polar.div((1, 2, 3))
    with pytest.raises(EquationError, match="2 coordinates need as many scale factors, got 1"):
        CoordinateSystem((x, y), (x,), ())
    with pytest.raises(EquationError, match="1 to 3 coordinates, got 0"):
        CoordinateSystem((), (), ())


def test_examples():
    assert doctest.testmod(curvilinear).failed == 0
