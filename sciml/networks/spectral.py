"""Fourier modes of values on equal grids, as products with matrices of cosines and sines.

A layer of a Fourier neural operator keeps few of the modes. For m of n modes the product costs
m n per row, against n log n of a fast transform, runs as a matrix product, and is exact in the
same sense: the truncated transform itself, to rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.errors import ShapeError

GRID, MODES = "xyz", "klm"


def mode_counts(dimension: int, modes: int) -> tuple[int, ...]:
    """Return the number of modes kept along each axis: 2 modes - 1, along the last `modes`.

    Values are real, so that modes k and -k of the last axis are conjugate, and one is enough.
    """
    return (2 * modes - 1,) * (dimension - 1) + (modes,)


def to_modes(h: Any, modes: int) -> tuple[Any, Any]:
    """Return real and imaginary parts of sum_x h(x) exp(-2 pi i k x / n) over all axes of a grid.

    Parameters
    ----------
    h : array
        Real values, shape (batch, *grid, channels), with at least 2 modes - 1 points per axis.
    modes : int
        Modes 0, 1, ..., modes - 1 of the last axis and those and their negatives of the others,
        in the order of `numpy.fft.fftfreq`.

    Returns
    -------
    pair of arrays
        Shape (batch, *mode_counts, channels).

    Examples
    --------
    >>> real, imaginary = to_modes(np.ones((1, 8, 1)), 2)
    >>> real.ravel().round(12) + 0.0
    array([8., 0.])
    """
    dimension = len(h.shape) - 2
    for n in h.shape[1:-1]:
        if n < 2 * modes - 1:
            raise ShapeError(
                f"{modes} modes need a grid of at least {2 * modes - 1} points per axis, got {n}"
            )
    last = dimension - 1
    C, S = _waves(h.shape[-2], np.arange(modes), h.dtype)
    real, imaginary = _along(last, h, C), -_along(last, h, S)
    for axis in range(last):
        C, S = _waves(h.shape[1 + axis], _both(modes), h.dtype)
        real, imaginary = (
            _along(axis, real, C) + _along(axis, imaginary, S),
            _along(axis, imaginary, C) - _along(axis, real, S),
        )
    return real, imaginary


def from_modes(real: Any, imaginary: Any, grid: tuple[int, ...]) -> Any:
    """Return the real values on a grid whose kept modes these are, all others zero.

    Parameters
    ----------
    real, imaginary : array
        Shape (batch, *mode_counts, channels).
    grid : tuple of int
        Points per axis.

    Returns
    -------
    array
        Shape (batch, *grid, channels).

    Examples
    --------
    >>> from_modes(np.array([[[8.0], [0.0]]]), np.zeros((1, 2, 1)), (8,)).ravel()
    array([1., 1., 1., 1., 1., 1., 1., 1.])
    """
    modes, last = real.shape[-2], len(grid) - 1
    for axis in range(last):
        C, S = _waves(grid[axis], _both(modes), real.dtype)
        C, S = C.T / grid[axis], S.T / grid[axis]
        real, imaginary = (
            _along(axis, real, C) - _along(axis, imaginary, S),
            _along(axis, imaginary, C) + _along(axis, real, S),
        )
    C, S = _waves(grid[-1], np.arange(modes), real.dtype)
    # every mode but 0 stands for its conjugate too
    twice = np.where(np.arange(modes) == 0, 1.0, 2.0).astype(real.dtype)[:, None] / grid[-1]
    return _along(last, real, C.T * twice) - _along(last, imaginary, S.T * twice)


def spectral_derivative(u: Any, axis: int, order: int = 1, period: float = 1.0) -> Any:
    """Return a derivative of periodic values on an equal grid, exact for the modes it carries.

    Parameters
    ----------
    u : array
        Values of at least one dimension.
    axis : int
        The axis to differentiate along, with n points at 0, period / n, ..., without the last.
    order : int
        Order of the derivative, >= 0.
    period : float
        Length of the axis [coordinate units], > 0.

    Notes
    -----
    A product with a matrix of n x n numbers. For even n, the mode n / 2 has odd derivatives that
    are not known from the grid; they are taken to be zero (Trefethen: Spectral methods in MATLAB,
    2000, chapter 3).

    Examples
    --------
    >>> x = np.arange(8) / 8
    >>> u = np.sin(2 * np.pi * x)
    >>> np.allclose(spectral_derivative(u, axis=0), 2 * np.pi * np.cos(2 * np.pi * x))
    True
    """
    rank = len(u.shape)
    axis = axis % rank
    n = u.shape[axis]
    k = np.fft.fftfreq(n, 1.0 / n)
    if n % 2 == 0 and order % 2 == 1:
        k = np.where(np.abs(k) == n // 2, 0.0, k)
    columns = np.fft.ifft(
        (2j * np.pi * k / period)[:, None] ** order * np.fft.fft(np.eye(n), axis=0), axis=0
    )
    letters = "abcdefgh"[:rank]
    result = letters.replace(letters[axis], "z")
    matrix = np.real(columns).T.astype(u.dtype)
    return fw.einsum(f"{letters},{letters[axis]}z->{result}", u, matrix)


def _both(modes: int) -> npt.NDArray[np.int64]:
    return np.concatenate([np.arange(modes), np.arange(1 - modes, 0)])


def _waves(n: int, k: npt.NDArray[np.int64], dtype: npt.DTypeLike) -> tuple[Any, Any]:
    """Return cos and sin of 2 pi k x / n, shape (n, modes); angles are reduced before rounding."""
    angle = (2.0 * np.pi / n) * (np.arange(n)[:, None] * k[None] % n)
    return np.cos(angle).astype(dtype), np.sin(angle).astype(dtype)


def _along(axis: int, h: Any, matrix: Any) -> Any:
    """Return the product of a matrix with one axis of a grid, in its place."""
    letters = GRID[: len(h.shape) - 2]
    result = letters.replace(letters[axis], "k")
    return fw.einsum(f"b{letters}c,{letters[axis]}k->b{result}c", h, matrix)
