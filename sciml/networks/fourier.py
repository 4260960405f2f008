"""The fully connected network on random Fourier features."""

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
from .layers import WeightName, affine, check_weights, layer_source


def check_frequencies(owner: str, scale: float, seed: int) -> None:
    """Refuse a standard deviation or a seed of frequencies that means nothing."""
    if not scale > 0.0 or seed < 0:
        raise ConfigError(
            f"{owner}: scale must be positive and frequency_seed 0 or more, got {scale} and {seed}"
        )


def draw_frequencies(seed: int, coordinates: int, features: int) -> npt.NDArray[np.float64]:
    """Return standard normal frequencies, shape (coordinates, features), fixed by a seed."""
    # a stream apart from that of the weights, whose seed is often the same number
    rng = np.random.Generator(np.random.Philox(np.random.SeedSequence((seed, 1))))
    return rng.standard_normal((coordinates, features))


def waves(z: Any, B: Any) -> Any:
    """Return [cos(2 pi z B), sin(2 pi z B)], joined along the last axis."""
    phase = z @ B * (2.0 * np.pi)
    return fw.concatenate([fw.cos(phase), fw.sin(phase)], axis=1)


@dataclass(frozen=True)
class FourierFeatures(BoxNetwork):
    """Sines and cosines of random linear combinations of the coordinates, then affine layers.

    With z = (X - centre) / half width and B of shape (coordinates, features), normal with standard
    deviation `scale`,

    h_0 = [cos(2 pi z B), sin(2 pi z B)], h_k = act(h_{k-1} W_k + b_k), y = h_m W + b.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    features : int
        Number of frequencies, >= 1; h_0 has twice as many entries.
    scale : float
        Standard deviation of the frequencies [periods per half width], > 0: about the highest
        frequency that is learned easily. A k-th derivative grows as (2 pi scale)^k.
    trainable : bool
        Whether B is a parameter; else it is fixed by `frequency_seed`.
    frequency_seed : int
        Seed of B, >= 0.
    hidden : tuple of int
        Widths of the hidden layers, each >= 1; none makes the network linear in its parameters.
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
    Tancik et al.: Fourier features let networks learn high frequency functions in low dimensional
    domains (2020).

    Examples
    --------
    >>> net = FourierFeatures(inputs=2, features=16, hidden=(8,))
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    features: int = 64
    scale: float = 1.0
    trainable: bool = False
    frequency_seed: int = 0
    hidden: tuple[int, ...] = (64, 64, 64)
    outputs: int = 1
    activation: ActivationName = "tanh"
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None
    weights: WeightName = "plain"

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        self.check_sizes(self.features, *self.check_hidden(self.hidden))
        self.check_activation(self.activation)
        check_weights(self.name, self.weights)
        check_frequencies(self.name, self.scale, self.frequency_seed)

    def frequencies(self) -> npt.NDArray[np.float64]:
        """Return B as drawn, of shape (coordinates, features)."""
        return self.scale * draw_frequencies(self.frequency_seed, self.input_count, self.features)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return ``layers`` as in `MLP`, and ``B`` if the frequencies are trained."""
        new, B = layer_source(seed, dtype, self.weights), self.frequencies().astype(dtype)
        widths = (2 * self.features, *self.hidden, self.outputs)
        layers = {"layers": [new(m, n) for m, n in pairwise(widths)]}
        return {"B": B, **layers} if self.trainable else layers

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        z, activation = self.scaled(X), ACTIVATIONS[self.activation]
        h = waves(z, parameters["B"] if self.trainable else self.frequencies().astype(X.dtype))
        for layer in parameters["layers"][:-1]:
            h = activation(affine(layer, h))
        return affine(parameters["layers"][-1], h)
