"""Equations of flow: formulas written out by components, and flows known in closed form."""

import pytest
import sympy

from sciml.equations import EQUATIONS

x, y, z, t, r = sympy.symbols("x y z t r")
rho, mu, nu, g = sympy.symbols("rho mu nu g")


def fields(names, *coordinates):
    return [sympy.Function(name)(*coordinates) for name in names.split()]


def lap(f, *coordinates):
    return sum(f.diff(c, 2) for c in coordinates)


def same(found, expected):
    assert list(found) == list(expected)
    for word, formula in expected.items():
        assert sympy.expand(found[word] - formula.doit()) == 0, word


def test_navier_stokes_in_two_dimensions():
    u, v, p = fields("u v p", x, y, t)
    fx, fy = sympy.symbols("f_x f_y")
    mixed = u.diff(x) + v.diff(y)
    expected = {
        "continuity": mixed,
        "momentum_x": rho * (u.diff(t) + u * u.diff(x) + v * u.diff(y)) + p.diff(x)
        - mu * (lap(u, x, y) + mixed.diff(x)) - fx,
        "momentum_y": rho * (v.diff(t) + u * v.diff(x) + v * v.diff(y)) + p.diff(y)
        - mu * (lap(v, x, y) + mixed.diff(y)) - fy,
    }  # fmt: skip
    same(EQUATIONS["NavierStokes"].symbolic().residuals(), expected)
    vorticity = EQUATIONS["NavierStokes"]().derived()["vorticity"]
    assert vorticity == v.diff(x) - u.diff(y)


def test_navier_stokes_with_a_variable_viscosity():
    u, v, p = fields("u v p", x, y)
    m = 1 + y**2
    stress = 2 * m * u.diff(x), m * (u.diff(y) + v.diff(x))
    expected = u * u.diff(x) + v * u.diff(y) + p.diff(x) - stress[0].diff(x) - stress[1].diff(y)
    pde = EQUATIONS["NavierStokes"](viscosity="1 + y**2", steady=True)
    assert sympy.expand(pde.residuals()["momentum_x"] - expected) == 0


def test_navier_stokes_in_three_dimensions():
    u, v, w, p = fields("u v w p", x, y, z)
    fz = sympy.Symbol("f_z")
    mixed = u.diff(x) + v.diff(y) + w.diff(z)
    expected = rho * (u * w.diff(x) + v * w.diff(y) + w * w.diff(z)) + p.diff(z) - fz
    expected -= mu * (lap(w, x, y, z) + mixed.diff(z))
    pde = EQUATIONS["NavierStokes"].symbolic(dimension=3, steady=True)
    assert sympy.expand(pde.residuals()["momentum_z"] - expected) == 0
    assert pde.derived()["vorticity_x"] == w.diff(y) - v.diff(z)


def test_boussinesq():
    u, v, _, T = fields("u v p T", x, y, t)
    gx, beta, T0, c, k, q = sympy.symbols("g_x beta T_0 c k q")
    found = EQUATIONS["Boussinesq"].symbolic().residuals()
    flow = EQUATIONS["NavierStokes"].symbolic(force=()).residuals()
    energy = rho * c * (T.diff(t) + u * T.diff(x) + v * T.diff(y)) - k * lap(T, x, y) - q
    assert sympy.expand(found["energy"] - energy) == 0
    buoyancy = -rho * beta * (T - T0) * gx
    assert sympy.expand(found["momentum_x"] - flow["momentum_x"] + buoyancy) == 0


def test_stream_function_and_vorticity():
    (psi,), f = fields("psi", x, y), sympy.Symbol("f")
    omega = -psi.diff(x, 2) - psi.diff(y, 2)
    transport = (
        psi.diff(y) * omega.diff(x) - psi.diff(x) * omega.diff(y) - nu * lap(omega, x, y) - f
    )
    same(EQUATIONS["StreamFunction"].symbolic().residuals(), {"vorticity_transport": transport})
    omega, psi = fields("omega psi", x, y)
    expected = {
        "vorticity_transport": psi.diff(y) * omega.diff(x) - psi.diff(x) * omega.diff(y)
        - nu * lap(omega, x, y) - f,
        "stream_function": lap(psi, x, y) + omega,
    }  # fmt: skip
    same(EQUATIONS["VorticityStreamFunction"].symbolic().residuals(), expected)


def test_porous_media():
    u, v, p = fields("u v p", x, y)
    K, me, fx, s = sympy.symbols("K mu_e f_x s")
    mixed = u.diff(x) + v.diff(y)
    viscous = lap(u, x, y) + mixed.diff(x)
    stokes = EQUATIONS["Stokes"].symbolic().residuals()
    assert sympy.expand(stokes["momentum_x"] - (p.diff(x) - mu * viscous - fx)) == 0
    brinkman = EQUATIONS["Brinkman"].symbolic().residuals()
    expected = p.diff(x) - me * viscous + mu / K * u - fx
    assert sympy.expand(brinkman["momentum_x"] - expected) == 0
    darcy = EQUATIONS["Darcy"].symbolic().residuals()["darcy"]
    assert sympy.expand(darcy + K / mu * lap(p, x, y) + s) == 0


def test_shallow_water_in_two_dimensions():
    h, u, v = fields("h u v", x, y, t)
    found = EQUATIONS["ShallowWater"](gravity=g, dimension=2, bed="x*y").residuals()
    expected = {
        "continuity": h.diff(t) + (h * u).diff(x) + (h * v).diff(y),
        "momentum_x": (h * u).diff(t) + (h * u**2 + g * h**2 / 2).diff(x) + (h * u * v).diff(y)
        + g * h * y,
        "momentum_y": (h * v).diff(t) + (h * u * v).diff(x) + (h * v**2 + g * h**2 / 2).diff(y)
        + g * h * x,
    }  # fmt: skip
    same(found, expected)


def test_euler_gas_in_one_dimension():
    density, u, p = fields("rho u p", x, t)
    gamma = sympy.Symbol("gamma")
    energy = p / (gamma - 1) + density * u**2 / 2
    expected = {
        "continuity": density.diff(t) + (density * u).diff(x),
        "momentum_x": (density * u).diff(t) + (density * u**2 + p).diff(x),
        "energy": energy.diff(t) + (u * (energy + p)).diff(x),
    }
    same(EQUATIONS["EulerGas"].symbolic().residuals(), expected)


def test_k_epsilon_by_components():
    u, v, p, k, eps = fields("u v p k eps", x, y)
    C_mu, C_1, C_2, sk, se = sympy.symbols("C_mu C_1 C_2 sigma_k sigma_e")
    eddy = rho * C_mu * k**2 / eps
    shear = u.diff(y) + v.diff(x)
    production = eddy * (2 * u.diff(x) ** 2 + 2 * v.diff(y) ** 2 + shear**2)

    def spread(f, sigma):
        m = mu + eddy / sigma
        return (m * f.diff(x)).diff(x) + (m * f.diff(y)).diff(y)

    def carried(f):
        return rho * (u * f.diff(x) + v * f.diff(y))

    m = mu + eddy
    expected = {
        "continuity": u.diff(x) + v.diff(y),
        "momentum_x": carried(u) + p.diff(x) - (2 * m * u.diff(x)).diff(x) - (m * shear).diff(y),
        "momentum_y": carried(v) + p.diff(y) - (2 * m * v.diff(y)).diff(y) - (m * shear).diff(x),
        "energy": carried(k) - spread(k, sk) - production + rho * eps,
        "dissipation": carried(eps) - spread(eps, se) - C_1 * eps / k * production
        + C_2 * rho * eps**2 / k,
    }  # fmt: skip
    same(EQUATIONS["KEpsilon"].symbolic(steady=True, force=()).residuals(), expected)


exp, sin, cos, pi = sympy.exp, sympy.sin, sympy.cos, sympy.pi
tenth, twentieth = sympy.Rational(1, 10), sympy.Rational(1, 20)
decay = exp(-2 * tenth * t)
kovasznay = 10 - sympy.sqrt(100 + 4 * pi**2)  # Reynolds number 20
hagen = (1 - r**2) / 4
psi = sin(x) * sin(y) * decay
FLOWS = {
    "vortices of Taylor and Green": (
        "NavierStokes",
        {"u": -cos(x) * sin(y) * decay, "v": sin(x) * cos(y) * decay,
         "p": -(cos(2 * x) + cos(2 * y)) * decay**2 / 4},
        {"viscosity": tenth},
    ),
    "Kovasznay's wake": (
        "NavierStokes",
        {"u": 1 - exp(kovasznay * x) * cos(2 * pi * y),
         "v": kovasznay / (2 * pi) * exp(kovasznay * x) * sin(2 * pi * y),
         "p": -exp(2 * kovasznay * x) / 2},
        {"viscosity": twentieth, "steady": True},
    ),
    "plane Poiseuille flow": ("Stokes", {"u": y * (1 - y), "v": 0, "p": -4 * x}, {"viscosity": 2}),
    "flow in a pipe": (
        "AxisymmetricNavierStokes", {"u": 0, "w": hagen, "p": -z}, {"viscosity": 1, "steady": True},
    ),
    "axisymmetric stagnation": (
        "AxisymmetricNavierStokes",
        {"u": r, "w": -2 * z, "p": -(r**2 + 4 * z**2) / 2}, {"steady": True},
    ),
    "vortices by the stream function": (
        "StreamFunction", {"psi": psi}, {"viscosity": tenth, "steady": False},
    ),
    "vortices by the vorticity": (
        "VorticityStreamFunction", {"omega": 2 * psi, "psi": psi},
        {"viscosity": tenth, "steady": False},
    ),
    "porous channel": (
        "Brinkman", {"u": 1 - sympy.cosh(y) / sympy.cosh(1), "v": 0, "p": -x}, {},
    ),
    "lake at rest": ("ShallowWater", {"h": 2 - x**2, "u": 0}, {"bed": "x**2"}),
    "dam break": (
        "ShallowWater", {"h": (2 - x / t) ** 2 / 9, "u": 2 * (x / t + 1) / 3}, {"gravity": 1},
    ),
    "entropy wave": ("EulerGas", {"rho": 2 + sin(x - t), "u": 1, "p": 3}, {}),
}  # fmt: skip


@pytest.mark.parametrize("label", FLOWS)
def test_flow_in_closed_form(label):
    name, solution, coefficients = FLOWS[label]
    pde = EQUATIONS[name](**coefficients)
    put = {pde.field(word): expression for word, expression in solution.items()}
    for word, residual in pde.residuals().items():
        assert sympy.simplify(residual.subs(put).doit()) == 0, word
