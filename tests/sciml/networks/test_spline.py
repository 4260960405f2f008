"""Kolmogorov-Arnold networks of splines."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import BSpline

from sciml.framework.errors import ConfigError
from sciml.networks import SplineKAN, parameter_count


def test_parameter_count() -> None:
    net = SplineKAN(inputs=3, hidden=(5, 4), cells=6, degree=3, outputs=2)
    assert parameter_count(net.initialise(0)) == 31 * 5 + 51 * 4 + 41 * 2


@pytest.mark.parametrize(("cells", "degree"), [(1, 1), (4, 3), (5, 5), (7, 2)])
def test_one_layer_is_a_spline_of_each_coordinate(cells: int, degree: int) -> None:
    """Against SciPy, at both ends and at knots too."""
    net = SplineKAN(inputs=2, hidden=(), cells=cells, degree=degree, activation="tanh")
    (layer,) = p = net.initialise(0)
    X = np.random.default_rng(0).uniform(-1, 1, size=(30, 2))
    X[:3] = [[-1.0, 1.0], [1.0, -1.0], [0.0, 2.0 / cells - 1.0]]
    knots = -1 + np.arange(-degree, cells + degree + 1) * (2 / cells)
    expected = np.tanh(X) @ layer["W"][:2, 0]
    for i, c in enumerate(layer["W"][2:, 0].reshape(2, cells + degree)):
        expected += BSpline(knots, c, degree)(X[:, i])
    np.testing.assert_allclose(net(p, X)[:, 0], expected, rtol=0, atol=1e-13)


def test_splines_fade_outside_the_box() -> None:
    net = SplineKAN(inputs=1, hidden=(), cells=4, degree=3, activation="sin")
    (layer,) = p = net.initialise(0)
    X = np.array([[-2.6], [2.5], [7.0]])
    np.testing.assert_allclose(net(p, X), np.sin(X) * layer["W"][0], rtol=1e-14)


@pytest.mark.parametrize("change", [{"degree": 0}, {"cells": 0}, {"activation": "relu"}])
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="SplineKAN"):
        SplineKAN(**change)  # type: ignore[arg-type]
