import doctest

import meshio
import numpy as np
import pytest
import sympy

from sciml.equations import (
    Clamped,
    CustomPDE,
    Dirichlet,
    ElasticEdge,
    Free,
    FreeCorner,
    Guided,
    Initial,
    KirchhoffPlate,
    Neumann,
    NoSlip,
    Operator,
    PerfectConductor,
    Periodic,
    Poisson,
    Robin,
    SimplySupported,
    Stokes,
    Symmetry,
    Wave,
    ansatz,
    lower,
)
from sciml.equations.exact import manufacture, right_sides
from sciml.equations.pde import CURVATURE, normal_symbols
from sciml.framework.errors import EquationError
from sciml.geometry import Disk, PlaneMesh, Polygon, Rectangle

x, y, t = sympy.symbols("x y t")
PLATE = manufacture(KirchhoffPlate(2, 0.3), {"w": "exp(x)*sin(2*y) + x**3*y**2"})
FLOW = manufacture(Stokes(), {"u": "sin(x + 2*y)", "v": "cos(x*y)", "p": "x**2 - y"})  # fmt: skip
HEAT = manufacture(Poisson(), {"u": "exp(x)*cos(y)"})
WAVE = manufacture(Wave(), {"u": "sin(x - 2*t) + x**2"})
FIELD = manufacture(CustomPDE({"a": "E_x__y", "b": "E_y__x"}, "x y", "E_x E_y"),
                    {"E_x": "x*y", "E_y": "exp(x)"})  # fmt: skip
SHAPES = [Rectangle((0, 0), (0.7, 1.3)), Disk((0.1, 0.2), 0.8), Polygon([(0, 0), (2, 0), (0, 1)])]
CASES = [
    (HEAT, Dirichlet("u", "boundary", 5)),
    (HEAT, Neumann("u", "boundary", 5)),
    (HEAT, Robin("u", "boundary", 5, a="x", b=2)),
    (HEAT, Operator("u", "boundary", "u__x__x*u + n_x*kappa")),
    (PLATE, Clamped("boundary", value=3)),
    (PLATE, SimplySupported("boundary")),
    (PLATE, Free("boundary")),
    (PLATE, Guided("boundary")),
    (PLATE, ElasticEdge("boundary", 2, 3)),
    (FLOW, NoSlip("boundary")),
    (FLOW, Symmetry("boundary", ("u", "v"), ("p",))),
    (FIELD, PerfectConductor("boundary", ("E_x", "E_y"))),
]


def largest(condition, case, geometry):
    """Return the largest residual of a condition for the chosen fields on its part."""
    sample = geometry.sample_boundary(condition.part, 30)
    exact = dict(case.chosen)
    residuals = condition.residuals(case.pde)
    put = {n: right_sides.substituted(r, exact) for n, r in residuals.items()}
    symbols = (*normal_symbols((x, y)), CURVATURE)
    lowered = lower(put, (x, y), [], symbols)
    given = dict(zip(map(str, symbols), [*sample.normals.T, sample.curvatures], strict=True))
    values = lowered({}, sample.points, **given)
    return max(float(np.abs(v).max()) for v in values.values())


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize(("case", "condition"), CASES, ids=lambda c: type(c).__name__)
def test_the_chosen_fields_satisfy_every_condition(case, condition, shape):
    found = case.conditions(shape, [condition])
    assert {leaf for c in found for leaf in shape.resolve(c.part)} == set(
        shape.resolve(condition.part)
    )
    for filled in found:
        assert largest(filled, case, shape) < 1e-12


def test_corner_forces_are_those_of_the_plate():
    shape = Rectangle((0, 0), (0.7, 1.3))
    found = PLATE.conditions(shape, [Free("edges"), FreeCorner("corners")])
    assert all(largest(c, PLATE, shape) < 1e-12 for c in found)
    with pytest.raises(EquationError, match=r"the force at 'corners.\w+' is not zero; add FreeC"):
        ansatz(shape, PLATE.conditions(shape, [Free("edges")]), PLATE.equation.w)


def test_on_straight_parts_only_the_coordinates_along_them_are_named():
    left, bottom, right, top = HEAT.conditions(Rectangle(), [Dirichlet("u", "edges")])
    assert (left.value, right.value) == (sympy.cos(y), sympy.E * sympy.cos(y))
    assert (bottom.value, top.value) == (sympy.exp(x), sympy.exp(x) * sympy.cos(1))
    slope = HEAT.conditions(Rectangle(), [Neumann("u", "edges.top")])[0]
    assert (slope.value, slope.hard) == (-sympy.exp(x) * sympy.sin(1), None)


def test_the_extension_of_the_values_is_not_the_solution():
    shape = Rectangle()
    form = ansatz(shape, HEAT.conditions(shape, [Dirichlet("u", "edges")]), HEAT.equation.u)
    assert form.hard
    assert not form.soft
    centre = {x: 0.5, y: 0.5}
    exact = HEAT.chosen[0][1].subs(centre)
    assert abs(float(form.extension.subs(centre) - exact)) > 1e-3
    (round_edge,) = HEAT.conditions(Disk(), [Dirichlet("u", "circle")])
    assert round_edge.hard is False
    (round_edge,) = HEAT.conditions(Disk(), [Dirichlet("u", "circle", hard=True)])
    assert round_edge.hard is True


def test_what_the_fields_satisfy_stays_as_it_is():
    case = manufacture(KirchhoffPlate(), {"w": "sin(pi*x)*sin(pi*y)"})
    assert case.conditions(Rectangle(), [SimplySupported("edges")]) == [SimplySupported("edges")]
    clamped = case.conditions(Rectangle(), [Clamped("edges")])
    assert clamped[0] == Clamped("edges.left", value=0, slope=-sympy.pi * sympy.sin(sympy.pi * y))


def test_a_part_with_a_short_slanted_edge_is_not_straight(tmp_path):
    """The floor of the mesh rises on two thousandths of its length."""
    corners = [(0, 0.2, 0), (0.2, 0, 0), (100, 0, 0), (100, 50, 0), (0, 50, 0)]
    lines = [(i, (i + 1) % 5) for i in range(5)]
    cells = [("triangle", [(0, 1, 4), (1, 3, 4), (1, 2, 3)]), ("line", lines)]
    tags = [np.full(3, 9), np.array([1, 1, 2, 2, 2])]
    names = {"floor": np.array([1, 1]), "others": np.array([2, 1]), "domain": np.array([9, 2])}
    path = tmp_path / "floor.msh"
    meshio.Mesh(
        np.array(corners, dtype=float), cells, field_data=names,
        cell_data={"gmsh:physical": tags, "gmsh:geometrical": tags},
    ).write(path, file_format="gmsh22", binary=False)  # fmt: skip
    shape = PlaneMesh(path)
    assert right_sides.straight(shape, "floor") is None
    (condition,) = HEAT.conditions(shape, [Dirichlet("u", "floor")])
    assert largest(condition, HEAT, shape) < 1e-12


def test_starts_have_values_and_rates():
    (start,) = WAVE.conditions(Rectangle(), [Initial("u", 3, rate=4, part="edges.bottom")])
    assert start.value == sympy.sin(x) + x**2
    assert start.rate == -2 * sympy.cos(x)
    (start,) = WAVE.conditions(Rectangle(), [Initial("u", 3, part="edges.bottom")])
    assert start.rate is None


def test_a_period_is_kept_where_the_fields_have_it():
    shape = Rectangle()
    case = manufacture(Poisson(), {"u": "sin(2*pi*x)*y"})
    periodic = Periodic("u", "edges.left", "x", 1.0)
    assert case.conditions(shape, [periodic]) == [periodic]
    with pytest.raises(EquationError, match=r"Periodic on 'edges.left': the fields do not have"):
        HEAT.conditions(shape, [periodic])


def test_examples():
    assert doctest.testmod(right_sides).failed == 0
