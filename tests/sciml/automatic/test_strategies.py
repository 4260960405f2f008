"""Each strategy gives solutions that get better."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from sciml import Problem
from sciml.automatic.spaces import first_space
from sciml.automatic.strategies import spectral, trained, windowed
from sciml.equations import Diffusion, Dirichlet, Initial, Poisson
from sciml.geometry import Interval, Rectangle

PLANE = Problem(
    Rectangle(), Poisson(source="2*pi**2*sin(pi*x)*sin(pi*y)"), [Dirichlet("u", "edges")]
)
COOLING = Problem(
    Interval(0, 1).over_time(0.5),
    Diffusion(),
    [Initial("u", "sin(pi*x)"), Dirichlet("u", "sides")],
)


def plane_error(solution: object) -> float:
    x, y = np.random.default_rng(0).uniform(0, 1, (2, 100))
    exact = np.sin(np.pi * x) * np.sin(np.pi * y)
    return float(np.abs(solution["u"](x, y) - exact).max())  # type: ignore[index]


def test_spectral_features_of_growing_degree() -> None:
    steps = list(itertools.islice(spectral(PLANE, 0, first_space(PLANE)), 3))
    errors = [plane_error(s.solution) for s in steps]
    assert errors[0] > 10 * errors[1] > 100 * errors[2]
    assert errors[2] < 1e-8
    assert steps[0].fineness < steps[1].fineness < steps[2].fineness < steps[2].finest
    assert steps[0].method == "spectral features, degrees (8, 8)"
    assert steps[0].unknowns == 45


@pytest.mark.slow
def test_windows_of_growing_degree() -> None:
    steps = list(itertools.islice(windowed(COOLING, 0, first_space(COOLING)), 2))
    x, t = np.random.default_rng(0).uniform(0, 1, (2, 100)) * [[1], [0.5]]
    exact = np.exp(-(np.pi**2) * t) * np.sin(np.pi * x)
    errors = [float(np.abs(s.solution["u"](x, t) - exact).max()) for s in steps]
    assert 1e-3 > errors[0] > 10 * errors[1]


@pytest.mark.slow
def test_networks_are_trained_on() -> None:
    steps = list(itertools.islice(trained(PLANE, 0, width=12), 4))
    errors = [plane_error(s.solution) for s in steps]
    assert max(errors) < 1e-3
    assert errors[2] < errors[0]
    assert errors[3] < errors[1]
