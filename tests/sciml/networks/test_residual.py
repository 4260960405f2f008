"""The residual network."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import MLP, ResidualNetwork, parameter_count


@pytest.mark.parametrize(("skip", "extra"), [("plain", 0), ("adaptive", 3)])
def test_parameter_count(skip: str, extra: int) -> None:
    net = ResidualNetwork(inputs=2, width=10, blocks=3, outputs=2, skip=skip)  # type: ignore[arg-type]
    blocks = 3 * 2 * 11 * 10
    assert parameter_count(net.initialise(0)) == 3 * 10 + blocks + 11 * 2 + extra


def test_weights_have_the_glorot_variance() -> None:
    p = ResidualNetwork(inputs=2, width=300, blocks=1).initialise(0)
    for name in ("inner", "outer"):
        W = p["blocks"][0][name]["W"]
        assert abs(W.var() / (2 / 600) - 1) < 4 * np.sqrt(2 / W.size)


def test_an_adaptive_network_starts_as_one_of_one_hidden_layer() -> None:
    net = ResidualNetwork(inputs=2, width=6, blocks=4)
    p, X = net.initialise(2), np.random.default_rng(0).normal(size=(5, 2))
    shallow = MLP(inputs=2, hidden=(6,))
    np.testing.assert_array_equal(net(p, X), shallow([p["first"], p["last"]], X))
    for block in p["blocks"]:
        block["a"] = np.array(1.0)
    deep = MLP(inputs=2, hidden=(6,) * 9)
    layers = [b[name] for b in p["blocks"] for name in ("inner", "outer")]
    expected = deep([p["first"], *layers, p["last"]], X)
    np.testing.assert_allclose(net(p, X), expected, rtol=1e-13)


@pytest.mark.parametrize("change", [{"width": 0}, {"blocks": 0}, {"skip": "dense"}])
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="ResidualNetwork"):
        ResidualNetwork(**change)  # type: ignore[arg-type]
