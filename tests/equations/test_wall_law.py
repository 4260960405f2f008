import doctest
import math

import numpy as np
import pytest
import sympy

from sciml.equations import lower, wall_law
from sciml.equations.wall_law import friction_velocity, sublayer, wall_velocity
from sciml.framework.errors import EquationError

KAPPA, B = 0.41, 5.2
x = sympy.Symbol("x")
LAW = lower({"u": wall_velocity(x)}, [x], [])


def test_above_the_sublayer_it_is_the_logarithm():
    y = np.geomspace(sublayer(), 1e7, 200)
    np.testing.assert_allclose(LAW({}, y[:, None])["u"], np.log(y) / KAPPA + B, rtol=1e-13)


def test_below_it_is_linear_and_both_meet():
    y = np.linspace(0.0, sublayer(), 50)
    np.testing.assert_allclose(LAW({}, y[:, None])["u"], y, rtol=1e-13, atol=1e-13)
    meeting = sublayer()
    assert meeting == pytest.approx(math.log(meeting) / KAPPA + B, rel=1e-15)


@pytest.mark.parametrize("friction", [1e-3, 0.7, 20.0])
def test_the_friction_velocity_is_the_one_the_profile_has(friction):
    nu, y = 1.5e-5, np.concatenate([np.linspace(0.1, 11, 20), np.geomspace(11.1, 1e7, 40)])
    for y_plus, u_plus in zip(y, np.where(y < sublayer(), y, np.log(y) / KAPPA + B), strict=True):
        found = friction_velocity(u_plus * friction, y_plus * nu / friction, nu)
        assert found == pytest.approx(friction, rel=1e-12)
    assert friction_velocity(0.0, 0.1, nu) == 0.0


@pytest.mark.parametrize(("karman", "intercept"), [(0.41, 0.3), (0.384, 4.17), (0.05, 300.0)])
def test_other_constants_meet_too(karman, intercept):
    meeting = sublayer(karman, intercept)
    assert meeting == pytest.approx(math.log(meeting) / karman + intercept, rel=1e-13)
    assert karman * meeting > 1


def test_what_means_nothing_is_refused():
    for karman, intercept in ((0.41, 0.2), (0.41, -1.0), (0.0, 5.0), (0.41, math.nan)):
        with pytest.raises(EquationError, match=f"kappa = {karman} and B = {intercept} give"):
            wall_velocity(x, karman, intercept)
    for speed, distance, viscosity in (([1, -2], 0.1, 1e-5), (1, 0.0, 1e-5), (1, 0.1, -1e-5)):
        with pytest.raises(EquationError, match="friction_velocity: speeds must not be negative"):
            friction_velocity(speed, distance, viscosity)


def test_examples():
    assert doctest.testmod(wall_law).failed == 0
