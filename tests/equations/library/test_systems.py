"""Fronts, fields, finance and ordinary differential equations against formulas and solutions."""

import sympy

from sciml.equations import EQUATIONS

x, y, z, t = sympy.symbols("x y z t")


def fields(names, *coordinates):
    return [sympy.Function(name)(*coordinates) for name in names.split()]


def same(name, expected, **chosen):
    found = EQUATIONS[name].symbolic(**chosen).residuals()
    assert list(found) == list(expected)
    for word, formula in expected.items():
        assert sympy.expand(found[word] - formula.doit()) == 0, word


def put(pde, **solution):
    known = {pde.field(word): expression for word, expression in solution.items()}
    return [sympy.simplify(r.subs(known).doit()) for r in pde.residuals().values()]


def test_eikonal_is_solved_by_the_distance():
    (T,), n = fields("T", x, y), sympy.Symbol("n")
    same("Eikonal", {"eikonal": T.diff(x) ** 2 + T.diff(y) ** 2 - n**2})
    distance = sympy.sqrt(x**2 + y**2 + z**2)
    assert put(EQUATIONS["Eikonal"](2, dimension=3), T=2 * distance) == [0]


def test_black_scholes_is_solved_by_the_price_of_a_call():
    """Strike 1, maturity 1: V = x e^(-q s) Phi(d_1) - e^(-r s) Phi(d_2), s = 1 - t."""
    (V,) = fields("V", x, t)
    sigma, r, q = sympy.symbols("sigma r q")
    spread = sigma**2 * x**2 / 2 * V.diff(x, 2)
    formula = V.diff(t) + spread + (r - q) * x * V.diff(x) - r * V
    same("BlackScholes", {"black_scholes": formula})
    s, volatility = 1 - t, sympy.Rational(1, 5)
    rate, dividend = sympy.Rational(1, 20), sympy.Rational(1, 50)
    first = (sympy.log(x) + (rate - dividend + volatility**2 / 2) * s) / (
        volatility * sympy.sqrt(s)
    )
    second = first - volatility * sympy.sqrt(s)

    def normal(d):
        return (1 + sympy.erf(d / sympy.sqrt(2))) / 2

    call = x * sympy.exp(-dividend * s) * normal(first) - sympy.exp(-rate * s) * normal(second)
    pde = EQUATIONS["BlackScholes"](volatility, rate, dividend)
    residual = pde.residuals()["black_scholes"].subs(pde.fields[0], call).doit()
    for share, time in ((0.9, 0.3), (1.2, 0.8)):
        at = {x: sympy.Float(str(share), 40), t: sympy.Float(str(time), 40)}
        assert abs(residual.subs(at).evalf(40)) < sympy.Float("1e-30")


def test_fokker_planck_with_a_spring_settles_to_a_gaussian():
    (p,) = fields("p", x, t)
    found = EQUATIONS["FokkerPlanck"](("x**2",), "1 + x").residuals()["fokker_planck"]
    expected = p.diff(t) + (x**2 * p).diff(x) - ((1 + x) * p).diff(x, 2)
    assert sympy.expand(found - expected) == 0
    spring = EQUATIONS["FokkerPlanck"]((-x, -2 * y), 1, dimension=2)
    assert put(spring, p=sympy.exp(-(x**2) / 2 - y**2)) == [0]


def test_maxwell_by_components_and_for_a_plane_wave():
    E = fields("E_x E_y E_z", x, y, z)
    mu, eps, omega, J = sympy.symbols("mu eps omega J_x")
    div = E[0].diff(x) + E[1].diff(y) + E[2].diff(z)
    laplacian = E[0].diff(x, 2) + E[0].diff(y, 2) + E[0].diff(z, 2)
    found = EQUATIONS["Maxwell"].symbolic().residuals()["maxwell_x"]
    expected = (div.diff(x) - laplacian) / mu - omega**2 * eps * E[0] - J
    assert sympy.expand(found - expected) == 0
    wave = EQUATIONS["Maxwell"](permeability=2, permittivity=3, frequency=1)
    assert put(wave, E_x=0, E_y=sympy.cos(sympy.sqrt(6) * x), E_z=0) == [0, 0, 0]


def test_lorenz_and_its_fixed_point():
    X, Y, Z = fields("X Y Z", t)
    sigma, rho, beta = sympy.symbols("sigma rho beta")
    expected = {
        "rate_x": X.diff(t) + sigma * X - sigma * Y,
        "rate_y": Y.diff(t) - rho * X + X * Z + Y,
        "rate_z": Z.diff(t) - X * Y + beta * Z,
    }
    same("Lorenz", expected)
    fixed = sympy.sqrt(beta * (rho - 1))
    assert put(EQUATIONS["Lorenz"](sigma, rho, beta), X=fixed, Y=fixed, Z=rho - 1) == [0, 0, 0]
    assert EQUATIONS["Lorenz"]().coefficient_values()[:2] == (10, 28)


def test_lotka_volterra():
    u, v = fields("u v", t)
    alpha, beta, delta, gamma = sympy.symbols("alpha beta delta gamma")
    expected = {
        "prey": u.diff(t) - alpha * u + beta * u * v,
        "predator": v.diff(t) - delta * u * v + gamma * v,
    }
    same("LotkaVolterra", expected)


def test_a_damped_spring_in_closed_form():
    (u,), (m, c, k, f) = fields("u", t), sympy.symbols("m c k f")
    same("SpringMass", {"oscillator": m * u.diff(t, 2) + c * u.diff(t) + k * u - f})
    pde = EQUATIONS["SpringMass"](mass=1, damping=2, stiffness=10)
    assert put(pde, u=sympy.exp(-t) * sympy.cos(3 * t)) == [0]


def test_robertson_conserves_mass():
    a, b, c = fields("a b c", t)
    k1, k2, k3 = sympy.symbols("k1 k2 k3")
    expected = {
        "rate_a": a.diff(t) + k1 * a - k3 * b * c,
        "rate_b": b.diff(t) - k1 * a + k3 * b * c + k2 * b**2,
        "rate_c": c.diff(t) - k2 * b**2,
    }
    same("Robertson", expected)
    total = sum(EQUATIONS["Robertson"].symbolic().residuals().values())
    assert sympy.expand(total - (a + b + c).diff(t)) == 0
