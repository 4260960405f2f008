import doctest

import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import Segment, Vertex, parts

PIECES = {
    "hole.edge.a": Segment((0, 0), (1, 0)),
    "hole.edge.b": Segment((1, 0), (1, 1)),
    "hole.tip": Vertex((0, 0), (1, 0)),
}


def test_every_prefix_is_a_group():
    assert parts.groups(PIECES) == {
        "boundary": ("hole.edge.a", "hole.edge.b"),
        "hole": ("hole.edge.a", "hole.edge.b", "hole.tip"),
        "hole.edge": ("hole.edge.a", "hole.edge.b"),
        "hole.edge.a": ("hole.edge.a",),
        "hole.edge.b": ("hole.edge.b",),
        "hole.tip": ("hole.tip",),
    }


@pytest.mark.parametrize(("part", "near"), [("hole.edge.c", "hole.edge"), ("tip", "hole.tip")])
def test_unknown_parts_name_the_nearest(part, near):
    with pytest.raises(GeometryError, match=f"Plate has no part '{part}'.*did you mean '{near}"):
        parts.resolve(part, PIECES, "Plate")


def test_names_of_two_shapes_are_told_apart():
    first, second = parts.distinct(
        ["a", "b.0.1", "b.3", "c", "d", "e.left"], ["a", "b.1.0", "b.0", "c.0", "c.1", "f", "e"]
    )
    assert first == ["a.0", "b.0.1", "b.3", "c.0", "d", "e.left"]
    assert second == ["a.1", "b.5.0", "b.4", "c.1", "c.2", "f", "e.0"]
    assert parts.distinct(["e"], ["e.left"]) == (["e.0"], ["e.left"])


def test_equal_names_are_numbered():
    assert parts.numbered(["a", "b", "a"]) == ["a.0", "b", "a.1"]


def test_examples_in_docstrings():
    assert doctest.testmod(parts)[0] == 0
