"""The network on Fourier features of several scales, also in space and time apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.errors import ConfigError

from .activations import ACTIVATIONS, ActivationName
from .base import BoxNetwork, Parameters
from .fourier import draw_frequencies, waves
from .layers import WeightName, affine, check_weights, layer_source


@dataclass(frozen=True)
class MultiScaleFourier(BoxNetwork):
    """Fourier features of several scales that pass the same layers and meet in the last.

    With z = (X - centre) / half width and B_i of shape (coordinates, features), normal with
    standard deviation scale_i,

    h_i = layers([cos(2 pi z B_i), sin(2 pi z B_i)]), y = [h_1, ..., h_M] W + b,

    where layers(h) repeats act(h W_k + b_k). With `time_scales` the last coordinate has features
    of its own, h_i of the other coordinates and g_j of the last pass the same layers, and
    y = [h_1 g_1, h_1 g_2, ..., h_M g_N] W + b.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    features : int
        Number of frequencies of each scale, >= 1.
    scales : tuple of float
        Standard deviations of the frequencies [periods per half width], each > 0.
    time_scales : tuple of float
        The same for the last coordinate; none treats all coordinates alike.
    frequency_seed : int
        Seed of the frequencies, >= 0.
    hidden : tuple of int
        Widths of the hidden layers, at least one, each >= 1.
    outputs : int
        Number of fields, >= 1.
    activation : str
        One of tanh, sin, sigmoid, swish, gelu, softplus.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.
    weights : str
        ``plain``, ``factorised`` or ``normalised``; see `layers.glorot`.

    References
    ----------
    Wang, Wang, Perdikaris: On the eigenvector bias of Fourier feature networks: from regression
    to solving multi-scale PDEs with physics-informed neural networks (2021), the
    architectures called multi-scale and spatio-temporal.

    Examples
    --------
    >>> net = MultiScaleFourier(inputs=2, features=8, scales=(1.0, 5.0), hidden=(8,))
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    features: int = 32
    scales: tuple[float, ...] = (0.5, 2.0)
    time_scales: tuple[float, ...] = ()
    frequency_seed: int = 0
    hidden: tuple[int, ...] = (64, 64)
    outputs: int = 1
    activation: ActivationName = "tanh"
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None
    weights: WeightName = "plain"

    def __post_init__(self) -> None:
        """Refuse sizes, scales and names that mean nothing."""
        self.check_sizes(self.features, *self.check_hidden(self.hidden))
        self.check_activation(self.activation)
        check_weights(self.name, self.weights)
        if not self.hidden or not self.scales:
            raise ConfigError(f"{self.name}: at least one hidden layer and one scale are needed")
        if min(*self.scales, *self.time_scales, np.inf) <= 0.0 or self.frequency_seed < 0:
            raise ConfigError(
                f"{self.name}: scales must be positive and frequency_seed 0 or more, got "
                f"{self.scales}, {self.time_scales} and {self.frequency_seed}"
            )
        if self.time_scales and self.inputs == 1:
            raise ConfigError(f"{self.name}: time_scales need two coordinates or more, got one")

    def frequencies(self) -> list[npt.NDArray[np.float64]]:
        """Return B_1, ..., B_M, then those of the last coordinate."""
        d, scales = self.input_count, (*self.scales, *self.time_scales)
        drawn = draw_frequencies(self.frequency_seed, d, self.features * len(scales))
        space = slice(0, d - 1) if self.time_scales else slice(0, d)
        rows = [space] * len(self.scales) + [slice(d - 1, d)] * len(self.time_scales)
        blocks = np.split(drawn, len(scales), axis=1)
        return [s * B[r] for s, B, r in zip(scales, blocks, rows, strict=True)]

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return the shared ``layers`` and ``last``."""
        new = layer_source(seed, dtype, self.weights)
        joined = len(self.scales) * max(len(self.time_scales), 1) * self.hidden[-1]
        layers = [new(m, n) for m, n in pairwise((2 * self.features, *self.hidden))]
        return {"layers": layers, "last": new(joined, self.outputs)}

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        z, activation = self.scaled(X), ACTIVATIONS[self.activation]
        B = [b.astype(X.dtype) for b in self.frequencies()]
        space, time = B[: len(self.scales)], B[len(self.scales) :]
        x, t = (z[:, :-1], z[:, -1:]) if time else (z, z)
        h = fw.stack([*(waves(x, b) for b in space), *(waves(t, b) for b in time)], axis=1)
        for layer in parameters["layers"]:
            h = activation(affine(layer, h))
        heads = [h[:, i] for i in range(len(B))]
        if time:
            heads = [a * b for a in heads[: len(space)] for b in heads[len(space) :]]
        return affine(parameters["last"], fw.concatenate(heads, axis=1))
