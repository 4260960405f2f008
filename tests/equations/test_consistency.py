import pytest

from sciml.equations import Dirichlet, Free, FreeCorner
from sciml.equations.consistency import check_parts, known, missing_corners
from sciml.framework.errors import EquationError
from sciml.geometry import Rectangle

SQUARE = Rectangle()


def test_unknown_fields_are_refused():
    assert len(known([Dirichlet("u", "edges")], {"u"})) == 1
    with pytest.raises(EquationError, match="names the field 'v'"):
        known([Dirichlet("v", "edges")], {"u"})


def test_corners_between_free_edges_are_found():
    found = missing_corners(SQUARE, [Free("edges.left"), Free("edges.top")])
    assert found == [FreeCorner("corners.top_left", "w")]


def test_two_values_on_a_part_are_refused():
    with pytest.raises(EquationError, match="keep one of them"):
        check_parts(SQUARE, [Dirichlet("u", "edges"), Dirichlet("u", "edges.top", 1)], "u")
