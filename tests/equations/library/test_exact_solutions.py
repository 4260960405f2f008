"""Closed-form solutions of the literature, whose residuals are zero."""

import mpmath
import pytest
import sympy

from sciml.equations import EQUATIONS

x, y, z, t = sympy.symbols("x y z t")
sech = sympy.sech
sqrt, sin, cos, exp, tanh, atan = (
    sympy.sqrt, sympy.sin, sympy.cos, sympy.exp, sympy.tanh, sympy.atan
)  # fmt: skip
half = sympy.Rational(1, 2)


def residuals(name, solution, **coefficients):
    pde = EQUATIONS[name](**coefficients)
    put = {pde.field(word): expression for word, expression in solution.items()}
    return {word: r.subs(put).doit() for word, r in pde.residuals().items()}


SOLUTIONS = {
    "heat kernel": (
        "Diffusion", {"u": exp(-(x**2 + y**2) / (4 * t)) / t}, {"dimension": 2},
    ),
    "boundary layer": (
        "AdvectionDiffusion", {"u": exp(2 * x / half)},
        {"velocity": (2,), "diffusivity": half, "steady": True},
    ),
    "standing wave": (
        "Wave", {"u": sin(3 * x) * sin(4 * y) * cos(10 * t)}, {"speed": 2, "dimension": 2},
    ),
    "damped wave": (
        "Telegraph", {"u": exp(-t) * sin(x) * cos(sqrt(3) * t)},
        {"speed": 2, "damping": 2, "leakage": 0},
    ),
    "plane wave with losses": (
        "ComplexHelmholtz", {"u": exp(-x) * cos(2 * x), "v": exp(-x) * sin(2 * x)},
        {"wave_number": sqrt(3), "loss": sympy.Rational(4, 3), "dimension": 1},
    ),
    "front of Burgers' equation, Whitham (4.23)": (
        "Burgers", {"u": 1 - tanh(x - t)}, {"viscosity": half},
    ),
    "soliton of Korteweg and de Vries": (
        "KortewegDeVries", {"u": sech(x - 4 * t) ** 2 * 2}, {},
    ),
    "front of Kuramoto and Sivashinsky": (
        "KuramotoSivashinsky",
        {"u": sqrt(sympy.Rational(11, 19)) * sympy.Rational(15, 19)
         * (-9 * tanh(sqrt(sympy.Rational(11, 19)) * x / 2)
            + 11 * tanh(sqrt(sympy.Rational(11, 19)) * x / 2) ** 3)},
        {},
    ),
    "wall between phases": ("AllenCahn", {"u": tanh(x / sqrt(2))}, {"diffusivity": 1}),
    "interface of Cahn and Hilliard": (
        "CahnHilliard", {"c": tanh(x / sqrt(2))}, {"gradient_energy": 1, "dimension": 1},
    ),
    "front of Ablowitz and Zeppetella": (
        "FisherKPP", {"u": (1 + exp((x - 5 * t / sqrt(6)) / sqrt(6))) ** -2}, {},
    ),
    "soliton of the nonlinear Schroedinger equation": (
        "NonlinearSchroedinger",
        {"u": sech(x - t) * cos(x), "v": sech(x - t) * sin(x)}, {},
    ),
    "kink of sine-Gordon": (
        "SineGordon", {"u": 4 * atan(exp((x - half * t) / sqrt(1 - half**2)))}, {},
    ),
    "plane wave of Klein and Gordon": ("KleinGordon", {"u": cos(sqrt(3) * x - 2 * t)}, {}),
}  # fmt: skip


@pytest.mark.parametrize("label", SOLUTIONS)
def test_solution(label):
    """Zero to 30 digits at points without any symmetry, in arithmetic of 40 digits."""
    name, solution, coefficients = SOLUTIONS[label]
    for word, residual in residuals(name, solution, **coefficients).items():
        for point in ((0.31, 0.47, 0.83, 0.59), (-0.73, 0.11, 0.29, 0.97)):
            put = dict(zip((x, y, z, t), map(sympy.Float, map(str, point), [40] * 4), strict=True))
            value = mpmath.mpf(abs(residual.subs(put).evalf(40)))
            assert value < mpmath.mpf(10) ** -30, word


@pytest.mark.parametrize("label", SOLUTIONS)
def test_a_bent_field_is_no_solution(label):
    name, solution, coefficients = SOLUTIONS[label]
    bent = {field: e + x**4 * y**2 * t**3 for field, e in solution.items()}
    at = {x: 0.31, y: 0.47, z: 0.83, t: 0.59}
    found = residuals(name, bent, **coefficients).values()
    assert max(abs(complex(r.subs(at).evalf())) for r in found) > 1e-4
