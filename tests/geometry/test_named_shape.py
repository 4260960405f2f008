import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import Interval, Rectangle, SpaceTime


def test_a_named_shape_is_the_built_one_under_its_own_names():
    shape = SpaceTime(Rectangle(), 1.0)
    assert tuple(shape.names) == tuple(shape.pieces)
    assert all(shape.built.pieces[leaf] == shape.pieces[own] for own, leaf in shape.names.items())
    assert (shape.corners, shape.dimension, shape.measure) == ({}, 3, 1.0)


def test_names_of_the_built_shape_are_unknown():
    with pytest.raises(GeometryError, match="no part 'second"):
        SpaceTime(Interval(0, 1), 1.0).resolve("second.left")
