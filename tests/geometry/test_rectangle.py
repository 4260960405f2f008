import numpy as np
import pytest
import sympy

from sciml.framework.errors import GeometryError
from sciml.geometry import Rectangle

x, y = sympy.symbols("x y")


@pytest.mark.parametrize(
    ("lower", "upper"),
    [((0, 0), (0, 1)), ((0, 0), (1, -1)), ((0, float("nan")), (1, 1)), ((0,), (1, 1)), (0, (1, 1))],
)
def test_degenerate_rectangles_are_refused(lower, upper):
    with pytest.raises(GeometryError, match="Rectangle"):
        Rectangle(lower, upper)


def test_parts_form_groups():
    plate = Rectangle()
    assert set(plate.resolve("edges")) == set(plate.resolve("boundary"))
    assert len(plate.resolve("corners")) == 4
    assert plate.boundary_measure("corners") == 0
    assert plate.boundary_measure("edges") == 4


def test_a_bare_edge_name_suggests_the_dotted_one():
    with pytest.raises(GeometryError, match=r"did you mean 'edges.left'"):
        Rectangle().sample_boundary("left", 4)


def test_corner_samples_stand_on_the_corners():
    sample = Rectangle((0, 0), (2, 1)).sample_boundary("corners", 4)
    assert {tuple(p) for p in sample.points} == {(0, 0), (2, 0), (2, 1), (0, 1)}


def test_edge_samples_lie_on_the_edge_to_the_last_bit():
    plate = Rectangle((0.1, 0.2), (0.3, 0.7))
    assert (plate.sample_boundary("edges.right", 100).points[:, 0] == 0.3).all()
    np.testing.assert_array_equal(plate.sample_boundary("edges.top", 5).normals, [[0.0, 1.0]] * 5)


def test_points_on_the_edges_are_contained():
    plate = Rectangle((0.1, 0.2), (0.3, 0.7))
    assert plate.contains(plate.sample_boundary("edges", 100).points).all()
    assert plate.contains(plate.sample_boundary("corners", 4).points).all()


def test_exact_distance_outside_a_corner():
    assert Rectangle().signed_distance(np.array([[4.0, 5.0]]))[0] == pytest.approx(5)


def test_factor_of_opposite_and_all_edges():
    plate = Rectangle((0, 0), (2, 1))
    pair = plate.boundary_factor(["edges.left", "edges.right"])
    assert sympy.expand(pair - x * (2 - x) / 2) == 0
    every = plate.boundary_factor("edges")
    assert sympy.expand(every - x * (2 - x) * y * (1 - y)) == 0


def test_corners_have_no_factor():
    with pytest.raises(GeometryError, match="is a corner"):
        Rectangle().boundary_factor("corners.top_left")


@pytest.mark.parametrize("edges", [("left", "right", "bottom", "top"), ("left", "top"), ("top",),
                                   ("left", "right"), ("bottom", "right", "top")])  # fmt: skip
def test_extension_takes_the_values_of_each_edge(edges):
    plate = Rectangle((-1, 0), (2, 1))
    source = sympy.sin(x) * sympy.exp(y) + x * y**2
    places = {"left": (x, -1), "right": (x, 2), "bottom": (y, 0), "top": (y, 1)}
    values = {f"edges.{e}": source.subs(*places[e]) for e in edges}
    extension = plate.boundary_extension(values)
    for edge in edges:
        assert sympy.simplify((extension - source).subs(*places[edge])) == 0


def test_values_that_jump_at_a_corner_are_refused():
    with pytest.raises(GeometryError, match=r"differ by 1 at 'corners.top_left'"):
        Rectangle().boundary_extension({"edges.left": 0, "edges.top": 1})


def test_a_part_given_twice_is_refused():
    with pytest.raises(GeometryError, match="two values"):
        Rectangle().boundary_extension({"edges": 0, "edges.top": 1})


def test_grid_of_a_square_number_is_the_square_grid():
    X = Rectangle((0, 0), (3, 3)).sample_interior(9, "grid")
    assert {tuple(p) for p in X} == {(i + 0.5, j + 0.5) for i in range(3) for j in range(3)}
