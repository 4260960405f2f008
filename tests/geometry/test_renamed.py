import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import Disk, Interval, Product, Rectangle

CHANNEL = Rectangle((0, 0), (4, 1))


def test_the_longest_name_that_fits_is_taken():
    shape = CHANNEL.rename({"edges": "walls", "edges.left": "inlet", "corners": "tips"})
    assert shape.resolve("boundary") == ("inlet", "walls.bottom", "walls.right", "walls.top")
    assert shape.corners["tips.top_left"] == ("walls.top", "inlet")
    assert shape.boundary_measure("walls") == 9
    assert shape.boundary_factor("inlet") == CHANNEL.boundary_factor("edges.left")


def test_names_may_be_exchanged():
    shape = CHANNEL.rename({"edges.left": "edges.right", "edges.right": "edges.left"})
    assert shape.pieces["edges.left"] == CHANNEL.pieces["edges.right"]


def test_names_survive_combinations_and_motions():
    hole = Disk((2, 0.5), 0.25).rename({"circle": "hole"})
    plate = (CHANNEL.rename({"edges.left": "inlet"}) - hole).rotate(0.3).mirror((1, 1))
    assert plate.resolve("boundary") == (
        "inlet", "edges.bottom", "edges.right", "edges.top", "hole")  # fmt: skip
    assert plate.corners["corners.top_left"] == ("inlet", "edges.top")


def test_parts_of_a_solid_are_renamed():
    solid = Product(Disk(), Interval(0, 1))
    leaf = solid.resolve("boundary")[0]
    assert solid.rename({leaf: "wall"}).boundary_measure("wall") == solid.boundary_measure(leaf)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"edges.lft": "inlet"}, "did you mean 'edges.left'"),
        ({"boundary": "rim"}, "name its parts"),
        ({"edges.left": "boundary"}, "other than 'boundary'"),
        ({"edges.left": "in let"}, "words joined by dots"),
        ({"edges.left": "edges.top"}, r"'edges.left' would be 'edges.top'"),
        ({"edges.left": "corners"}, r"'edges.left' would be 'corners'"),
    ],
)
def test_names_that_are_unknown_or_taken_are_refused(names, message):
    with pytest.raises(GeometryError, match=message):
        CHANNEL.rename(names)
