import sympy

from sciml.equations import Clamped, Guided, KirchhoffPlate, ansatz
from sciml.geometry import Rectangle


def test_a_line_of_symmetry_is_guided():
    x, y = sympy.symbols("x y")
    plate = KirchhoffPlate()
    symmetric = x**2 * y**3 + sympy.cos(x) * sympy.exp(y) + x**4
    edge = {sympy.Symbol("n_x"): -1, sympy.Symbol("n_y"): 0, sympy.Symbol("kappa"): 0, x: 0}
    for residual in Guided("edges.left").residuals(plate).values():
        assert residual.subs(plate.w, symmetric).doit().subs(edge) == 0


def test_the_slope_is_zero_by_form_and_the_shear_is_not():
    plate = KirchhoffPlate()
    trial = ansatz(Rectangle(), [Guided("edges.left"), Clamped("edges.right")], plate.w)
    assert [(c.part, name) for c, name in trial.hard] == [
        ("edges.right", "w"), ("edges.right", "w_n"), ("edges.left", "w_n"),
    ]  # fmt: skip
    assert [s.name for s in trial.soft] == ["V_n"]
    x, y = plate.coordinates
    w = trial.expression.subs(trial.raw, sympy.exp(x) * sympy.sin(y)).doit()
    assert sympy.simplify(w.diff(x).subs(x, 0)) == 0
    soft = ansatz(Rectangle(), [Guided("edges.left", hard=False)], plate.w)
    assert [s.name for s in soft.soft] == ["w_n", "V_n"]
