"""Continuous derivatives of networks, and problems that need more."""

from __future__ import annotations

import pytest

from sciml import Problem
from sciml.equations import Dirichlet, KirchhoffPlate, Poisson, SimplySupported
from sciml.framework.errors import ConfigError
from sciml.geometry import Rectangle
from sciml.networks import MLP, SplineKAN
from sciml.networks.smoothness import continuous_derivatives


def test_splines_have_one_less_than_their_degree() -> None:
    assert continuous_derivatives(SplineKAN(degree=5)) == 4
    assert continuous_derivatives(MLP()) is None


def test_a_problem_refuses_splines_of_too_low_a_degree() -> None:
    poisson = Problem(Rectangle(), Poisson("1"), [Dirichlet("u", "edges")])
    plate = Problem(Rectangle(), KirchhoffPlate(), [SimplySupported("edges")])
    poisson.trial(SplineKAN(degree=3))
    plate.trial(SplineKAN(degree=5))
    with pytest.raises(ConfigError, match=r"degree 2 have 1 cont.* of order 2; give degree=3"):
        poisson.trial(SplineKAN(degree=2))
    with pytest.raises(ConfigError, match=r"degree 3 have 2 cont.* of order 4; give degree=5"):
        plate.trial(SplineKAN(degree=3))
