"""What networks share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import (
    MLP,
    AttentionNetwork,
    FourierFeatures,
    GatedMLP,
    ResidualNetwork,
    Siren,
    parameter_count,
)


def test_parameters_are_counted() -> None:
    layer = {"W": np.zeros((2, 2)), "b": np.zeros(2)}
    assert parameter_count({"one": layer, "two": [layer, layer]}) == 18


@pytest.mark.parametrize("kind", [MLP, Siren, FourierFeatures])
def test_hidden_layers_that_are_no_row_of_widths_are_refused(kind: Any) -> None:
    with pytest.raises(ConfigError, match=r"hidden must be a row of widths, .*; got 32"):
        kind(hidden=32)
    with pytest.raises(ConfigError, match=r"every width must be an integer, got 2\.5"):
        kind(hidden=(8, 2.5))


@pytest.mark.parametrize("kind", [MLP, GatedMLP, ResidualNetwork, AttentionNetwork])
def test_sizes_in_the_wrong_place_are_refused(kind: Any) -> None:
    with pytest.raises(ConfigError, match=r"must be an integer, got \(8,\); give sizes by their"):
        kind((8,))
