"""The network with trained slopes."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import MLP, AdaptiveMLP, parameter_count


@pytest.mark.parametrize(("slopes", "extra"), [("global", 1), ("layer", 2), ("neuron", 15)])
def test_it_starts_as_an_mlp(slopes: str, extra: int) -> None:
    net = AdaptiveMLP(inputs=2, hidden=(8, 7), slopes=slopes, factor=4.0)  # type: ignore[arg-type]
    plain = MLP(inputs=2, hidden=(8, 7))
    p, q = net.initialise(3), plain.initialise(3)
    X = np.random.default_rng(0).normal(size=(6, 2))
    np.testing.assert_allclose(net(p, X), plain(q, X), rtol=1e-14)
    assert parameter_count(p) == parameter_count(q) + extra


@pytest.mark.parametrize(
    "change", [{"slopes": "each"}, {"factor": 0.5}, {"hidden": ()}, {"activation": "relu"}]
)
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="AdaptiveMLP"):
        AdaptiveMLP(**change)  # type: ignore[arg-type]
