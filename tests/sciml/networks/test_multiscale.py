"""Fourier features of several scales."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import MultiScaleFourier, parameter_count


def test_parameter_count() -> None:
    net = MultiScaleFourier(3, 8, (1.0, 2.0, 3.0), hidden=(10, 11), outputs=2)
    shared = 17 * 10 + 11 * 11
    assert parameter_count(net.initialise(0)) == shared + (3 * 11 + 1) * 2
    timed = MultiScaleFourier(3, 8, (1.0, 2.0), (1.0, 2.0, 3.0), hidden=(10, 11), outputs=2)
    assert parameter_count(timed.initialise(0)) == shared + (6 * 11 + 1) * 2


def test_each_scale_has_frequencies_of_its_size() -> None:
    net = MultiScaleFourier(2, 50_000, (1.0, 7.0), (3.0,))
    one, two, time = net.frequencies()
    assert (one.shape, two.shape, time.shape) == ((1, 50_000), (1, 50_000), (1, 50_000))
    for B, scale in ((one, 1.0), (two, 7.0), (time, 3.0)):
        assert abs(B.std() / scale - 1.0) < 4 / np.sqrt(2 * B.size)
    assert abs(np.corrcoef(one[0], two[0])[0, 1]) < 4 / np.sqrt(50_000)


@pytest.mark.parametrize(
    "change",
    [
        {"scales": ()}, {"scales": (1.0, 0.0)}, {"time_scales": (-1.0,)}, {"hidden": ()},
        {"frequency_seed": -1}, {"inputs": 1, "time_scales": (1.0,)},
    ],
)  # fmt: skip
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="MultiScaleFourier"):
        MultiScaleFourier(**change)  # type: ignore[arg-type]
