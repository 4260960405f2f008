"""Residuals and derived quantities at states that are known in closed form."""

import pytest
import sympy

from sciml.equations import EQUATIONS, KirchhoffPlate, LinearElasticity

x, y, z, t = sympy.symbols("x y z t")
pi = sympy.pi
WAVE = sympy.sin(pi * x) * sympy.sin(pi * y)


def at(pde, state, name):
    """Return a residual or derived quantity for expressions of the fields."""
    fields = {f: state[f.func.__name__] for f in pde.fields}
    return sympy.simplify((pde.residuals() | pde.derived())[name].subs(fields).doit())


def test_laplace_of_harmonic_functions():
    pde = EQUATIONS["Laplace"](dimension=3)
    assert at(pde, {"u": x * y * z + x**2 - z**2}, "laplace") == 0
    assert at(pde, {"u": x**2}, "laplace") == 2
    assert at(pde, {"u": x * y}, "g_y") == x


def test_an_orthotropic_plate_with_equal_stiffness_is_kirchhoffs():
    D, nu = sympy.symbols("D nu")
    same = KirchhoffPlate(D, nu, "x*y")
    plate = EQUATIONS["OrthotropicPlate"](D, D, nu * D, (1 - nu) * D / 2, "x*y")
    for name, expected in (same.residuals() | same.derived()).items():
        found = (plate.residuals() | plate.derived())[name]
        assert sympy.expand(found - expected) == 0, name


def test_orthotropic_plate_by_its_formula():
    w = sympy.Function("w")(x, y)
    D_x, D_y, D_1, D_xy, q = sympy.symbols("D_x D_y D_1 D_xy q")
    found = EQUATIONS["OrthotropicPlate"].symbolic().residuals()["plate"]
    mixed = 2 * (D_1 + 2 * D_xy) * w.diff(x, 2, y, 2)
    expected = D_x * w.diff(x, 4) + mixed + D_y * w.diff(y, 4) - q
    assert sympy.expand(found - expected) == 0


def test_a_square_plate_swings_with_its_frequency():
    """omega = 2 pi^2 sqrt(D/m) (Leissa 1969, section 4.1)."""
    D, m = sympy.symbols("D m", positive=True)
    omega = 2 * pi**2 * sympy.sqrt(D / m)
    moving = EQUATIONS["PlateVibration"](D, mass=m)
    assert at(moving, {"w": WAVE * sympy.cos(omega * t)}, "plate") == 0
    assert at(moving, {"w": t * x}, "velocity") == x
    assert at(EQUATIONS["PlateMode"](D, mass=m, frequency=omega), {"w": WAVE}, "plate") == 0


def test_a_square_plate_buckles_under_its_critical_thrust():
    """4 pi^2 D/a^2 along one direction, 2 pi^2 D/a^2 along both (Timoshenko and Gere, 9.2)."""
    D = sympy.symbols("D", positive=True)
    buckling = EQUATIONS["PlateBuckling"]
    assert at(buckling(D, thrust_x=4 * pi**2 * D), {"w": WAVE}, "plate") == 0
    assert at(buckling(D, 0.3, 2 * pi**2 * D, 2 * pi**2 * D), {"w": WAVE}, "plate") == 0
    assert at(buckling(D, 0.3, 0, 0, 3), {"w": x * y}, "plate") == 6


def test_a_thick_plate_bends_and_shears():
    """Under sin(pi x) sin(pi y) the shear adds 2 pi^2 D/S to the deflection of the thin plate."""
    D, S = sympy.symbols("D S", positive=True)
    bending = WAVE / (4 * pi**4 * D)
    state = {
        "w": bending * (1 + 2 * pi**2 * D / S),
        "phi_x": bending.diff(x),
        "phi_y": bending.diff(y),
    }
    plate = EQUATIONS["MindlinPlate"](D, "0.3", S, "sin(pi*x)*sin(pi*y)")
    for name in plate.residuals():
        assert at(plate, state, name) == 0, name
    thin = KirchhoffPlate(D, "0.3", "sin(pi*x)*sin(pi*y)")
    for name in thin.derived():
        assert sympy.simplify(at(plate, state, name) - at(thin, {"w": bending}, name)) == 0, name


@pytest.mark.parametrize(
    ("name", "field", "over", "with_"),
    [("TransverseMagnetic", "E_z", "mu", "eps"), ("TransverseElectric", "H_z", "eps", "mu")],
)
def test_waves_across_the_plane(name, field, over, with_):
    pde = EQUATIONS[name].symbolic()
    f, a, b = sympy.Function(field)(x, y), *sympy.symbols([over, with_])
    omega, source = sympy.symbols("omega J" if field == "E_z" else "omega K")
    expected = -(f.diff(x, 2) + f.diff(y, 2)) / a - omega**2 * b * f - source
    assert sympy.expand(pde.residuals()["maxwell"] - expected) == 0
    # A wave with k = omega sqrt(mu eps) needs no source.
    plain = EQUATIONS[name](2, 3, 5)
    assert at(plain, {field: sympy.cos(5 * sympy.sqrt(6) * x)}, "maxwell") == 0


def test_optimal_control_is_riccatis_equation():
    """V = P(t) x^2 leaves x^2 (P' + 2 a P - b^2 P^2/r + q), and u = -b P x/r."""
    a, b, q, r = sympy.symbols("a b q r")
    P = sympy.Function("P")(t)
    pde = EQUATIONS["HamiltonJacobiBellman"].symbolic()
    riccati = P.diff(t) + 2 * a * P - b**2 * P**2 / r + q
    assert sympy.simplify(at(pde, {"V": P * x**2}, "bellman") - x**2 * riccati) == 0
    assert sympy.simplify(at(pde, {"V": P * x**2}, "control") + b * P * x / r) == 0


@pytest.mark.parametrize(
    ("harmonic", "degree"), [(z, 1), (x * y, 2), (x * (5 * z**2 - x**2 - y**2 - z**2), 3)]
)
def test_spherical_harmonics_are_eigenfunctions_on_the_sphere(harmonic, degree):
    """-div_s(grad_s(Y)) = n (n + 1) Y on the unit sphere, whatever Y is beside it."""
    pde = EQUATIONS["LaplaceBeltrami"]()
    point = {x: sympy.Rational(2, 7), y: sympy.Rational(3, 7), z: sympy.Rational(6, 7)}
    for beside in (1, 1 + 3 * (x**2 + y**2 + z**2 - 1)):
        found = at(pde, {"u": harmonic * beside}, "laplace_beltrami").subs(point)
        assert found == degree * (degree + 1) * harmonic.subs(point)


def test_the_surface_flux_is_tangential():
    pde = EQUATIONS["LaplaceBeltrami"](level_set="x + 2*y - z**2")
    flux = [at(pde, {"u": x * y + z}, f"flux_{c}") for c in "xyz"]
    across = sum(f * n for f, n in zip(flux, pde.normal, strict=True))
    assert sympy.simplify(across) == 0


def test_turbulence_in_a_shear_flow():
    """u = U(y): mu_t is rho l^2 U' by mixing length; production is mu_t U'^2."""
    U, k, o = y**2 + y, 1 + y, 2 + y**2
    slope = 2 * y + 1
    rho, mu, length = 2, 3, y / 2
    flow = {"u": U, "v": sympy.Integer(0), "p": sympy.Integer(0)}
    zero = EQUATIONS["MixingLength"](rho, mu, length, (), 2, True)
    s = sympy.symbols("y", positive=True)
    stress = (mu + rho * length**2 * slope) * slope
    found = at(zero, flow, "momentum_x").subs(y, s)
    found = found.subs(sympy.sqrt(4 * s**2 + 4 * s + 1), 2 * s + 1)
    assert sympy.simplify(found + stress.diff(y).subs(y, s)) == 0
    two = EQUATIONS["KOmega"](rho, mu, "0.09", "0.5", "0.07", "0.6", "0.4", (), 2, True)
    eddy = rho * k / o
    factors = [sympy.Rational(n, 100) for n in (9, 50, 7, 60, 40)]
    C_k, C_1, C_2, sigma_k, sigma_o = factors
    state = flow | {"k": k, "omega": o}
    energy = -((mu + sigma_k * eddy) * k.diff(y)).diff(y) - eddy * slope**2 + C_k * rho * k * o
    assert sympy.simplify(at(two, state, "energy") - energy) == 0
    balance = (C_1 * eddy * slope**2 / k - C_2 * rho * o) * o
    frequency = -((mu + sigma_o * eddy) * o.diff(y)).diff(y) - balance
    assert sympy.simplify(at(two, state, "frequency") - frequency) == 0
    assert sympy.simplify(at(two, state, "eddy_viscosity") - eddy) == 0


def test_a_free_body_expands_without_stress():
    """By alpha theta in a solid, by (1 + nu) alpha theta in plane strain."""
    alpha, theta, nu = sympy.symbols("alpha theta_0 nu")
    for d, growth in ((3, alpha), (2, (1 + nu) * alpha)):
        body = EQUATIONS["Thermoelasticity"](2, nu, alpha, dimension=d)
        state = dict(zip("uvw", (growth * theta * c for c in (x, y, z)[:d]), strict=False))
        state["theta"] = theta
        for name in (*body.residuals(), *body.derived()):
            assert at(body, state, name) == 0, name


def test_heat_in_an_elastic_body():
    body = EQUATIONS["Thermoelasticity"](conductivity="2 + x", heat_capacity=3, steady=False)
    state = {"u": 0 * x, "v": 0 * x, "theta": x**2 * t}
    state = {name: sympy.sympify(value) for name, value in state.items()}
    assert sympy.expand(at(body, state, "heat") - (3 * x**2 - 4 * t - 4 * t * x)) == 0


def test_rubber_in_simple_shear():
    """F = [[1, g], [0, 1]] with det F = 1 has the stress mu g across, both ways."""
    E, nu, g = sympy.symbols("E nu g")
    body = EQUATIONS["NeoHookean"](E, nu)
    state = {"u": g * y, "v": sympy.Integer(0)}
    mu = E / (2 * (1 + nu))
    expected = {"J": 1, "P_xx": 0, "P_yy": 0, "P_xy": mu * g, "P_yx": mu * g}
    for name, value in expected.items():
        assert sympy.simplify(at(body, state, name) - value) == 0, name


def test_rubber_is_linear_where_deformation_is_small():
    E, nu, s = sympy.symbols("E nu s")
    u, v = x**2 * y + y, x * y**2 - x**2
    rubber = EQUATIONS["NeoHookean"](E, nu)
    linear = LinearElasticity(E, nu, kind="plane_strain")
    for name in linear.residuals():
        small = at(rubber, {"u": s * u, "v": s * v}, name).diff(s).subs(s, 0)
        assert sympy.simplify(small - at(linear, {"u": u, "v": v}, name)) == 0, name


@pytest.mark.parametrize("kind", ["solid", "plane_strain", "plane_stress"])
def test_mixed_elasticity_with_the_stress_of_the_displacement(kind):
    E, nu = sympy.symbols("E nu")
    linear = LinearElasticity(E, nu, kind=kind)
    mixed = EQUATIONS["MixedElasticity"](E, nu, kind=kind)
    state = dict(zip("uvw", (x**2 * y, x * y**2, x * y * z)[: len(linear.fields)], strict=False))
    full = state | {name: at(linear, state, name) for name in linear.derived()}
    for name in mixed.residuals():
        expected = at(linear, state, name) if name in linear.residuals() else 0
        assert sympy.simplify(at(mixed, full, name) - expected) == 0, name
