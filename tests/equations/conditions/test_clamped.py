import sympy

from sciml.equations import Clamped, KirchhoffPlate
from sciml.equations.exact import UniformDisc


def test_the_clamped_disc_satisfies_it():
    x, y = sympy.symbols("x y")
    solution, plate = UniformDisc(radius=2).solution, KirchhoffPlate()
    t = sympy.Symbol("t", real=True)
    circle = {x: 2 * sympy.cos(t), y: 2 * sympy.sin(t)}
    normal = {sympy.Symbol("n_x"): sympy.cos(t), sympy.Symbol("n_y"): sympy.sin(t)}
    for residual in Clamped("circle").residuals(plate).values():
        assert sympy.simplify(residual.subs(plate.w, solution).doit().subs(circle | normal)) == 0
