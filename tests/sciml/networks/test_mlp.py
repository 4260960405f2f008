"""The fully connected network."""

from __future__ import annotations

import numpy as np
import pytest

import sciml.framework as fw
from sciml.framework.errors import ConfigError, ShapeError
from sciml.networks import MLP, parameter_count
from sciml.networks.activations import ACTIVATIONS


def test_shapes_and_parameter_count() -> None:
    net = MLP(inputs=2, hidden=(64, 64, 64, 64), outputs=3)
    parameters = net.initialise(0)
    assert parameter_count(parameters) == 3 * 64 + 3 * 65 * 64 + 65 * 3
    assert net(parameters, np.zeros((7, 2))).shape == (7, 3)


def test_seed_fixes_the_bits_and_dtype_only_rounds() -> None:
    net = MLP(inputs=2, hidden=(5,))
    one, two = net.initialise(4), net.initialise(4, np.float32)
    assert np.array_equal(one[0]["W"].astype(np.float32), two[0]["W"])
    assert not np.array_equal(one[0]["W"], net.initialise(5)[0]["W"])


def test_weights_have_the_glorot_variance() -> None:
    weights = MLP(inputs=300, hidden=(200,)).initialise(1)[0]["W"]
    assert np.isclose(weights.var(), 2.0 / 500, rtol=0.02)


def test_box_is_scaled_to_minus_one_and_one() -> None:
    plain, boxed = MLP(inputs=2, hidden=(4,)), MLP(hidden=(4,)).on_box((0, -1), (10, 3), 1)
    parameters = plain.initialise(0)
    corners = np.array([[0.0, -1.0], [10.0, 3.0], [5.0, 1.0]])
    scaled = np.array([[-1.0, -1.0], [1.0, 1.0], [0.0, 0.0]])
    assert np.allclose(boxed(parameters, corners), plain(parameters, scaled))


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_fourth_derivative_matches_finite_differences_of_the_third(name: str) -> None:
    net = MLP(inputs=1, hidden=(6, 6), activation=name)  # type: ignore[arg-type]
    parameters = net.initialise(2)
    X, h = np.linspace(-1, 1, 5)[:, None], 1e-5

    def field(points: object) -> object:
        return net(parameters, points)[:, 0]

    third, fourth = fw.derivative(field, (3,)), fw.derivative(field, (4,))
    difference = (third(X + h) - third(X - h)) / (2 * h)
    assert np.allclose(fourth(X), difference, rtol=1e-6, atol=1e-8)


def test_float32_stays_float32() -> None:
    net = MLP(hidden=(4,)).on_box((0.0,), (1.0,), 1)
    out = net(net.initialise(0, np.float32), np.ones((3, 1), dtype=np.float32))
    assert out.dtype == np.float32


def test_mistakes_are_refused() -> None:
    with pytest.raises(ConfigError, match="width"):
        MLP(inputs=2, hidden=(0,))
    with pytest.raises(ConfigError, match="relu"):
        MLP(inputs=2, activation="relu")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="2 coordinates"):
        MLP(inputs=3).on_box((0, 0), (1, 1), 1)
    with pytest.raises(ShapeError, match=r"\(points, 2\)"):
        MLP(inputs=2).__call__(MLP(inputs=2).initialise(0), np.zeros((4, 3)))
