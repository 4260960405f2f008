"""Affine layers: their weights as products of parameters."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import MLP
from sciml.networks.base import generator
from sciml.networks.layers import WeightName, affine, glorot, layer_source, weight_matrix


def test_layers_are_drawn_in_float64_and_rounded() -> None:
    one, two = (glorot(generator(3), 5, 7, dtype) for dtype in (np.float64, np.float32))
    assert one["W"].shape == (5, 7)
    assert np.array_equal(one["W"].astype(np.float32), two["W"])
    assert two["b"].dtype == np.float32


def test_affine_layers() -> None:
    layer = {"W": np.array([[1.0, 2.0], [3.0, 4.0]]), "b": np.array([10.0, 20.0])}
    np.testing.assert_array_equal(affine(layer, np.array([[1.0, 1.0]])), [[14.0, 26.0]])


@pytest.mark.parametrize("weights", get_args(WeightName))
def test_every_kind_starts_with_the_same_weights(weights: WeightName) -> None:
    plain = layer_source(4, np.float64)(6, 5)["W"]
    got = weight_matrix(layer_source(4, np.float64, weights)(6, 5))
    np.testing.assert_allclose(got, plain, rtol=1e-14)


def test_columns_are_scaled_by_exponentials_of_normal_numbers() -> None:
    layer = glorot(generator(0), 2, 10_000, np.float64, "factorised")
    assert abs(layer["s"].mean() - 1.0) < 4 * 0.1 / 100
    assert abs(layer["s"].std() / 0.1 - 1.0) < 4 / np.sqrt(20_000)
    doubled = {**layer, "s": layer["s"] + np.log(2.0)}
    np.testing.assert_allclose(weight_matrix(doubled), 2 * weight_matrix(layer), rtol=1e-14)


def test_lengths_of_normalised_columns_are_parameters() -> None:
    layer = glorot(generator(0), 3, 4, np.float64, "normalised")
    stretched = {**layer, "V": 7.0 * layer["V"], "g": np.array([1.0, 2.0, 3.0, 4.0])}
    lengths = np.linalg.norm(weight_matrix(stretched), axis=0)
    np.testing.assert_allclose(lengths, [1.0, 2.0, 3.0, 4.0], rtol=1e-14)


def test_unknown_weights_are_refused() -> None:
    with pytest.raises(ConfigError, match="MLP: unknown weights 'spectral'; valid are plain, fac"):
        MLP(weights="spectral")  # type: ignore[arg-type]
