"""The separable network."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import SeparableNetwork, parameter_count


def test_parameter_count() -> None:
    net = SeparableNetwork(inputs=3, rank=5, hidden=(7, 6), outputs=2)
    assert parameter_count(net.initialise(0)) == 3 * (2 * 7 + 8 * 6 + 7 * 10)


def test_a_grid_of_values_has_the_rank_of_the_network() -> None:
    net = SeparableNetwork(inputs=2, rank=3, hidden=(8,))
    x = np.linspace(-1, 1, 12)
    grid = np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)
    sizes = np.linalg.svd(net(net.initialise(0), grid).reshape(12, 12), compute_uv=False)
    assert sizes[2] > 1e-6 * sizes[0]
    assert sizes[3] < 1e-14 * sizes[0]


@pytest.mark.parametrize("change", [{"rank": 0}, {"hidden": (0,)}, {"outputs": 0}])
def test_sizes_that_mean_nothing(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="SeparableNetwork: every width must be 1 or more"):
        SeparableNetwork(**change)  # type: ignore[arg-type]


@pytest.mark.parametrize("change", [{"activation": "relu"}, {"weights": "none"}])
def test_unknown_names(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="unknown"):
        SeparableNetwork(**change)  # type: ignore[arg-type]
