import numpy as np
import pytest
import sympy

from sciml.framework.errors import GeometryError
from sciml.geometry import Box, Hyperrectangle, Rectangle

x, y, z = sympy.symbols("x y z")


@pytest.mark.parametrize(("lower", "upper", "message"), [
    ((0.0,), (1.0,), "at least 2 axes"),
    (0.0, 1.0, "must be a list of numbers"),
    ((0, 0, 0), (1, 0, 1), "along axis 2"),
    ((0, 0, 0), (1, 1), "upper must be 3 numbers, got 2"),
])  # fmt: skip
def test_what_is_no_box_is_refused(lower, upper, message):
    with pytest.raises(GeometryError, match=message):
        Hyperrectangle(lower, upper)


def test_in_the_plane_it_is_the_rectangle():
    box, plate = Hyperrectangle((0, 1), (2, 2)), Rectangle((0, 1), (2, 2))
    own = {"x1.lower": "left", "x1.upper": "right", "x2.lower": "bottom", "x2.upper": "top"}
    X = np.random.default_rng(0).uniform(-1, 3, (100, 2))
    np.testing.assert_array_equal(box.signed_distance(X), plate.signed_distance(X))
    for parts in (["x1.lower"], ["x1.lower", "x2.upper"], list(own)):
        mine = box.boundary_factor([f"faces.{p}" for p in parts])
        same = plate.boundary_factor([f"edges.{own[p]}" for p in parts])
        assert sympy.simplify(mine - same) == 0


def test_a_face_is_sampled_to_the_last_bit_and_points_outwards():
    box = Hyperrectangle((0.1,) * 20, (0.3,) * 20)
    face = box.sample_boundary("faces.x7.upper", 50)
    assert (face.points[:, 6] == 0.3).all()
    assert (face.normals == np.eye(20)[6]).all()
    assert box.boundary_measure("faces.x7") == pytest.approx(2 * 0.2**19)


@pytest.mark.parametrize("faces", [("left", "right", "front", "back", "bottom", "top"),
                                   ("left", "top"), ("front", "back", "top")])  # fmt: skip
def test_extension_takes_the_values_of_each_face(faces):
    box = Box((0, 0, 0), (1, 2, 3))
    source = sympy.sin(x) * sympy.exp(y) + x * z**2 + y * z
    places = {"left": (x, 0), "right": (x, 1), "front": (y, 0), "back": (y, 2), "bottom": (z, 0),
              "top": (z, 3)}  # fmt: skip
    values = {f"faces.{f}": source.subs(*places[f]) for f in faces}
    extension = box.boundary_extension(values)
    for face in faces:
        assert sympy.simplify((extension - source).subs(*places[face])) == 0


def test_a_jump_between_faces_is_told_by_the_names_of_the_box():
    with pytest.raises(GeometryError, match=r"Box: .*'faces\.left' and 'faces\.top' differ by -1"):
        Box().boundary_extension({"faces.left": 0, "faces.top": 1})


def test_rules_of_too_many_points_are_refused():
    with pytest.raises(GeometryError, match="take a smaller n"):
        Hyperrectangle((0,) * 100, (1,) * 100).quadrature(2)
