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
