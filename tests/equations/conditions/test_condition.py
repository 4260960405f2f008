import pytest

from sciml.equations import Dirichlet, Poisson
from sciml.equations.conditions.condition import (
    RIVALS,
    Quantity,
    time_of,
    vector,
)
from sciml.framework.errors import EquationError


def test_rivals_are_mutual_and_every_quantity_has_a_line():
    assert set(RIVALS) == set(Quantity)
    assert all(a in RIVALS[b] for a in Quantity for b in RIVALS[a])


def test_a_steady_equation_has_no_time():
    with pytest.raises(EquationError, match="needs the time t"):
        time_of(Dirichlet("u", "edges"), Poisson())


def test_a_vector_has_one_component_per_space_coordinate():
    with pytest.raises(EquationError, match="2 space coordinates, got the 1 components u"):
        vector(Dirichlet("u", "edges"), Poisson(), ("u",))
