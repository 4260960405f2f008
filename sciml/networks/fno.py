"""The Fourier neural operator: functions on equal grids to functions on the same grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.errors import ConfigError, ShapeError

from .activations import ACTIVATIONS, ActivationName
from .base import Parameters, check_choice, generator
from .layers import affine, glorot
from .spectral import MODES, from_modes, mode_counts, to_modes


@dataclass(frozen=True)
class FNO:
    """An operator on functions that are given on an equal grid of 1, 2 or 3 coordinates.

    With the channels v(x) and the coordinates x of the grid, h_0 = [v, x] W_0 + b_0,

    h_k = act(F^-1(R_k F(h_{k-1})) + h_{k-1} W_k + b_k), without act in the last layer,

    y = act(h_m V + c) W + b. F is the Fourier transform over the grid, of which the lowest modes
    are kept, and R_k a complex matrix for each of them.

    Parameters
    ----------
    dimension : int
        Number of coordinates, 1 to 3.
    channels : int
        Number of functions given, >= 1.
    modes : int
        Number of modes kept along an axis, 0 among them and negative ones besides, >= 1; grids
        need 2 modes - 1 points per axis.
    width : int
        Number of channels of a layer, >= 1.
    layers : int
        Number m of layers, >= 1.
    outputs : int
        Number of fields, >= 1.
    activation : str
        One of tanh, sin, sigmoid, swish, gelu, softplus.
    coordinates : bool
        Whether the layers see x; without, a shifted function gives a shifted result.

    Notes
    -----
    One set of parameters serves grids of any size. The transforms are products with matrices of
    cosines and sines, see `spectral`. The derivatives that a physics-informed loss needs (PINO)
    are those of values on a grid, such as `spectral.spectral_derivative`.

    References
    ----------
    Li, Kovachki, Azizzadenesheli, Liu, Bhattacharya, Stuart, Anandkumar: Fourier neural operator
    for parametric partial differential equations (2021), section 4; Li, Zheng, Kovachki, Jin,
    Chen, Liu, Azizzadenesheli, Anandkumar: Physics-informed neural operator for learning partial
    differential equations (2021), for the loss.

    Examples
    --------
    >>> net = FNO(dimension=2, modes=3, width=8, layers=2)
    >>> parameters = net.initialise(seed=0)
    >>> net(parameters, np.ones((5, 16, 12, 1))).shape
    (5, 16, 12, 1)
    """

    dimension: int = 1
    channels: int = 1
    modes: int = 12
    width: int = 32
    layers: int = 4
    outputs: int = 1
    activation: ActivationName = "gelu"
    coordinates: bool = True

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        sizes = (self.channels, self.modes, self.width, self.layers, self.outputs)
        if min(sizes) < 1:
            raise ConfigError(
                f"FNO: channels, modes, width, layers and outputs must be 1 or more, got {sizes}"
            )
        if self.dimension not in (1, 2, 3):
            raise ConfigError(f"FNO: dimension must be 1, 2 or 3, got {self.dimension}")
        check_choice("FNO", "activation", self.activation, ACTIVATIONS)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return ``lift``, ``layers`` (``real``, ``imaginary``, ``local``), ``inner``, ``last``.

        Notes
        -----
        Real layers are those of `MLP`; real and imaginary parts of R are normal with variance
        1 / (2 width), so that a kept mode has the same power before and after.
        """
        rng, w = generator(seed), self.width
        shape = (*mode_counts(self.dimension, self.modes), w, w)

        def part() -> Any:
            return (rng.standard_normal(shape) * np.sqrt(0.5 / w)).astype(dtype)

        given = self.channels + self.dimension * self.coordinates
        return {
            "lift": glorot(rng, given, w, dtype),
            "layers": [
                {"real": part(), "imaginary": part(), "local": glorot(rng, w, w, dtype)}
                for _ in range(self.layers)
            ],
            "inner": glorot(rng, w, w, dtype),
            "last": glorot(rng, w, self.outputs, dtype),
        }

    def __call__(self, parameters: Parameters, values: Any) -> Any:
        """Return the fields of every function.

        Parameters
        ----------
        parameters : dict
            As from `initialise`.
        values : array
            Functions on the grid, shape (functions, *grid, channels). Along each axis the points
            are 0, 1 / n, ..., (n - 1) / n of the period.

        Returns
        -------
        array
            Shape (functions, *grid, outputs).
        """
        shape = values.shape
        if len(shape) != self.dimension + 2 or shape[-1] != self.channels:
            axes = ", ".join(f"n{i + 1}" for i in range(self.dimension))
            raise ShapeError(
                f"FNO: expected values of shape (functions, {axes}, {self.channels}), got {shape}"
            )
        activation, h = ACTIVATIONS[self.activation], values
        if self.coordinates:
            grid = fw.broadcast_to(_grid(shape[1:-1], values.dtype), (*shape[:-1], self.dimension))
            h = fw.concatenate([values, grid], axis=len(shape) - 1)
        h = affine(parameters["lift"], h)
        for k, layer in enumerate(parameters["layers"]):
            h = self._convolved(layer, h) + affine(layer["local"], h)
            h = activation(h) if k < self.layers - 1 else h
        return affine(parameters["last"], activation(affine(parameters["inner"], h)))

    def _convolved(self, layer: Any, h: Any) -> Any:
        a, b = to_modes(h, self.modes)
        c, d = layer["real"], layer["imaginary"]
        k = MODES[: self.dimension]

        def mixed(x: Any, R: Any) -> Any:
            return fw.einsum(f"b{k}i,{k}io->b{k}o", x, R)

        real, imaginary = mixed(a, c) - mixed(b, d), mixed(a, d) + mixed(b, c)
        return from_modes(real, imaginary, tuple(h.shape[1:-1]))


def _grid(sizes: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return the coordinates of a grid from 0 to 1, shape (1, *sizes, coordinates)."""
    axes = np.meshgrid(*(np.arange(n) / n for n in sizes), indexing="ij")
    return np.stack(axes, axis=-1)[None].astype(dtype)
