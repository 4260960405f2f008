import pytest

from sciml.equations import NoSlip, Poisson
from sciml.framework.errors import EquationError


def test_each_component_has_its_own_form():
    lid = NoSlip("top", values=("1 - x**2", 0.0))
    assert [lid.hard_form(f).value for f in ("u", "v")] == ["1 - x**2", 0.0]
    assert [lid.hard_form(f).satisfies for f in ("u", "v")] == [("u",), ("v",)]
    assert NoSlip("top", hard=False).hard_form("u") is None


def test_a_value_for_each_component():
    with pytest.raises(EquationError, match="1 values for the 2 components u, v"):
        NoSlip("top", values=(1.0,))


def test_a_component_for_each_coordinate():
    with pytest.raises(EquationError, match="2 space coordinates"):
        NoSlip("top", velocity=("u",)).residuals(Poisson())
