import numpy as np
import pytest
import sympy

from sciml.geometry import Polygon, Rectangle, Sector
from sciml.geometry.chains import chains, function

x, y = sympy.symbols("x y")
L_SHAPE = Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
FRAME = Polygon([(0, 0), (3, 0), (3, 2), (0, 2)], holes=[[(1, 0.5), (1, 1.5), (2, 1.5), (2, 0.5)]])
HEXAGON = [(np.cos(t), np.sin(t)) for t in np.arange(6) * np.pi / 3]
HOLED = Polygon([(-3, -3), (3, -3), (3, 3), (-3, 3)], holes=[HEXAGON])


def test_a_chain_goes_through_re_entrant_corners_alone():
    found = chains(L_SHAPE.resolve("edges"), L_SHAPE.pieces)
    assert sorted(found) == [["edges.0"], ["edges.1"], ["edges.2", "edges.3"], ["edges.4"],
                             ["edges.5"]]  # fmt: skip
    assert all(len(c) == 1 for c in chains(Rectangle().resolve("edges"), Rectangle().pieces))
    assert [len(c) for c in chains(FRAME.resolve("edges"), FRAME.pieces)] == [1, 1, 1, 1, 4]


def test_leaves_that_are_left_out_cut_a_chain():
    assert chains(["edges.3"], L_SHAPE.pieces) == [["edges.3"]]


def test_the_function_of_the_l_shape_is_the_r_disjunction():
    found = sympy.lambdify((x, y), function(["edges.2", "edges.3"], L_SHAPE.pieces, (x, y)))
    X = L_SHAPE.sample_interior(50).T
    a, b = 1 - X[1], 1 - X[0]
    np.testing.assert_allclose(found(*X), a + b + np.hypot(a, b), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("shape", [L_SHAPE, FRAME, HOLED, Sector((0, 0), 1, 0, 4.7)])
def test_it_is_zero_on_its_chain_with_unit_slope_and_positive_inside(shape):
    for chain in chains(shape.resolve("boundary")[:10], shape.pieces):
        if len(chain) == 1:
            continue
        f = function(chain, shape.pieces, (x, y))
        value, slope = (sympy.lambdify((x, y), e) for e in (f, [f.diff(x), f.diff(y)]))
        for leaf in chain:
            points, normals, _ = shape.pieces[leaf].frame(np.array([[0.25], [0.5], [0.75]]))
            assert np.abs(value(*points.T)).max() < 1e-14
            # From within, since the root has no derivative where it is zero.
            inside = points - 1e-7 * normals
            along = np.sum(slope(*inside.T) * normals.T, axis=0)
            np.testing.assert_allclose(along, -1, atol=1e-6)
        assert value(*shape.sample_interior(300).T).min() > 0


def test_around_a_hole_it_has_no_kink_inside_the_shape():
    """Lines of opposite sides of a hexagon cross outside it; the function is smooth there."""
    (chain,) = [c for c in chains(HOLED.resolve("edges"), HOLED.pieces) if len(c) == 6]
    f = function(chain, HOLED.pieces, (x, y))
    second = sympy.lambdify((x, y), f.diff(x, 2) + f.diff(y, 2), cse=True)
    crossings = np.array([(1.5, np.sqrt(3) / 2), (0, np.sqrt(3)), (-1.5, np.sqrt(3) / 2)])
    around = np.concatenate([crossings, -crossings])
    for step in (1e-3, 1e-6):
        assert np.abs(second(*(around + step).T)).max() < 10
