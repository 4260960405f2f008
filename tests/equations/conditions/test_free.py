import sympy

from sciml.equations import Free, KirchhoffPlate


def test_rolling_up_and_rigid_motion_need_no_forces_on_the_edges():
    x, y = sympy.symbols("x y")
    nx, ny = sympy.symbols("n_x n_y")
    plate = KirchhoffPlate(poisson_ratio=0.25)
    residuals = Free("edges").residuals(plate)
    for motion in (1 + 2 * x - 3 * y, sympy.Integer(1)):
        assert all(r.subs(plate.w, motion).doit() == 0 for r in residuals.values())
    # Pure bending about one axis: the anticlastic surface leaves the edges y = const free.
    anticlastic = x**2 - plate.expression(plate.poisson_ratio, "nu") * y**2
    edge = {nx: 0, ny: 1, sympy.Symbol("kappa"): 0}
    assert all(r.subs(plate.w, anticlastic).doit().subs(edge) == 0 for r in residuals.values())
