import numpy as np
import pytest
import sympy

from sciml.equations import FreeCorner, KirchhoffPlate
from sciml.geometry import Polygon, Rectangle, Sector

x, y = sympy.symbols("x y")
L_SHAPE = Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
CORNERS = [(shape, corner) for shape in (Rectangle(), L_SHAPE, Sector((0, 0), 1, 0.2, 1.9),
                                         Polygon([(0, 0), (3, 0.5), (1, 2)]))
           for corner in shape.corners]  # fmt: skip


@pytest.mark.parametrize(("shape", "corner"), CORNERS)
def test_force_from_the_bisector_is_the_jump_between_the_edges(shape, corner):
    plate = KirchhoffPlate(poisson_ratio=0.25)
    ends = zip(shape.corners[corner], (1.0, 0.0), strict=True)
    normals = [tuple(shape.pieces[e].frame(np.array([[s]]))[1][0]) for e, s in ends]
    at = shape.sample_boundary(corner, 1)
    place = dict(zip(sympy.symbols("n_x n_y kappa"), [*at.normals[0], at.curvatures[0]],
                     strict=True))  # fmt: skip
    w = x**3 * y - 2 * x * y + y**4 / 3 + x**2
    found = FreeCorner(corner).residuals(plate)["R"].subs(plate.w, w).doit().subs(place)
    expected = plate.corner_force(*normals).subs(plate.w, w).doit()
    here = dict(zip((x, y), at.points[0], strict=True))
    assert float(found.subs(here)) == pytest.approx(float(expected.subs(here)), abs=1e-12)


def test_at_a_right_corner_the_force_is_twice_the_twisting_moment():
    plate = KirchhoffPlate()
    n = 1 / sympy.sqrt(2)
    place = dict(zip(sympy.symbols("n_x n_y kappa"), (n, n, sympy.pi / 2), strict=True))
    force = FreeCorner("corners.top_right").residuals(plate)["R"].subs(place)
    assert sympy.expand(force + 2 * plate.derived()["M_xy"]) == 0


def test_normals_turn_by_the_outer_angle():
    assert Rectangle().sample_boundary("corners.top_left", 2).curvatures.tolist() == [np.pi / 2] * 2
    assert L_SHAPE.sample_boundary("corners.3", 1).curvatures[0] == pytest.approx(-np.pi / 2)
    turns = [L_SHAPE.sample_boundary(c, 1).curvatures[0] for c in L_SHAPE.corners]
    assert sum(turns) == pytest.approx(2 * np.pi)
