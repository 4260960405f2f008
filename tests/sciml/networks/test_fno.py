"""The Fourier neural operator: its formula, its symmetries, an operator learned from a residual."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import erf

import sciml.framework as sf
from sciml import FNO, LBFGS, Adam
from sciml.framework.core.tree import flatten
from sciml.framework.errors import ConfigError, ShapeError
from sciml.networks import parameter_count
from sciml.networks.spectral import mode_counts, spectral_derivative
from sciml.training.loop import Position, advance
from sciml.training.session import Packing

RNG = np.random.default_rng(0)
GRIDS = [(7,), (6, 5), (5, 6, 5)]


def moved(node: Any) -> Any:
    """Parameters off their zeros."""
    if isinstance(node, dict):
        return {k: moved(v) for k, v in node.items()}
    if isinstance(node, list):
        return [moved(v) for v in node]
    return node + 0.2 * RNG.normal(size=node.shape)


def by_numpy(net: FNO, p: Any, values: Any) -> Any:
    """The formula with numpy.fft."""
    grid, d, m = values.shape[1:-1], net.dimension, net.modes

    def affine(layer: Any, h: Any) -> Any:
        return h @ layer["W"] + layer["b"]

    def gelu(x: Any) -> Any:
        return x * (1 + erf(x / np.sqrt(2))) / 2

    axes = np.meshgrid(*(np.linspace(0, 1, n, endpoint=False) for n in grid), indexing="ij")
    x = np.broadcast_to(np.stack(axes, axis=-1), (*values.shape[:-1], d))
    h = affine(p["lift"], np.concatenate([values, x], axis=-1) if net.coordinates else values)
    both = np.r_[0:m, 1 - m : 0]
    kept = np.ix_(range(len(h)), *[both] * (d - 1), range(m), range(net.width))
    for k, layer in enumerate(p["layers"]):
        modes = np.fft.rfftn(h, axes=range(1, d + 1))
        R = (layer["real"] + 1j * layer["imaginary"])[None]
        new = np.zeros_like(modes)
        new[kept] = (modes[kept][..., None, :] @ R)[..., 0, :]
        h = np.fft.irfftn(new, s=grid, axes=range(1, d + 1)) + affine(layer["local"], h)
        h = h if k == net.layers - 1 else gelu(h)
    return affine(p["last"], gelu(affine(p["inner"], h)))


@pytest.mark.parametrize("coordinates", [True, False])
@pytest.mark.parametrize("grid", GRIDS)
def test_the_formula(grid: tuple[int, ...], coordinates: bool) -> None:
    """Evaluated and compiled."""
    net = FNO(len(grid), 2, 3, 4, 2, 3, coordinates=coordinates)
    p, values = moved(net.initialise(0)), RNG.normal(size=(2, *grid, 2))
    expected = by_numpy(net, p, values)
    for function in (net, sf.jit(net)):
        got = function(p, values)
        assert got.shape == (2, *grid, 3)
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12 * abs(expected).max())


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_parameters(dimension: int) -> None:
    net = FNO(dimension, 2, 3, width=5, layers=2, outputs=4)
    one, two = net.initialise(7), net.initialise(7, np.float32)
    spectral = 2 * 25 * int(np.prod(mode_counts(dimension, 3)))
    lift = (2 + dimension + 1) * 5
    assert parameter_count(one) == lift + 2 * (spectral + 30) + 30 + 6 * 4
    for a, b in zip(flatten(one)[0], flatten(two)[0], strict=True):
        np.testing.assert_array_equal(a.astype(np.float32), b)
    values = np.ones((1, *[6] * dimension, 2), dtype=np.float32)
    assert net(two, values).dtype == np.float32


def test_without_coordinates_a_shift_of_functions_shifts_the_result() -> None:
    net = FNO(2, modes=3, width=4, layers=2, coordinates=False)
    p, values = net.initialise(0), RNG.normal(size=(1, 8, 6, 1))
    shifted = net(p, np.roll(values, (3, 2), axis=(1, 2)))
    np.testing.assert_allclose(shifted, np.roll(net(p, values), (3, 2), (1, 2)), atol=1e-13)
    seeing = replace(net, coordinates=True)
    q = seeing.initialise(0)
    moved_result = seeing(q, np.roll(values, (3, 2), axis=(1, 2)))
    assert abs(moved_result - np.roll(seeing(q, values), (3, 2), (1, 2))).max() > 1e-3


def test_the_parameter_gradient() -> None:
    """Along a random direction, against central differences extrapolated to order h^4."""
    net = FNO(2, modes=2, width=3, layers=2)
    packing = Packing(moved(net.initialise(0)))
    values = RNG.normal(size=(2, 5, 4, 1))
    step = sf.jit(sf.value_and_grad(lambda p, v: (net(p, v) ** 2).mean()))
    z = packing.pack(packing.example)
    direction = RNG.normal(size=z.shape)

    def at(h: float) -> float:
        return float(step(packing.unpack(z + h * direction), values)[0])

    slopes = [(at(h) - at(-h)) / (2 * h) for h in (1e-4, 2e-4)]
    slope = packing.pack(step(packing.unpack(z), values)[1]) @ direction
    assert abs(slope - (4 * slopes[0] - slopes[1]) / 3) < 1e-8 * abs(slope)


@pytest.mark.parametrize("change", [{"dimension": 4}, {"modes": 0}, {"activation": "relu"}])
def test_configurations_that_mean_nothing_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="FNO"):
        FNO(**change)


def test_shapes_that_do_not_fit_are_refused() -> None:
    net = FNO(2, channels=3, modes=2, width=4)
    with pytest.raises(ShapeError, match=r"shape \(functions, n1, n2, 3\), got \(1, 8, 8, 1\)"):
        net(net.initialise(0), np.zeros((1, 8, 8, 1)))


# --- an operator learned from its residual -------------------------------------------------


def forces(count: int, n: int, seed: int) -> Any:
    """Random functions of the modes 0, 1, 2 on a grid of n points."""
    x = 2 * np.pi * np.arange(n) / n
    waves = [np.ones(n), np.cos(x), np.sin(x), np.cos(2 * x), np.sin(2 * x)]
    return np.random.default_rng(seed).normal(size=(count, 5)) @ np.stack(waves)


def solved_by_newton(f: Any) -> Any:
    """u - u'' / (2 pi)^2 + u^3 = f with period 1, by NumPy's transform."""
    n = f.shape[1]
    squares = np.fft.fftfreq(n, 1 / n) ** 2
    linear = np.real(np.fft.ifft((1 + squares)[:, None] * np.fft.fft(np.eye(n), axis=0), axis=0))
    u = np.zeros_like(f)
    for _ in range(50):
        rest = u @ linear.T + u**3 - f
        u = u - np.stack(
            [np.linalg.solve(linear + np.diag(3 * a**2), r) for a, r in zip(u, rest, strict=True)]
        )
    assert abs(u @ linear.T + u**3 - f).max() < 1e-11
    return u


def test_a_nonlinear_solution_operator_is_learned_from_the_residual() -> None:
    """Without solutions as data; new functions, on the grid of training and on a finer one."""
    net = FNO(1, modes=6, width=10, layers=2, activation="gelu", coordinates=False)
    f = forces(60, 16, seed=0)[..., None]

    def residual(p: Any, f: Any) -> Any:
        u = net(p, f)
        return u - spectral_derivative(u, axis=1, order=2) * (0.5 / np.pi) ** 2 + u**3 - f

    step = sf.jit(sf.value_and_grad(lambda p, f: (residual(p, f) ** 2).mean()))
    packing = Packing(net.initialise(0))

    def objective(z: Any) -> tuple[float, Any]:
        value, gradient = step(packing.unpack(z), f)
        return float(value), packing.pack(gradient)

    start = Position(packing.pack(packing.example))
    *_, end = advance([Adam(200), LBFGS(400)], start, objective, None)
    for n in (16, 48):
        new = forces(40, n, seed=9)
        exact = solved_by_newton(new)
        error = net(packing.unpack(end.x), new[..., None])[..., 0] - exact
        assert np.linalg.norm(error) < 5e-2 * np.linalg.norm(exact)
