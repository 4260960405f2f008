import pytest

from sciml.equations import PerfectConductor, Poisson
from sciml.framework.errors import EquationError


def test_one_residual_in_the_plane_and_three_in_space():
    assert PerfectConductor("wall", ("E_x", "E_y")).names == ("pec_z",)
    assert PerfectConductor("wall").names == ("pec_x", "pec_y", "pec_z")


def test_the_field_has_components():
    with pytest.raises(EquationError, match="two or three components, got 1"):
        PerfectConductor("wall", ("E_z",))
    with pytest.raises(EquationError, match="2 space coordinates"):
        PerfectConductor("wall").residuals(Poisson())
