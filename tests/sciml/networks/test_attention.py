"""The attention network."""

from __future__ import annotations

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import ConfigError
from sciml.networks import AttentionNetwork, parameter_count


def test_parameter_count() -> None:
    net = AttentionNetwork(inputs=2, tokens=3, width=8, heads=4, blocks=2, outputs=2)
    block = 4 * 8 * 8 + 2 * 9 * 8 + 2 * 2 * 8
    assert parameter_count(net.initialise(0)) == 3 * 3 * 8 + 2 * block + 2 * 8 + 25 * 2


def test_initial_parameters() -> None:
    p = AttentionNetwork(inputs=100, tokens=3, width=200, heads=4, blocks=1).initialise(0)
    W, b = p["embedding"]["W"], p["embedding"]["b"]
    assert abs(W.var() / (2 / 300) - 1) < 4 * np.sqrt(2 / W.size)
    assert abs(b.var() - 1) < 4 * np.sqrt(2 / b.size)
    for name in ("Q", "K", "V", "O"):
        weights = p["blocks"][0][name]
        assert abs(weights.var() / (2 / 400) - 1) < 4 * np.sqrt(2 / weights.size)
    for norm in (p["after"], p["blocks"][0]["before"], p["blocks"][0]["between"]):
        assert np.all(norm["scale"] == 1)
        assert np.all(norm["shift"] == 0)


def test_points_do_not_meet() -> None:
    net = AttentionNetwork(inputs=2, tokens=3, width=4, heads=2)
    p, X = net.initialise(0), np.random.default_rng(0).normal(size=(6, 2))
    together = net(p, X)
    for k in range(6):
        np.testing.assert_allclose(net(p, X[k : k + 1])[0], together[k], rtol=1e-13)
    slopes = sf.jacobian(lambda X: net(p, X)[:, 0])(X)
    assert np.all(slopes[~np.eye(6, dtype=bool)] == 0)


def test_tokens_attend_to_each_other() -> None:
    """Without values the output no longer depends on queries; with them it does."""
    net = AttentionNetwork(inputs=2, tokens=3, width=4, heads=1)
    p, X = net.initialise(0), np.array([[0.2, 0.4]])
    before = net(p, X)
    p["blocks"][0]["Q"] = 3.0 * p["blocks"][0]["Q"]
    assert abs(net(p, X) - before).max() > 1e-4
    p["blocks"][0]["V"] = 0.0 * p["blocks"][0]["V"]
    silent = net(p, X)
    p["blocks"][0]["Q"] = 3.0 * p["blocks"][0]["Q"]
    np.testing.assert_array_equal(net(p, X), silent)


@pytest.mark.parametrize(
    "change", [{"width": 0}, {"heads": 3}, {"tokens": 1}, {"epsilon": 0.0}, {"blocks": 0}]
)
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="AttentionNetwork"):
        AttentionNetwork(**change)  # type: ignore[arg-type]
