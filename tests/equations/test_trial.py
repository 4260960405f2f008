import numpy as np
import pytest
import sympy

import sciml.framework as framework
from sciml.equations import (
    Clamped,
    Dirichlet,
    Free,
    FreeCorner,
    Guided,
    Initial,
    KirchhoffPlate,
    Neumann,
    Periodic,
    Poisson,
    Robin,
    SimplySupported,
    Wave,
    ansatz,
    lower,
)
from sciml.framework.errors import EquationError, GeometryError
from sciml.geometry import Annulus, Disk, Interval, Polygon, Rectangle

x, y = sympy.symbols("x y")
PLATE = KirchhoffPlate()
RECTANGLE = Rectangle((-1, 0), (2, 1))
NETWORK = 2 + x - 3 * y + x**2 * y + sympy.sin(3 * x + y)


def names(trial):
    return sorted((s.where, s.name) for s in trial.soft)


def filled(trial):
    """The field for one particular smooth N."""
    return trial.expression.subs(trial.raw, NETWORK).doit()


def residual_on(geometry, part, expression, w=None):
    """Largest value of a boundary expression on a part, for the field w."""
    sample = geometry.sample_boundary(part, 17)
    plain = expression if w is None else expression.subs(PLATE.w, w).doit()
    arrays = dict(zip(("n_x", "n_y"), sample.normals.T, strict=True))
    arrays["kappa"] = sample.curvatures
    lowered = lower({"r": plain}, (x, y), [], arrays)
    return np.abs(lowered({}, sample.points, **arrays)["r"]).max()


def check_hard(geometry, trial):
    w = filled(trial)
    assert trial.hard
    for condition, name in trial.hard:
        residual = condition.residuals(PLATE)[name]
        assert residual_on(geometry, condition.part, residual, w) < 1e-12


@pytest.mark.parametrize("geometry", [RECTANGLE, Disk((1, 2), 0.5)])
def test_clamped_all_around_is_exact_and_leaves_nothing(geometry):
    trial = ansatz(geometry, [Clamped("boundary")], PLATE.w)
    factor = geometry.boundary_factor("boundary")
    assert trial.expression == factor**2 * trial.raw
    assert trial.soft == ()
    check_hard(geometry, trial)


def test_simply_supported_leaves_the_normal_moment():
    trial = ansatz(RECTANGLE, [SimplySupported("edges")], PLATE.w)
    assert trial.expression == RECTANGLE.boundary_factor("edges") * trial.raw
    assert names(trial) == [("edges", "M_n")]
    check_hard(RECTANGLE, trial)
    moment = trial.soft[0].expression(PLATE)
    assert residual_on(RECTANGLE, "edges", moment, filled(trial)) > 0.1


def test_normal_moment_without_poisson_effect_still_asks_for_the_normal_curvature():
    plate = KirchhoffPlate(poisson_ratio=0)
    trial = ansatz(RECTANGLE, [SimplySupported("edges")], plate.w)
    moment = trial.soft[0].expression(plate)
    at_right = moment.subs({sympy.Symbol("n_x"): 1, sympy.Symbol("n_y"): 0})
    assert sympy.expand(at_right + plate.w.diff(x, 2)) == 0


def test_mixed_edges_take_the_power_each_needs():
    conditions = [Clamped("edges.left"), SimplySupported("edges.top"), Free("edges.right"),
                  Guided("edges.bottom")]  # fmt: skip
    trial = ansatz(RECTANGLE, conditions, PLATE.w)
    left, top = (RECTANGLE.boundary_factor(f"edges.{e}") for e in ("left", "top"))
    assert sympy.expand(trial.factor - left**2 * top) == 0
    assert names(trial) == [
        ("edges.bottom", "V_n"),
        ("edges.right", "M_n"),
        ("edges.right", "V_n"),
        ("edges.top", "M_n"),
    ]
    check_hard(RECTANGLE, trial)


def test_corners_between_free_edges_are_added():
    conditions = [Clamped("edges.left"), Free("edges.right"), Free("edges.top"),
                  Free("edges.bottom")]  # fmt: skip
    trial = ansatz(RECTANGLE, conditions, PLATE.w)
    corners = [s.where for s in trial.soft if s.name == "R"]
    assert sorted(corners) == ["corners.bottom_right", "corners.top_right"]


def test_corners_that_are_given_are_not_added():
    conditions = [
        Free("edges"),
        FreeCorner("corners.top_left"),
        Dirichlet("w", "corners.top_right"),
    ]
    trial = ansatz(RECTANGLE, conditions, PLATE.w)
    found = sorted((s.where, s.name) for s in trial.soft if s.where.startswith("corners"))
    assert found == [("corners.bottom_left", "R"), ("corners.bottom_right", "R"),
                     ("corners.top_left", "R"), ("corners.top_right", "w")]  # fmt: skip


def test_values_are_taken_exactly():
    source = sympy.sin(x) * sympy.exp(y)
    places = {"left": (x, -1), "right": (x, 2), "top": (y, 1)}
    conditions = [Dirichlet("w", f"edges.{e}", source.subs(*p)) for e, p in places.items()]
    trial = ansatz(RECTANGLE, conditions, PLATE.w)
    assert trial.soft == ()
    check_hard(RECTANGLE, trial)


def test_one_expression_for_all_edges_is_its_own_extension():
    trial = ansatz(RECTANGLE, [Dirichlet("w", "edges", "x*y")], PLATE.w)
    assert trial.extension == x * y


@pytest.mark.parametrize(
    "conditions",
    [
        [Clamped("edges.left"), Dirichlet("w", "edges.right", 1)],
        [Clamped("edges.left", value=1, slope="y"), Clamped("edges.right", slope="-sin(y)")],
        [Clamped("edges.left", slope="y*(1 - y)**2"), Dirichlet("w", "edges.bottom"),
         Clamped("edges.top")],
        [Neumann("w", "edges.left", "y"), Dirichlet("w", "edges.right", "sin(y)")],
        [Neumann("w", "edges"), ],
        [Neumann("w", "edges.left", "-3*y"), Neumann("w", "edges.right", "3*y"),
         Neumann("w", "edges.top", "3*x"), Neumann("w", "edges.bottom", "-3*x")],
        [Robin("w", "edges.left", "y", a=2, b=3), Robin("w", "edges.right", 1, a="1 + y")],
        [Robin("w", "edges.left", 0, a=2), Dirichlet("w", "edges.top"), Neumann("w", "edges.right"),
         Dirichlet("w", "edges.bottom")],
    ],
)  # fmt: skip
def test_normal_derivatives_are_exact_where_parts_are_apart_or_perpendicular(conditions):
    trial = ansatz(RECTANGLE, conditions, PLATE.w)
    assert trial.soft == ()
    check_hard(RECTANGLE, trial)


@pytest.mark.parametrize("condition", [Neumann("w", "boundary", "x*y"), Robin("w", "boundary", 2),
                                       Clamped("boundary", value="x", slope="y")])  # fmt: skip
def test_normal_derivatives_are_exact_on_circles(condition):
    for shape in (Disk((1, 2), 0.5), Annulus((0, 0), 0.5, 1.5)):
        trial = ansatz(shape, [condition], PLATE.w)
        assert trial.soft == ()
        check_hard(shape, trial)


def test_a_slope_that_does_not_fit_at_a_corner_stays_soft():
    conditions = [Dirichlet("w", "edges.left"), Neumann("w", "edges.top", 1)]
    trial = ansatz(RECTANGLE, conditions, PLATE.w)
    assert names(trial) == [("edges.top", "w_n")]
    check_hard(RECTANGLE, trial)


def test_a_slope_on_an_oblique_edge_stays_soft():
    triangle = Polygon([(0, 0), (2, 0), (0, 1)])
    trial = ansatz(triangle, [Dirichlet("u", "edges.0"), Neumann("u", "edges.1")], Poisson().u)
    assert names(trial) == [("edges.1", "u_n")]


def test_a_start_with_a_rate_is_exact():
    wave = Wave(dimension=1)
    plane = Rectangle((0, 0), (1, 2))
    conditions = [Initial("u", "sin(pi*x)", "x*(1 - x)", part="edges.bottom"),
                  Dirichlet("u", "edges.left"), Dirichlet("u", "edges.right")]  # fmt: skip
    trial = ansatz(plane, conditions, wave.fields[0])
    assert trial.soft == ()
    t = wave.coordinates[1]
    u = trial.expression.subs(trial.raw, sympy.cos(x + 2 * t)).doit()
    assert sympy.simplify(u.subs(t, 0) - sympy.sin(sympy.pi * x)) == 0
    assert sympy.simplify(u.diff(t).subs(t, 0) - x * (1 - x)) == 0
    assert sympy.simplify(u.subs(x, 0)) == sympy.simplify(u.subs(x, 1)) == 0


def test_a_periodic_field_sees_a_circle():
    conditions = [Periodic("w", "edges.left", "x", 3), Clamped("edges.top", value="sin(2*pi*x/3)")]
    trial = ansatz(RECTANGLE, conditions, PLATE.w)
    assert trial.soft == ()
    assert trial.embedding.periods == {x: 3}
    field = trial.bind(lambda Y: framework.tanh(Y @ np.array([1.0, 2.0, 0.3])))
    X = RECTANGLE.sample_interior(9)
    np.testing.assert_allclose(field(X), field(X + np.array([3.0, 0.0])), atol=1e-13)


@pytest.mark.parametrize(
    "conditions",
    [
        [Periodic("w", "edges.left", "x", 3), Dirichlet("w", "edges.top", "x")],
        [Periodic("w", "edges.left", "x", 3), Clamped("edges.right")],
        [Periodic("w", "edges.left", "x", 3, hard=False)],
    ],
)
def test_periods_that_other_conditions_lack_stay_soft(conditions):
    trial = ansatz(RECTANGLE, conditions, PLATE.w)
    assert trial.embedding.periods == {}
    assert {s.name for s in trial.soft} == {"w_periodic_0", "w_periodic_1"}


def test_a_period_that_one_field_lacks_stays_soft():
    u, v = (sympy.Function(n)(x, y) for n in "uv")
    conditions = [Periodic("u", "edges.left", "x", 3)]
    assert ansatz(RECTANGLE, conditions, u, (u, v)).embedding.periods == {}
    conditions.append(Periodic("v", "edges.left", "x", 3))
    assert ansatz(RECTANGLE, conditions, u, (u, v)).embedding.periods == {x: 3}


def test_on_an_interval():
    pde = Poisson(dimension=1)
    conditions = [Dirichlet("u", "left", 1), Neumann("u", "right", 2)]
    trial = ansatz(Interval(0, 1), conditions, pde.u)
    u = trial.expression.subs(trial.raw, sympy.exp(x)).doit()
    assert trial.soft == ()
    assert u.subs(x, 0) == 1
    assert sympy.simplify(u.diff(x).subs(x, 1) - 2) == 0


def test_soft_by_request():
    conditions = [Clamped("edges.left", hard=False), Dirichlet("w", "edges.right", hard=False)]
    trial = ansatz(RECTANGLE, conditions, PLATE.w)
    assert trial.expression == trial.raw
    assert names(trial) == [("edges.left", "w"), ("edges.left", "w_n"), ("edges.right", "w")]


def test_bound_field_is_the_expression_and_is_differentiated():
    trial = ansatz(RECTANGLE, [Clamped("edges.left"), SimplySupported("edges.top")], PLATE.w)

    def network(X):
        a, b = X[:, 0], X[:, 1]
        return 2 + a - 3 * b + a**2 * b + framework.sin(3 * a + b)

    X = RECTANGLE.sample_interior(11)
    field = trial.bind(network)
    exact = filled(trial)
    values = sympy.lambdify((x, y), exact)(*X.T)
    np.testing.assert_allclose(field(X), values, rtol=1e-13)
    lowered = lower(PLATE.residuals(), (x, y), [PLATE.w])
    residual = PLATE.residuals()["plate"].subs(PLATE.w, exact).doit()
    expected = sympy.lambdify((x, y), residual)(*X.T)
    np.testing.assert_allclose(lowered({"w": field}, X)["plate"], expected, rtol=1e-11, atol=1e-10)


def test_compiled_loss_of_a_bound_network_equals_the_eager_one():
    trial = ansatz(RECTANGLE, [SimplySupported("edges")], PLATE.w)
    inside = lower(PLATE.residuals(), (x, y), [PLATE.w])
    moment = lower({"M_n": trial.soft[0].expression(PLATE)}, (x, y), [PLATE.w], ["n_x", "n_y"])
    random = np.random.default_rng(0)
    weights = random.normal(size=(2, 8)), random.normal(size=8)
    edge = RECTANGLE.sample_boundary("edges", 12)

    def loss(weights, X, edge_points, normals):
        field = trial.bind(lambda X: framework.tanh(X @ weights[0]) @ weights[1])
        r = inside({"w": field}, X)["plate"]
        n = {"n_x": normals[:, 0], "n_y": normals[:, 1]}
        m = moment({"w": field}, edge_points, **n)["M_n"]
        return framework.mean(r**2) + framework.mean(m**2)

    step = framework.value_and_grad(loss)
    arguments = weights, RECTANGLE.sample_interior(30), edge.points, edge.normals
    value, gradient = step(*arguments)
    compiled_value, compiled_gradient = framework.jit(step)(*arguments)
    np.testing.assert_allclose(compiled_value, value, rtol=1e-12)
    for ours, theirs in zip(compiled_gradient, gradient, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-10 * np.abs(theirs).max())


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ([Clamped("edges"), SimplySupported("edges.left")], "value on 'edges.left'"),
        ([Dirichlet("w", "boundary"), Dirichlet("w", "edges.top", 1)], "value on 'edges.top'"),
        ([Clamped("edges.left"), Free("edges.left")], "keep one of them"),
        ([SimplySupported("edges"), Neumann("w", "edges.top")], "prescribes the normal moment"),
        ([Guided("edges.top"), Free("edges.top")], "keep one of them"),
        ([Dirichlet("v", "edges")], "names the field 'v', expected one of \\['w'\\]"),
        ([FreeCorner("edges.left")], "not a corner"),
        ([Clamped("corners.top_left")], "name an edge"),
    ],
)
def test_contradictions_and_unknown_fields_are_refused(conditions, message):
    with pytest.raises(EquationError, match=message):
        ansatz(RECTANGLE, conditions, PLATE.w)


def test_unknown_parts_are_refused():
    with pytest.raises(GeometryError, match=r"did you mean 'edges.left'"):
        ansatz(RECTANGLE, [Clamped("edges.lft")], PLATE.w)


def test_values_that_jump_are_not_both_exact():
    """As on the lid of a cavity: the first is exact, the others are left to the loss."""
    conditions = [Dirichlet("w", "edges.left", 0), Dirichlet("w", "edges.top", 1)]
    assert names(ansatz(RECTANGLE, conditions, PLATE.w)) == [("edges.top", "w")]
    asked = [Dirichlet("w", "edges.left", 0), Dirichlet("w", "edges.top", 1, hard=True)]
    assert names(ansatz(RECTANGLE, asked, PLATE.w)) == [("edges.left", "w")]
    both = [Dirichlet("w", part, value, hard=True) for part, value in
            (("edges.left", 0), ("edges.top", 1))]  # fmt: skip
    with pytest.raises(GeometryError, match="differ by"):
        ansatz(RECTANGLE, both, PLATE.w)


def test_conditions_of_other_declared_fields_are_passed_over():
    v = sympy.Function("v")(x, y)
    conditions = [Clamped("edges"), Dirichlet("v", "edges", 3)]
    assert ansatz(RECTANGLE, conditions, PLATE.w, [v]).soft == ()
    assert ansatz(RECTANGLE, conditions, v, [PLATE.w]).extension == 3


def test_value_and_slope_of_a_field_may_both_be_prescribed():
    conditions = [Dirichlet("w", "edges", 1), Neumann("w", "edges", 0)]
    assert names(ansatz(RECTANGLE, conditions, PLATE.w)) == [("edges", "w_n")]
