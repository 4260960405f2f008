"""Solids, beams and plates: formulas written out, and bodies known in closed form."""

import pytest
import sympy

from sciml.equations import EQUATIONS
from sciml.framework.errors import EquationError

x, y, z, t = sympy.symbols("x y z t")
E, nu, rho, B, S, D, q, N, k, G = sympy.symbols("E nu rho B S D q N k G")


def fields(names, *coordinates):
    return [sympy.Function(name)(*coordinates) for name in names.split()]


def put(pde, **solution):
    known = {pde.field(word): expression for word, expression in solution.items()}
    expressions = pde.residuals() | pde.derived()
    return {word: sympy.simplify(e.subs(known).doit()) for word, e in expressions.items()}


def test_elasticity_in_three_dimensions_is_naviers_equation():
    u, v, w = fields("u v w", x, y, z, t)
    mu, fx = E / (2 * (1 + nu)), sympy.Symbol("f_x")
    dilatation = u.diff(x) + v.diff(y) + w.diff(z)
    laplacian = u.diff(x, 2) + u.diff(y, 2) + u.diff(z, 2)
    expected = rho * u.diff(t, 2) - mu * (laplacian + dilatation.diff(x) / (1 - 2 * nu)) - fx
    pde = EQUATIONS["LinearElasticity"].symbolic(kind="solid", steady=False)
    assert sympy.simplify(pde.residuals()["equilibrium_x"] - expected) == 0


def test_plane_stress_and_plane_strain_are_hookes_law():
    u, v = fields("u v", x, y)
    shear = E / (2 * (1 + nu)) * (u.diff(y) + v.diff(x))
    stress = EQUATIONS["LinearElasticity"].symbolic(kind="plane_stress").derived()
    expected = E / (1 - nu**2) * (u.diff(x) + nu * v.diff(y))
    assert sympy.simplify(stress["sigma_xx"] - expected) == 0
    assert sympy.simplify(stress["sigma_xy"] - shear) == 0
    strain = EQUATIONS["LinearElasticity"].symbolic(kind="plane_strain").derived()
    expected = E / ((1 + nu) * (1 - 2 * nu)) * ((1 - nu) * u.diff(x) + nu * v.diff(y))
    assert sympy.simplify(strain["sigma_xx"] - expected) == 0
    assert sympy.simplify(strain["sigma_xy"] - shear) == 0


def test_lames_cylinder_under_pressure():
    """Plane stress, Timoshenko and Goodier, section 28: sigma_r = A/r^2 + C."""
    A, C = sympy.symbols("A C")
    r2 = x**2 + y**2
    radial = ((1 - nu) * C - (1 + nu) * A / r2) / E
    found = put(EQUATIONS["LinearElasticity"](E, nu), u=radial * x, v=radial * y)
    assert found["equilibrium_x"] == found["equilibrium_y"] == 0
    assert found["sigma_xx"].subs(y, 0).equals(A / x**2 + C)
    assert found["sigma_yy"].subs(y, 0).equals(-A / x**2 + C)


def test_a_stretched_bar_has_the_stress_of_youngs_modulus():
    pde = EQUATIONS["LinearElasticity"](E, nu, kind="solid")
    found = put(pde, u=x, v=-nu * y, w=-nu * z)
    assert found["sigma_xx"] == E
    assert {found[f"sigma_{s}"] for s in ("yy", "zz", "xy", "xz", "yz")} == {0}


def test_an_unknown_kind_is_refused():
    with pytest.raises(EquationError, match=r"kind must be 'solid'.* got 'shell'"):
        EQUATIONS["LinearElasticity"](kind="shell")


def test_beams_by_formula():
    (w,), m = fields("w", x, t), sympy.Symbol("m")
    found = EQUATIONS["EulerBernoulliBeam"].symbolic(steady=False).residuals()["beam"]
    expected = B * w.diff(x, 4) + N * w.diff(x, 2) + k * w + m * w.diff(t, 2) - q
    assert sympy.expand(found - expected) == 0
    w, phi = fields("w phi", x)
    found = EQUATIONS["TimoshenkoBeam"].symbolic().residuals()
    assert sympy.expand(found["shear"] - (-S * (w.diff(x, 2) - phi.diff(x)) - q)) == 0
    assert sympy.expand(found["bending"] - (-B * phi.diff(x, 2) - S * (w.diff(x) - phi))) == 0


def test_cantilever_of_timoshenko():
    """Load P at the end 1: w = P x^2 (3 - x) / (6 B) + P x / S, moment P (x - 1)."""
    P = sympy.Symbol("P")
    bent = P * x**2 * (3 - x) / (6 * B)
    found = put(EQUATIONS["TimoshenkoBeam"](B, S, 0), w=bent + P * x / S, phi=bent.diff(x))
    assert (found["shear"], found["bending"], found["Q"]) == (0, 0, P)
    assert found["M"].equals(P * (x - 1))


def test_columns_and_vibrations_of_beams():
    column = EQUATIONS["EulerBernoulliBeam"](B, 0, thrust=sympy.pi**2 * B)
    assert put(column, w=sympy.sin(sympy.pi * x))["beam"] == 0
    string = EQUATIONS["EulerBernoulliBeam"](B, 0, mass=B, steady=False)
    assert put(string, w=sympy.sin(2 * x) * sympy.cos(4 * t))["beam"] == 0


def test_plate_on_a_foundation_by_formula():
    (w,) = fields("w", x, y)
    found = EQUATIONS["FoundationPlate"].symbolic().residuals()["plate"]
    bending = D * (w.diff(x, 4) + 2 * w.diff(x, 2, y, 2) + w.diff(y, 4))
    expected = bending + k * w + (N - G) * (w.diff(x, 2) + w.diff(y, 2)) - q
    assert sympy.expand(found - expected) == 0


def test_buckling_of_a_square_plate():
    """Equal thrust on all sides: N = 2 pi^2 D / a^2, Timoshenko and Gere, section 9.2."""
    thrust = 2 * sympy.pi**2 * D
    pde = EQUATIONS["FoundationPlate"](D, nu, 0, winkler=0, thrust=thrust)
    assert put(pde, w=sympy.sin(sympy.pi * x) * sympy.sin(sympy.pi * y))["plate"] == 0


def test_von_karman_by_formula():
    w, F = fields("w F", x, y)
    found = EQUATIONS["VonKarmanPlate"].symbolic().residuals()
    membrane = (
        F.diff(y, 2) * w.diff(x, 2) + F.diff(x, 2) * w.diff(y, 2)
        - 2 * F.diff(x, y) * w.diff(x, y)
    )  # fmt: skip
    bending = D * (w.diff(x, 4) + 2 * w.diff(x, 2, y, 2) + w.diff(y, 4))
    assert sympy.expand(found["plate"] - (bending - membrane - q)) == 0
    gauss = w.diff(x, 2) * w.diff(y, 2) - w.diff(x, y) ** 2
    stretching = F.diff(x, 4) + 2 * F.diff(x, 2, y, 2) + F.diff(y, 4) + S * gauss
    assert sympy.expand(found["compatibility"] - stretching) == 0
