"""Residuals against formulas written out by components."""

import pytest
import sympy

from sciml.equations import EQUATIONS

x, y, z, t = sympy.symbols("x y z t")


def fields(names, *coordinates):
    return [sympy.Function(name)(*coordinates) for name in names.split()]


def same(name, expected, **chosen):
    """Compare all residuals of an equation with letters for coefficients."""
    found = EQUATIONS[name].symbolic(**chosen).residuals()
    assert list(found) == list(expected)
    for word, formula in expected.items():
        assert sympy.simplify(sympy.expand(found[word] - formula)) == 0, word


def lap(f, *coordinates):
    return sum(f.diff(c, 2) for c in coordinates)


def test_helmholtz_in_two_dimensions():
    (u,), (k, f) = fields("u", x, y), sympy.symbols("k f")
    same("Helmholtz", {"helmholtz": u.diff(x, 2) + u.diff(y, 2) + k**2 * u - f})


def test_diffusion_in_three_dimensions():
    (u,), (D, f) = fields("u", x, y, z, t), sympy.symbols("D f")
    expected = u.diff(t) - D * (u.diff(x, 2) + u.diff(y, 2) + u.diff(z, 2)) - f
    same("Diffusion", {"diffusion": expected}, dimension=3)


def test_diffusion_with_a_variable_coefficient():
    (u,), (f,) = fields("u", x, t), sympy.symbols("f,")
    expected = u.diff(t) - (1 + x**2) * u.diff(x, 2) - 2 * x * u.diff(x) - f
    same("Diffusion", {"diffusion": expected}, diffusivity="1 + x**2")


def test_advection_diffusion_in_two_dimensions():
    (u,) = fields("u", x, y, t)
    ax, ay, D, s, f = sympy.symbols("a_x a_y D sigma f")
    expected = u.diff(t) + ax * u.diff(x) + ay * u.diff(y) - D * lap(u, x, y) + s * u - f
    same("AdvectionDiffusion", {"advection_diffusion": expected}, dimension=2)


def test_steady_advection_diffusion():
    (u,) = fields("u", x)
    a, D, s, f = sympy.symbols("a_x D sigma f")
    expected = a * u.diff(x) - D * u.diff(x, 2) + s * u - f
    same("AdvectionDiffusion", {"advection_diffusion": expected}, steady=True)


def test_waves():
    (u,) = fields("u", x, t)
    c, a, b, m, g, f = sympy.symbols("c a b m g f")
    wave = u.diff(t, 2) - c**2 * u.diff(x, 2)
    same("Wave", {"wave": wave - f})
    same("Telegraph", {"telegraph": wave + a * u.diff(t) + b * u - f})
    same("KleinGordon", {"klein_gordon": wave + m**2 * u + g * u**3 - f})
    same("SineGordon", {"sine_gordon": wave + m**2 * sympy.sin(u)})


def test_burgers_in_two_dimensions():
    u, v = fields("u v", x, y, t)
    nu, fx, fy = sympy.symbols("nu f_x f_y")
    expected = {
        "burgers_x": u.diff(t) + u * u.diff(x) + v * u.diff(y) - nu * lap(u, x, y) - fx,
        "burgers_y": v.diff(t) + u * v.diff(x) + v * v.diff(y) - nu * lap(v, x, y) - fy,
    }
    same("Burgers", expected, dimension=2)


def test_one_dimensional_evolution_equations():
    (u,) = fields("u", x, t)
    D, k, r, K, a, b = sympy.symbols("D k r K a b")
    kdv = u.diff(t) + a * u * u.diff(x) + b * u.diff(x, 3)
    same("KortewegDeVries", {"korteweg_de_vries": kdv})
    ks = u.diff(t) + u * u.diff(x) + a * u.diff(x, 2) + b * u.diff(x, 4)
    same("KuramotoSivashinsky", {"kuramoto_sivashinsky": ks})
    same("AllenCahn", {"allen_cahn": u.diff(t) - D * u.diff(x, 2) - k * u + k * u**3})
    logistic = u.diff(t) - D * u.diff(x, 2) - r * u + r * u**2 / K
    same("FisherKPP", {"fisher_kpp": logistic})


def test_cahn_hilliard_in_one_dimension():
    (c,), (M, k, gamma) = fields("c", x, t), sympy.symbols("M k gamma")
    curvature = (3 * c**2 - 1) * c.diff(x, 2) + 6 * c * c.diff(x) ** 2
    expected = c.diff(t) - M * (k * curvature - gamma * c.diff(x, 4))
    same("CahnHilliard", {"cahn_hilliard": expected})


def test_swift_hohenberg_in_two_dimensions():
    (u,), (r, k, g) = fields("u", x, y, t), sympy.symbols("r k g")
    fourth = u.diff(x, 4) + 2 * u.diff(x, 2, y, 2) + u.diff(y, 4)
    pattern = k**4 * u + 2 * k**2 * lap(u, x, y) + fourth
    expected = u.diff(t) - r * u + pattern - g * u**2 + u**3
    same("SwiftHohenberg", {"swift_hohenberg": expected})


def test_reaction_and_diffusion_of_two_substances():
    u, v = fields("u v", x, t)
    Du, Dv, F, k = sympy.symbols("D_u D_v F k")
    expected = {
        "rate_u": u.diff(t) - Du * u.diff(x, 2) + u * v**2 - F + F * u,
        "rate_v": v.diff(t) - Dv * v.diff(x, 2) - u * v**2 + F * v + k * v,
    }
    same("GrayScott", expected, dimension=1)
    v, w = fields("v w", x, t)
    D, current, eps, a, b = sympy.symbols("D I eps a b")
    expected = {
        "potential": v.diff(t) - D * v.diff(x, 2) - v + v**3 / 3 + w - current,
        "recovery": w.diff(t) - eps * v - eps * a + eps * b * w,
    }
    same("FitzHughNagumo", expected)


def test_complex_equations_by_parts():
    u, v = fields("u v", x, t)
    a, g, V = sympy.symbols("a g V")
    n = u**2 + v**2
    expected = {
        "real": -v.diff(t) + a * u.diff(x, 2) + g * n * u - V * u,
        "imaginary": u.diff(t) + a * v.diff(x, 2) + g * n * v - V * v,
    }
    same("NonlinearSchroedinger", expected)
    u, v = fields("u v", x, y)
    k, eta, fr, fi = sympy.symbols("k eta f_r f_i")
    expected = {
        "real": lap(u, x, y) + k**2 * (u - eta * v) - fr,
        "imaginary": lap(v, x, y) + k**2 * (v + eta * u) - fi,
    }
    same("ComplexHelmholtz", expected)


def test_vectors_need_one_component_per_dimension():
    from sciml.framework.errors import EquationError

    message = r"^Burgers: force must be a tuple of 2 components, or \(\) for zero, got \(1.0,\)$"
    with pytest.raises(EquationError, match=message):
        EQUATIONS["Burgers"](force=(1.0,), dimension=2)
