"""Activations by name."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from scipy import special, stats

from sciml.networks.activations import ACTIVATIONS, ActivationName

Z = np.linspace(-4, 4, 33)
EXPECTED = {
    "tanh": np.tanh(Z),
    "sin": np.sin(Z),
    "sigmoid": special.expit(Z),
    "swish": Z * special.expit(Z),
    "gelu": Z * stats.norm.cdf(Z),
    "softplus": np.logaddexp(0.0, Z),
}


def test_names_and_table_agree() -> None:
    assert set(get_args(ActivationName)) == set(ACTIVATIONS) == set(EXPECTED)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_values(name: str) -> None:
    np.testing.assert_allclose(ACTIVATIONS[name](Z), EXPECTED[name], rtol=1e-11, atol=1e-15)
