"""Local networks under windows."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks import MLP, Windows, parameter_count

NET = Windows(inputs=2, network=MLP(hidden=(3,)), divisions=(4, 2), overlap=0.4)


def test_parameter_count() -> None:
    assert parameter_count(NET.initialise(0)) == 8 * (3 * 3 + 4)
    square = Windows(inputs=3, network=MLP(hidden=(3,)), divisions=2)
    assert parameter_count(square.initialise(0)) == 8 * (4 * 3 + 4)


def test_windows_are_positive_and_add_up_to_one() -> None:
    windows = NET.windows(np.random.default_rng(0).uniform(-1, 1, size=(200, 2)))
    assert windows.shape == (200, 8)
    assert windows.min() >= 0
    np.testing.assert_allclose(windows.sum(axis=1), 1.0, rtol=0, atol=4e-16)


def test_a_window_goes_from_one_to_99_percent_within_the_overlap() -> None:
    net = Windows(inputs=1, divisions=2, overlap=0.4)
    # cells of width 1 meet at 0, the overlap is from -0.2 to 0.2
    right = net.windows(np.array([[-0.2], [0.0], [0.2]]))[:, 1]
    np.testing.assert_allclose(right, [0.01, 0.5, 0.99], rtol=1e-13)


def test_a_cell_sees_its_own_network() -> None:
    """In the middle of cell (3, 0), whose number is 6 with the last direction fastest."""
    p = NET.initialise(2)
    got = NET(p, np.array([[0.75, -0.5]]))
    alone = MLP(inputs=2, hidden=(3,))([{k: v[6] for k, v in layer.items()} for layer in p],
                                       np.zeros((1, 2)))  # fmt: skip
    # the middle is one half of a cell from its ends, where other windows are exp(-ln(99) / 0.4)
    assert abs(got - alone).max() < 10 * 99 ** (-1 / 0.4)


def test_equal_linear_networks_make_a_linear_function() -> None:
    """Windows add up to one, so that constants are exact wherever cells meet."""
    net = Windows(inputs=1, network=MLP(hidden=()), divisions=5)
    p = net.initialise(0)
    p[0]["W"][:], p[0]["b"][:] = 0.0, 7.0
    X = np.linspace(-1, 1, 41)[:, None]
    np.testing.assert_allclose(net(p, X), 7.0, rtol=1e-15)


@pytest.mark.parametrize(
    "change", [{"overlap": 0.0}, {"overlap": 1.5}, {"divisions": 0}, {"divisions": (2, 0)},
               {"inputs": 3, "divisions": (2, 2)}],
)  # fmt: skip
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="Windows"):
        Windows(**change)  # type: ignore[arg-type]


def test_divisions_must_fit_the_problem() -> None:
    with pytest.raises(ConfigError, match=r"divisions=\(4, 2\), but there are 3 coordinates"):
        Windows(divisions=(4, 2)).on_box((0, 0, 0), (1, 1, 1), 1)
