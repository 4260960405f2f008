"""What networks share."""

from __future__ import annotations

import numpy as np

from sciml.networks import parameter_count
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
