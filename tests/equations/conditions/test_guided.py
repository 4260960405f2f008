import sympy

from sciml.equations import Guided, KirchhoffPlate


def test_a_line_of_symmetry_is_guided():
    x, y = sympy.symbols("x y")
    plate = KirchhoffPlate()
    symmetric = x**2 * y**3 + sympy.cos(x) * sympy.exp(y) + x**4
    edge = {sympy.Symbol("n_x"): -1, sympy.Symbol("n_y"): 0, sympy.Symbol("kappa"): 0, x: 0}
    for residual in Guided("edges.left").residuals(plate).values():
        assert residual.subs(plate.w, symmetric).doit().subs(edge) == 0
