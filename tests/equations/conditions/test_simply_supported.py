import sympy

from sciml.equations import SimplySupported
from sciml.equations.exact import UniformDisc


def test_the_simply_supported_disc_satisfies_it():
    x, y = sympy.symbols("x y")
    disc = UniformDisc(poisson_ratio=0.25, edge="simply_supported")
    t = sympy.Symbol("t", real=True)
    circle = {x: sympy.cos(t), y: sympy.sin(t)}
    normal = {sympy.Symbol("n_x"): sympy.cos(t), sympy.Symbol("n_y"): sympy.sin(t)}
    for residual in SimplySupported("circle").residuals(disc.pde).values():
        value = residual.subs(disc.pde.w, disc.solution).doit()
        assert sympy.simplify(value.subs(circle | normal)) == 0
