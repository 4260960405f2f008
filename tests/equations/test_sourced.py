import doctest

import pytest
import sympy

from sciml.equations import KirchhoffPlate, Poisson, sourced
from sciml.equations.sourced import Sourced, unsourced
from sciml.framework.errors import EquationError

x = sympy.Symbol("x")


def test_only_the_residuals_change():
    plate = KirchhoffPlate(2, 0.3, "x")
    pde = Sourced(plate, {"plate": x**2})
    assert pde.residuals() == {"plate": plate.residuals()["plate"] - x**2}
    for ask in ("derived", "units", "manufactured"):
        assert getattr(pde, ask)() == getattr(plate, ask)()
    assert (pde.fields, pde.coordinates, pde.order) == (plate.fields, plate.coordinates, 4)
    assert unsourced(pde) is plate
    assert unsourced(plate) is plate
    assert unsourced(Sourced(pde, {"plate": x})) is plate


def test_a_source_of_no_residual_is_refused():
    with pytest.raises(EquationError, match="Poisson has no residual 'posson'; did you mean"):
        Sourced(Poisson(), {"posson": x})


def test_examples():
    assert doctest.testmod(sourced).failed == 0
