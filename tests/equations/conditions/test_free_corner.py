import numpy as np
import pytest
import sympy

from sciml.equations import FreeCorner, KirchhoffPlate
from sciml.geometry import Rectangle


@pytest.mark.parametrize("corner", Rectangle().corners)
def test_force_from_the_bisector_is_the_jump_between_the_edges(corner):
    plate, shape = KirchhoffPlate(), Rectangle()
    before, after = (shape.pieces[edge] for edge in shape.corners[corner])
    normals = [tuple(int(v) for v in e.frame(np.array([[0.5]]))[1][0]) for e in (before, after)]
    bisector = [sympy.sign(v) / sympy.sqrt(2) for v in shape.pieces[corner].normal]
    place = dict(zip(sympy.symbols("n_x n_y"), bisector, strict=True))
    force = FreeCorner(corner).residuals(plate)["R"].subs(place)
    assert sympy.expand(force - plate.corner_force(*normals)) == 0
    assert sympy.expand(force**2 - (2 * plate.derived()["M_xy"]) ** 2) == 0
