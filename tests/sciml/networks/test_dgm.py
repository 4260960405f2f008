"""The network of the deep Galerkin method."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import DGM, parameter_count


def test_parameter_count() -> None:
    """As in section 4.2 of the paper, with one matrix for the point and the state."""
    p = DGM(inputs=2, width=10, layers=3, outputs=2).initialise(0)
    assert parameter_count(p) == 3 * 10 + 3 * 4 * (2 + 10 + 1) * 10 + 11 * 2


def test_weights_have_the_glorot_variance() -> None:
    p = DGM(inputs=100, width=200, layers=1).initialise(0)
    for layer in p["layers"][0].values():
        W = layer["W"]
        assert abs(W.var() / (2 / 500) - 1) < 4 * np.sqrt(2 / W.size)


@pytest.mark.parametrize("change", [{"width": 0}, {"layers": 0}, {"activation": "relu"}])
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="DGM"):
        DGM(**change)  # type: ignore[arg-type]
