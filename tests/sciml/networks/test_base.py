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
from sciml.networks.base import affine, generator, glorot


def test_layers_are_drawn_in_float64_and_rounded() -> None:
    one, two = (glorot(generator(3), 5, 7, dtype) for dtype in (np.float64, np.float32))
    assert one["W"].shape == (5, 7)
    assert np.array_equal(one["W"].astype(np.float32), two["W"])
    assert two["b"].dtype == np.float32


def test_affine_layers_and_counts() -> None:
    layer = {"W": np.array([[1.0, 2.0], [3.0, 4.0]]), "b": np.array([10.0, 20.0])}
    np.testing.assert_array_equal(affine(layer, np.array([[1.0, 1.0]])), [[14.0, 26.0]])
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
