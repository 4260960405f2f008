import doctest

import pytest
import sympy

from sciml.equations import KirchhoffPlate, SimplySupported
from sciml.equations.conditions import forced
from sciml.equations.conditions.forced import Forced, unforced
from sciml.framework.errors import EquationError

y = sympy.Symbol("y")


def test_right_sides_are_taken_off_and_exact_forms_kept_where_they_are_zero():
    edge, plate = SimplySupported("edges.left"), KirchhoffPlate()
    moment = Forced(edge, (("M_n", y),))
    plain = edge.residuals(plate)
    assert moment.residuals(plate) == {"w": plain["w"], "M_n": plain["M_n"] - y}
    assert moment.hard_form("w") == edge.hard_form("w")
    assert Forced(edge, (("w", y),)).hard_form("w") is None
    assert (moment.fields, moment.where, moment.names) == (edge.fields, edge.where, edge.names)
    assert Forced(SimplySupported("edges.left", hard=True), ()).hard is True
    assert unforced(moment) is edge
    assert unforced(edge) is edge
    assert hash(moment) == hash(Forced(edge, (("M_n", y),)))


def test_a_form_that_is_asked_for_and_does_not_hold_is_refused():
    edge = SimplySupported("edges.left", hard=True)
    assert Forced(edge, (("M_n", y),)).hard_form("w") == edge.hard_form("w")
    with pytest.raises(EquationError, match=r"SimplySupported\('edges.left'\): hard=True, but 'w'"):
        Forced(edge, (("w", y),))


def test_examples():
    assert doctest.testmod(forced).failed == 0
