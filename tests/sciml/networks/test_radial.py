"""Radial basis functions."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import RadialBasis, parameter_count


def test_initial_parameters() -> None:
    p = RadialBasis(inputs=2, centres=5000, width=0.3, outputs=3).initialise(0)
    assert parameter_count(p) == 5000 * (2 + 1 + 3) + 3
    assert np.abs(p["centres"]).max() <= 1.0
    # a uniform law has variance 1/3; its sample is within 4 sqrt(0.8 / n) relatively
    assert abs(3 * p["centres"].var() - 1) < 4 * np.sqrt(0.8 / 10_000)
    np.testing.assert_allclose(np.exp(p["log_widths"]), 0.3, rtol=1e-14)


@pytest.mark.parametrize(
    ("profile", "value"),
    [("gaussian", np.exp(-1)), ("multiquadric", 2**0.5), ("inverse_multiquadric", 2**-0.5)],
)
def test_values_at_a_centre_and_one_width_away(profile: str, value: float) -> None:
    net = RadialBasis(inputs=2, centres=1, width=0.5, profile=profile)  # type: ignore[arg-type]
    p = net.initialise(0)
    p["last"]["W"][:] = 1.0
    at = net(p, p["centres"] + np.array([[0.0, 0.0], [0.3, -0.4]]))
    np.testing.assert_allclose(at[:, 0], [1.0, value], rtol=1e-13)


@pytest.mark.parametrize("change", [{"centres": 0}, {"width": 0.0}, {"profile": "wavelet"}])
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="RadialBasis"):
        RadialBasis(**change)  # type: ignore[arg-type]
