import pytest

from sciml.equations import Initial, Poisson
from sciml.framework.errors import EquationError


def test_the_rate_is_optional_and_the_value_exact():
    assert Initial("u").names == ("u",)
    assert Initial("u", rate=1).names == ("u", "u_t")
    assert Initial("u", "x").hard_form("u").satisfies == ("u",)
    assert Initial("u", hard=False).hard_form("u") is None


def test_a_steady_equation_is_refused():
    with pytest.raises(EquationError, match="needs the time t"):
        Initial("u").residuals(Poisson())
