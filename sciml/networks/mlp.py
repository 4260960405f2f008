"""The fully connected network."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from .activations import ACTIVATIONS, ActivationName
from .base import BoxNetwork, Parameters
from .layers import WeightName, affine, check_weights, layer_source


@dataclass(frozen=True)
class MLP(BoxNetwork):
    """Alternating affine maps and activations, on coordinates scaled to [-1, 1].

    h_0 = (X - centre) / half width, h_k = act(h_{k-1} W_k + b_k), y = h_m W + b.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    hidden : tuple of int
        Widths of the hidden layers, each >= 1.
    outputs : int
        Number of fields, >= 1.
    activation : str
        One of tanh, sin, sigmoid, swish, gelu, softplus.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.
    weights : str
        ``plain``, ``factorised`` or ``normalised``; see `layers.glorot`.

    Examples
    --------
    >>> net = MLP(inputs=2, hidden=(8, 8))
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    hidden: tuple[int, ...] = (64, 64, 64, 64)
    outputs: int = 1
    activation: ActivationName = "tanh"
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None
    weights: WeightName = "plain"

    def __post_init__(self) -> None:
        """Refuse widths and names that mean nothing."""
        self.check_sizes(*self.check_hidden(self.hidden))
        self.check_activation(self.activation)
        check_weights(self.name, self.weights)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return weights ``W`` of shape (in, out) and biases ``b`` of shape (out,) per layer.

        Notes
        -----
        Weights are normal with variance 2 / (in + out) (Glorot and Bengio 2010, equation 12),
        biases zero. The generator is Philox, drawn in float64 and rounded.
        """
        new = layer_source(seed, dtype, self.weights)
        widths = (self.input_count, *self.hidden, self.outputs)
        return [new(m, n) for m, n in pairwise(widths)]

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        activation, h = ACTIVATIONS[self.activation], self.scaled(X)
        for layer in parameters[:-1]:
            h = activation(affine(layer, h))
        return affine(parameters[-1], h)
