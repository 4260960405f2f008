"""The highway network."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import MLP, HighwayNetwork, parameter_count


def test_parameter_count_and_biases() -> None:
    p = HighwayNetwork(inputs=2, width=10, layers=3, outputs=2).initialise(0)
    assert parameter_count(p) == 3 * 10 + 3 * 2 * 110 + 11 * 2
    assert np.all(p["layers"][0]["gate"]["b"] == -1)
    assert np.all(p["layers"][0]["layer"]["b"] == 0)


def test_closed_and_open_gates() -> None:
    """Closed gates leave the first layer alone; open ones make an MLP."""
    net = HighwayNetwork(inputs=2, width=5, layers=2)
    p, X = net.initialise(0), np.array([[0.3, -0.4]])
    layers = [layer["layer"] for layer in p["layers"]]
    for bias, between in ((-1e3, []), (1e3, layers)):
        for layer in p["layers"]:
            layer["gate"]["b"] = np.full(5, bias)
        mlp = MLP(inputs=2, hidden=(5,) * (1 + len(between)))
        expected = mlp([p["first"], *between, p["last"]], X)
        np.testing.assert_allclose(net(p, X), expected, rtol=1e-13)


@pytest.mark.parametrize("change", [{"width": 0}, {"layers": 0}, {"activation": "relu"}])
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="HighwayNetwork"):
        HighwayNetwork(**change)  # type: ignore[arg-type]
