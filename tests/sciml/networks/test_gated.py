"""The gated network."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import GatedMLP, parameter_count


def test_parameter_count() -> None:
    net = GatedMLP(inputs=2, width=10, layers=3, outputs=2)
    assert parameter_count(net.initialise(0)) == 3 * 3 * 10 + 3 * 11 * 10 + 11 * 2


def test_weights_have_the_glorot_variance() -> None:
    p = GatedMLP(inputs=300, width=200, layers=1).initialise(0)
    for name in ("U", "V", "first"):
        W = p[name]["W"]
        assert abs(W.var() / (2 / 500) - 1) < 4 * np.sqrt(2 / W.size)
    assert not np.array_equal(p["U"]["W"], p["V"]["W"])
    assert np.all(p["gates"][0]["b"] == 0)


def test_closed_and_open_gates_give_the_embeddings() -> None:
    """With sigmoid gates at -inf and +inf the last hidden layer is U and V."""
    net = GatedMLP(inputs=2, width=5, layers=2, activation="sigmoid")
    p, X = net.initialise(0), np.array([[0.3, -0.4]])
    for bias, name in ((-1e3, "U"), (1e3, "V")):
        for layer in p["gates"]:
            layer["b"] = np.full(5, bias)
        h = 1 / (1 + np.exp(-(X @ p[name]["W"] + p[name]["b"])))
        np.testing.assert_allclose(net(p, X), h @ p["last"]["W"] + p["last"]["b"], rtol=1e-13)


@pytest.mark.parametrize("change", [{"width": 0}, {"layers": 0}, {"activation": "relu"}])
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="GatedMLP"):
        GatedMLP(**change)  # type: ignore[arg-type]
