"""Kolmogorov-Arnold networks of Chebyshev polynomials."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import ChebyshevKAN, parameter_count


def test_parameter_count() -> None:
    net = ChebyshevKAN(inputs=3, hidden=(5, 4), degree=6, outputs=2)
    assert parameter_count(net.initialise(0)) == 19 * 5 + 31 * 4 + 25 * 2


@pytest.mark.parametrize("degree", [1, 2, 7])
def test_one_layer_is_a_sum_of_polynomials_of_each_coordinate(degree: int) -> None:
    net = ChebyshevKAN(inputs=2, hidden=(), degree=degree)
    (layer,) = p = net.initialise(0)
    X = np.random.default_rng(0).normal(size=(9, 2))
    C = layer["W"].reshape(degree, 2)
    expected = sum(
        np.polynomial.chebyshev.chebval(np.tanh(X[:, i]), [0.0, *C[:, i]]) for i in range(2)
    )
    np.testing.assert_allclose(net(p, X)[:, 0], expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("change", [{"degree": 0}, {"hidden": (0,)}, {"weights": "none"}])
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="ChebyshevKAN"):
        ChebyshevKAN(**change)  # type: ignore[arg-type]
