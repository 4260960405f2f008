"""Fourier modes on grids, against NumPy's transforms, and derivatives in closed form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import ShapeError
from sciml.networks.spectral import from_modes, mode_counts, spectral_derivative, to_modes

RNG = np.random.default_rng(0)
GRIDS = [(9,), (8,), (8, 10), (6, 7, 8)]
M = 3


def kept(grid: tuple[int, ...]) -> Any:
    """Where the kept modes are in the result of numpy.fft.rfftn."""
    both = np.r_[0:M, 1 - M : 0]
    return np.ix_(range(2), *[both] * (len(grid) - 1), range(M), range(4))


@pytest.mark.parametrize("grid", GRIDS)
def test_modes_are_those_of_numpy(grid: tuple[int, ...]) -> None:
    h, axes = RNG.normal(size=(2, *grid, 4)), range(1, len(grid) + 1)
    expected = np.fft.rfftn(h, axes=axes)[kept(grid)]
    for function in (to_modes, sf.jit(lambda h, m: to_modes(h, M))):
        real, imaginary = function(h, M)
        assert real.shape == (2, *mode_counts(len(grid), M), 4)
        np.testing.assert_allclose(real + 1j * imaginary, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("grid", GRIDS)
def test_values_are_those_of_numpy(grid: tuple[int, ...]) -> None:
    shape = (2, *mode_counts(len(grid), M), 4)
    real, imaginary = RNG.normal(size=(2, *shape))
    every = np.zeros((2, *grid[:-1], grid[-1] // 2 + 1, 4), dtype=complex)
    every[kept(grid)] = real + 1j * imaginary
    expected = np.fft.irfftn(every, s=grid, axes=range(1, len(grid) + 1))
    got = from_modes(real, imaginary, grid)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-14)


def test_a_function_of_few_modes_is_moved_to_another_grid() -> None:
    def wave(n: int) -> Any:
        x = np.arange(n) / n
        return (1.0 + np.cos(4 * np.pi * x) - 3.0 * np.sin(2 * np.pi * x))[None, :, None]

    real, imaginary = (part * (40 / 12) for part in to_modes(wave(12), M))
    np.testing.assert_allclose(from_modes(real, imaginary, (40,)), wave(40), rtol=0, atol=1e-14)


@pytest.mark.parametrize("n", [11, 12])
@pytest.mark.parametrize("order", [0, 1, 2, 3, 4])
def test_derivatives_of_waves(n: int, order: int) -> None:
    """d^m/dx^m of exp(2 pi i k x / L) is (2 pi i k / L)^m times it, here k = 4, L = 3."""
    w = 2 * np.pi * 4 / 3
    phase = w * np.arange(n)[None, :, None] * (3 / n) + order * np.pi / 2
    u, expected = np.sin(phase - order * np.pi / 2), w**order * np.sin(phase)
    got = spectral_derivative(u, axis=1, order=order, period=3.0)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12 * w**order)


def test_the_highest_mode_of_an_even_grid_has_no_odd_derivative() -> None:
    u = (-1.0) ** np.arange(8)
    np.testing.assert_allclose(spectral_derivative(u, 0, 1), 0.0, atol=1e-12)
    np.testing.assert_allclose(spectral_derivative(u, 0, 2), -((8 * np.pi) ** 2) * u, rtol=1e-12)


def test_too_small_grids_are_refused() -> None:
    with pytest.raises(ShapeError, match="3 modes need a grid of at least 5 points per axis, got"):
        to_modes(np.zeros((1, 8, 4, 1)), 3)
