"""Random Fourier features."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.core.tree import flatten
from sciml.framework.errors import ConfigError
from sciml.networks import FourierFeatures, parameter_count


def test_parameter_count() -> None:
    fixed = FourierFeatures(inputs=2, features=16, hidden=(10, 11), outputs=3)
    layers = 33 * 10 + 11 * 11 + 12 * 3
    assert parameter_count(fixed.initialise(0)) == layers
    trained = FourierFeatures(2, 16, trainable=True, hidden=(10, 11), outputs=3)
    assert parameter_count(trained.initialise(0)) == layers + 2 * 16
    linear = FourierFeatures(inputs=2, features=16, hidden=())
    assert parameter_count(linear.initialise(0)) == 33


def test_frequencies_are_normal_with_the_scale_and_fixed_by_their_seed() -> None:
    net = FourierFeatures(inputs=2, features=50_000, scale=3.0)
    B = net.frequencies()
    # the standard deviation of a sample of n is that of the normal within 4 / sqrt(2 n)
    assert abs(B.std() / 3.0 - 1.0) < 4 / np.sqrt(2 * B.size)
    assert abs(B.mean()) < 4 * 3.0 / np.sqrt(B.size)
    assert np.array_equal(B, net.frequencies())
    other = FourierFeatures(inputs=2, features=50_000, scale=3.0, frequency_seed=1)
    assert not np.array_equal(B, other.frequencies())


def test_trained_and_fixed_frequencies_start_alike() -> None:
    fixed, trained = (FourierFeatures(2, 8, trainable=t, hidden=(4,)) for t in (False, True))
    X = np.array([[0.1, 0.2]])
    assert np.array_equal(fixed(fixed.initialise(3), X), trained(trained.initialise(3), X))
    assert len(flatten(trained.initialise(3))[0]) == len(flatten(fixed.initialise(3))[0]) + 1


def test_features_are_periodic_in_each_frequency() -> None:
    net = FourierFeatures(inputs=1, features=1, hidden=(), scale=2.0)
    p = net.initialise(0)
    period = 1.0 / net.frequencies()[0, 0]
    np.testing.assert_allclose(net(p, np.array([[0.3]])), net(p, np.array([[0.3 + period]])))


@pytest.mark.parametrize("change", [{"scale": 0.0}, {"frequency_seed": -1}, {"features": 0}])
def test_mistakes(change: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="FourierFeatures"):
        FourierFeatures(**change)  # type: ignore[arg-type]


def test_frequencies_are_drawn_apart_from_the_weights() -> None:
    network = FourierFeatures(inputs=2, features=50, hidden=(20,))
    weights = network.initialise(0)["layers"][0]["W"].ravel()[:100]
    correlation = np.corrcoef(weights, network.frequencies().ravel())[0, 1]
    assert abs(correlation) < 0.4
