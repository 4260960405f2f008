"""SIREN."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import Siren, parameter_count


def test_parameter_count() -> None:
    net = Siren(inputs=2, hidden=(10, 11), outputs=3)
    assert parameter_count(net.initialise(0)) == 3 * 10 + 11 * 11 + 12 * 3


def test_weights_are_uniform_within_sitzmanns_bounds() -> None:
    first, second, last = Siren(inputs=200, hidden=(300, 400), omega_0=30.0).initialise(1)
    for layer, bound in (
        (first, 1 / 200), (second, np.sqrt(6 / 300) / 30), (last, np.sqrt(6 / 400) / 30),
    ):  # fmt: skip
        W = layer["W"]
        assert np.abs(W).max() <= bound
        # a uniform law has variance bound^2 / 3; its sample within 4 sqrt(0.8 / n) relatively
        assert abs(W.var() / (bound**2 / 3) - 1) < 4 * np.sqrt(0.8 / W.size)
        assert np.abs(layer["b"]).max() <= 1 / np.sqrt(len(W))


def test_pre_activations_of_inner_layers_have_unit_variance() -> None:
    """Section 3.2 of the paper: omega_0 W sin(...) has variance 6 / n * n / 3 * 1/2 = 1."""
    net = Siren(inputs=2, hidden=(2000, 2000), omega_0=30.0)
    first, second, _ = net.initialise(0)
    X = np.random.default_rng(0).uniform(-1, 1, (50, 2))
    h = np.sin(30.0 * (X @ first["W"] + first["b"]))
    assert abs((30.0 * h @ second["W"]).var() - 1.0) < 0.05


@pytest.mark.parametrize("change", [{"omega_0": 0.0}, {"hidden": ()}, {"hidden": (0,)}])
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="Siren"):
        Siren(**change)  # type: ignore[arg-type]
