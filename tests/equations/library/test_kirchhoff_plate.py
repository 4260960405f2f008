import pytest
import sympy

from sciml.equations import KirchhoffPlate, laplacian
from sciml.framework.errors import EquationError, ParseError

x, y, r, theta, nu, D = sympy.symbols("x y r theta nu D", positive=True)
X, Y = sympy.symbols("x y")
PLATE = KirchhoffPlate(rigidity=sympy.Symbol("D"), poisson_ratio=sympy.Symbol("nu"), load=0)
NX, NY = sympy.symbols("n_x n_y")
POLAR = {X: r * sympy.cos(theta), Y: r * sympy.sin(theta), NX: sympy.cos(theta),
         NY: sympy.sin(theta), sympy.Symbol("D"): D, sympy.Symbol("nu"): nu,
         sympy.Symbol("kappa"): 1 / r}  # fmt: skip
FIELDS = [X**4 - 2 * X * Y**3, X**2 * Y**2 + X * Y, X**5 + X**2 * Y**3]


def on(expression, w):
    return expression.subs(PLATE.w, w).doit()


def polar(f):
    return sympy.expand(f.subs({X: POLAR[X], Y: POLAR[Y]}))


def test_residual_is_the_textbook_formula():
    w, plate = PLATE.w, KirchhoffPlate(2, 0.3, "x")
    expected = 2 * (w.diff(X, 4) + 2 * w.diff(X, 2, Y, 2) + w.diff(Y, 4)) - X
    assert sympy.expand(plate.residuals()["plate"] - expected) == 0


def test_varying_rigidity_gives_equilibrium_and_tends_to_the_constant_case():
    plate = KirchhoffPlate(sympy.Symbol("c") * X + 2, 0.3, 1)
    residual = plate.residuals()["plate"].subs(sympy.Symbol("c"), 0).doit()
    assert sympy.expand(residual - KirchhoffPlate(2, 0.3, 1).residuals()["plate"]) == 0


@pytest.mark.parametrize("w", FIELDS)
def test_shear_forces_balance_the_load(w):
    d = PLATE.derived()
    balance = d["Q_x"].diff(X) + d["Q_y"].diff(Y) + PLATE.residuals()["plate"]
    assert sympy.expand(on(balance, w)) == 0


def test_shear_forces_are_the_gradient_of_the_laplacian():
    d, w = PLATE.derived(), PLATE.w
    rigidity = sympy.Symbol("D")
    for name, s in (("Q_x", X), ("Q_y", Y)):
        assert sympy.expand(d[name] + rigidity * laplacian(w, (X, Y)).diff(s)) == 0


@pytest.mark.parametrize("edge", [((1, 0), "M_x", "M_xy", "Q_x"), ((0, -1), "M_y", "M_xy", "Q_y")])
def test_edge_quantities_on_straight_edges(edge):
    n, moment, twist, shear = edge
    d = PLATE.derived()
    sign = sum(n)
    s = Y if n[0] else -X
    assert sympy.expand(PLATE.normal_moment(n) - d[moment]) == 0
    assert sympy.expand(PLATE.shear_force(n) - sign * d[shear]) == 0
    turned = 1 if n[0] else -1
    assert sympy.expand(PLATE.twisting_moment(n) - turned * d[twist]) == 0
    along = d[twist].diff(Y) if n[0] else d[twist].diff(X) * sign
    difference = PLATE.effective_shear(n, 0) - sign * d[shear] - along
    assert sympy.expand(difference) == 0, s


@pytest.mark.parametrize("f", FIELDS)
def test_normal_moment_on_a_circle_is_the_polar_one(f):
    w = polar(f)
    lap = w.diff(r) / r + w.diff(theta, 2) / r**2
    expected = -D * (w.diff(r, 2) + nu * lap)
    assert sympy.simplify(on(PLATE.normal_moment(), f).subs(POLAR) - expected) == 0


@pytest.mark.parametrize("f", FIELDS)
def test_twisting_moment_on_a_circle_is_the_polar_one(f):
    expected = -D * (1 - nu) * (polar(f).diff(theta) / r).diff(r)
    assert sympy.simplify(on(PLATE.twisting_moment(), f).subs(POLAR) - expected) == 0


@pytest.mark.parametrize("f", FIELDS)
def test_effective_shear_on_a_circle_is_the_polar_one(f):
    w = polar(f)
    lap = w.diff(r, 2) + w.diff(r) / r + w.diff(theta, 2) / r**2
    twist = -D * (1 - nu) * (w.diff(theta) / r).diff(r)
    expected = -D * lap.diff(r) + twist.diff(theta) / r
    assert sympy.simplify(on(PLATE.effective_shear(), f).subs(POLAR) - expected) == 0


def test_moments_rotate_as_a_tensor():
    d = PLATE.derived()
    n = (sympy.cos(theta), sympy.sin(theta))
    s = (-n[1], n[0])
    tensor = sympy.Matrix([[d["M_x"], d["M_xy"]], [d["M_xy"], d["M_y"]]])
    twist = (sympy.Matrix(n).T * tensor * sympy.Matrix(s))[0]
    assert sympy.expand(PLATE.twisting_moment(n) - twist) == 0
    trace = PLATE.normal_moment(n) + PLATE.normal_moment(s) - d["M_x"] - d["M_y"]
    assert sympy.simplify(trace) == 0


def test_corner_force_is_twice_the_twisting_moment():
    twist = PLATE.derived()["M_xy"]
    assert sympy.expand(PLATE.corner_force((0, -1), (1, 0)) - 2 * twist) == 0
    assert sympy.expand(PLATE.corner_force((1, 0), (0, 1)) + 2 * twist) == 0


@pytest.mark.parametrize(
    "coefficients",
    [{"rigidity": 0}, {"rigidity": -1.0}, {"poisson_ratio": 1}, {"poisson_ratio": -1.5},
     {"poisson_ratio": "x"}, {"load": float("nan")}, {"rigidity": None}],
)  # fmt: skip
def test_bad_coefficients_are_refused(coefficients):
    with pytest.raises(EquationError, match=next(iter(coefficients))):
        KirchhoffPlate(**coefficients)


def test_bad_text_and_normals_are_refused():
    with pytest.raises(ParseError, match="unknown name 'z'"):
        KirchhoffPlate(load="z")
    with pytest.raises(EquationError, match="2 components"):
        KirchhoffPlate().normal_moment((1, 0, 0))
