from sciml.geometry import SHAPES, Geometry


def test_names_are_those_of_the_classes():
    assert all(issubclass(shape, Geometry) for shape in SHAPES.values())
    assert all(name == shape.__name__ for name, shape in SHAPES.items())
