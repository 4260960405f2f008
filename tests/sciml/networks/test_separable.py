"""The separable network."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml import LBFGS, Adam
from sciml.framework.errors import ConfigError, ShapeError
from sciml.networks import SeparableNetwork, parameter_count
from sciml.training.loop import Position, advance
from sciml.training.session import Packing


def test_parameter_count() -> None:
    net = SeparableNetwork(inputs=3, rank=5, hidden=(7, 6), outputs=2)
    assert parameter_count(net.initialise(0)) == 3 * (2 * 7 + 8 * 6 + 7 * 10)


def test_a_grid_of_values_has_the_rank_of_the_network() -> None:
    net = SeparableNetwork(inputs=2, rank=3, hidden=(8,))
    x = np.linspace(-1, 1, 12)
    grid = np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)
    sizes = np.linalg.svd(net(net.initialise(0), grid).reshape(12, 12), compute_uv=False)
    assert sizes[2] > 1e-6 * sizes[0]
    assert sizes[3] < 1e-14 * sizes[0]


@pytest.mark.parametrize("change", [{"rank": 0}, {"hidden": (0,)}, {"outputs": 0}])
def test_sizes_that_mean_nothing(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="SeparableNetwork: every width must be 1 or more"):
        SeparableNetwork(**change)  # type: ignore[arg-type]


@pytest.mark.parametrize("change", [{"activation": "relu"}, {"weights": "none"}])
def test_unknown_names(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="unknown"):
        SeparableNetwork(**change)  # type: ignore[arg-type]


# --- on grids -------------------------------------------------------------------------------

BOXED = SeparableNetwork(rank=3, hidden=(5,)).on_box((0.0, 0.0, -1.0), (1.0, 2.0, 3.0), 2)
AXES = [np.linspace(0, 1, 4), np.linspace(0, 2, 5), np.linspace(-1, 3, 6)]


@pytest.mark.parametrize("index", [(0, 0, 0), (2, 0, 1), (0, 4, 0), (1, 1, 1)])
def test_derivatives_on_a_grid_are_those_at_its_points(index: tuple[int, ...]) -> None:
    """Evaluated and compiled."""
    p = BOXED.initialise(0)
    points = np.stack(np.meshgrid(*AXES, indexing="ij"), axis=-1).reshape(-1, 3)
    expected = sf.derivative(lambda X: BOXED(p, X), index)(points).reshape(4, 5, 6, 2)
    compiled = sf.jit(lambda p, *axes: BOXED.on_axes(p, axes, index))(p, *AXES)
    for got in (BOXED.on_axes(p, AXES, index), compiled):
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-14 * abs(expected).max())
    if sum(index) == 0:
        np.testing.assert_array_equal(BOXED.on_axes(p, AXES), BOXED.on_axes(p, AXES, index))


def test_axes_and_orders_must_fit_the_coordinates() -> None:
    with pytest.raises(ShapeError, match=r"3 coordinates, got 2 axes and None"):
        BOXED.on_axes(BOXED.initialise(0), AXES[:2])
    with pytest.raises(ShapeError, match=r"3 coordinates, got 3 axes and \(2, 0\)"):
        BOXED.on_axes(BOXED.initialise(0), AXES, (2, 0))


def test_poisson_in_a_cube_is_solved_on_a_grid() -> None:
    """Laplace u = -3 pi^2 u at u = sin(pi x) sin(pi y) sin(pi z): 0.5 % in L2 on a finer grid."""
    net = SeparableNetwork(rank=4, hidden=(12,)).on_box((0.0,) * 3, (1.0,) * 3, 1)
    x, ends = np.linspace(0, 1, 10), np.array([0.0, 1.0])

    def sine(*axes: Any) -> Any:
        return np.einsum("a,b,c->abc", *(np.sin(np.pi * x) for x in axes))[..., None]

    f = 3 * np.pi**2 * sine(x, x, x)
    sides = [tuple(ends if i == j else x for j in range(3)) for i in range(3)]

    def loss(p: Any) -> Any:
        second = [tuple(2 * (i == j) for j in range(3)) for i in range(3)]
        parts = [net.on_axes(p, (x, x, x), index) for index in second]
        inside = (((parts[0] + parts[1] + parts[2] + f) / (3 * np.pi**2)) ** 2).mean()
        return inside + 10 * sum((net.on_axes(p, axes) ** 2).mean() for axes in sides)

    step, packing = sf.jit(sf.value_and_grad(loss)), Packing(net.initialise(0))

    def objective(z: Any) -> tuple[float, Any]:
        value, gradient = step(packing.unpack(z))
        return float(value), packing.pack(gradient)

    start = Position(packing.pack(packing.example))
    *_, end = advance([Adam(100), LBFGS(1000)], start, objective, None)
    fine = np.linspace(0, 1, 33)
    exact = sine(fine, fine, fine)
    error = net.on_axes(packing.unpack(end.x), (fine,) * 3) - exact
    assert np.linalg.norm(error) < 5e-3 * np.linalg.norm(exact)
