import numpy as np
import pytest
import sympy

from sciml.equations import Diffusion, Dirichlet, Initial, Wave, ansatz
from sciml.framework.errors import GeometryError
from sciml.geometry import Annulus, Disk, Interval, Rectangle, SpaceTime

x, y, t = sympy.symbols("x y t")


def test_parts_are_the_start_the_end_and_the_sides_of_the_shape():
    plate = Rectangle().over_time(2, start=1)
    assert plate == SpaceTime(Rectangle(), 2.0, 1.0)
    assert plate.resolve("sides.edges") == plate.resolve("sides")
    assert plate.boundary_measure("sides.edges.left") == 1
    assert plate.boundary_measure("initial") == 1
    side = plate.sample_boundary("sides", 40)
    assert (side.normals[:, 2] == 0).all()
    start = plate.sample_boundary("initial", 10)
    assert (start.normals == [0, 0, -1]).all()
    assert (start.points[:, 2] == 1).all()


def test_times_out_of_order_and_what_is_no_shape_are_refused():
    with pytest.raises(GeometryError, match="start must be below end"):
        SpaceTime(Disk(), 0)
    with pytest.raises(GeometryError, match="space must be a shape"):
        SpaceTime(3, 1)


def test_a_jump_between_start_and_side_is_told_by_the_names_of_this_shape():
    with pytest.raises(GeometryError, match=r"SpaceTime: .*'sides\.circle' and 'initial' differ"):
        Disk().over_time(1).boundary_extension({"initial": 1, "sides": 0}, (x, y, t))


@pytest.mark.parametrize("shape", [Rectangle(), Disk((0.5, 0.5), 0.5), Annulus()])
def test_the_start_and_the_walls_of_a_diffusion_are_exact(shape):
    wall = shape.boundary_factor("boundary", (x, y))
    start = wall * sympy.exp(x) + x * y
    conditions = [Initial("u", start), Dirichlet("u", "sides", "x*y*cos(t)")]
    trial = ansatz(shape.over_time(0.5), conditions, Diffusion(dimension=2).fields[0])
    assert trial.soft == ()
    field = trial.bind(lambda X: X[:, 0] * 0 + 3)
    for part, value in (("initial", start), ("sides", x * y * sympy.cos(t))):
        X = shape.over_time(0.5).sample_boundary(part, 30).points
        exact = sympy.lambdify((x, y, t), value)(*X.T)
        np.testing.assert_allclose(field(X), exact, atol=1e-13)


def test_a_wave_starts_with_value_and_rate_exactly():
    conditions = [Initial("u", "sin(pi*x)", "x*(1 - x)"), Dirichlet("u", "sides")]
    trial = ansatz(Interval(0, 1).over_time(2), conditions, Wave(dimension=1).fields[0])
    assert trial.soft == ()
    u = trial.expression.subs(trial.raw, sympy.cos(x + 2 * t)).doit()
    assert sympy.simplify(u.subs(t, 0) - sympy.sin(sympy.pi * x)) == 0
    assert sympy.simplify(u.diff(t).subs(t, 0) - x * (1 - x)) == 0
    assert sympy.simplify(u.subs(x, 0)) == sympy.simplify(u.subs(x, 1)) == 0
