"""PirateNet."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import FourierFeatures, PirateNet, parameter_count


def test_parameter_count() -> None:
    net = PirateNet(inputs=3, features=5, blocks=2, outputs=2, weights="plain")
    assert parameter_count(net.initialise(0)) == 2 * 110 + 2 * (3 * 110 + 1) + 11 * 2


def test_it_starts_linear_in_its_features() -> None:
    net = PirateNet(inputs=2, features=5, scale=0.7, frequency_seed=3, blocks=4)
    linear = FourierFeatures(
        inputs=2, features=5, scale=0.7, frequency_seed=3, hidden=(), weights="factorised"
    )
    p, X = net.initialise(2), np.random.default_rng(0).normal(size=(6, 2))
    np.testing.assert_array_equal(net(p, X), linear({"layers": [p["last"]]}, X))


@pytest.mark.parametrize("change", [{"scale": 0.0}, {"features": 0}, {"blocks": 0}, {"scale": -1}])
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="PirateNet"):
        PirateNet(**change)  # type: ignore[arg-type]
