import pytest

from sciml.equations import Integral, Poisson
from sciml.framework.errors import EquationError


def test_the_integrand_holds_the_field():
    with pytest.raises(EquationError, match="does not hold the field 'u'"):
        Integral("u", "x").residuals(Poisson())


def test_the_value_is_finite():
    with pytest.raises(EquationError, match="value must be finite"):
        Integral("u", "u", float("inf"))
