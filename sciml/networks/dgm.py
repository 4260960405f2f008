"""The network of the deep Galerkin method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw

from .activations import ACTIVATIONS, ActivationName
from .base import BoxNetwork, Parameters
from .layers import WeightName, affine, check_weights, layer_source

GATES = ("Z", "G", "R", "H")


@dataclass(frozen=True)
class DGM(BoxNetwork):
    """Layers like those of a long short-term memory, each of which sees the point again.

    With z = (X - centre) / half width and S_1 = act(z W + b), every layer computes

    Z = act([z, S] W_Z + b_Z), G = act([z, S_1] W_G + b_G), R = act([z, S] W_R + b_R),
    H = act([z, S R] W_H + b_H), S <- (1 - G) H + Z S,

    and y = S W + b.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    width : int
        Width of every layer, >= 1.
    layers : int
        Number of layers, >= 1.
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
    Sirignano, Spiliopoulos: DGM: a deep learning algorithm for solving partial differential
    equations (2018), equation 4.2, where G sees S_1 in every layer.

    Examples
    --------
    >>> net = DGM(inputs=2, width=8, layers=2)
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    width: int = 50
    layers: int = 3
    outputs: int = 1
    activation: ActivationName = "tanh"
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None
    weights: WeightName = "plain"

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        self.check_sizes(self.width, self.layers)
        self.check_activation(self.activation)
        check_weights(self.name, self.weights)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return the layers ``first``, ``layers`` (a list of ``Z``, ``G``, ``R``, ``H``), ``last``.

        Notes
        -----
        Weights and biases are those of `MLP`.
        """
        new, w, d = layer_source(seed, dtype, self.weights), self.width, self.input_count
        first = new(d, w)
        layers = [{name: new(d + w, w) for name in GATES} for _ in range(self.layers)]
        return {"first": first, "layers": layers, "last": new(w, self.outputs)}

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        z, activation = self.scaled(X), ACTIVATIONS[self.activation]

        def gate(layer: Any, state: Any) -> Any:
            return activation(affine(layer, fw.concatenate([z, state], axis=1)))

        start = S = activation(affine(parameters["first"], z))
        for layer in parameters["layers"]:
            Z, G, R = gate(layer["Z"], S), gate(layer["G"], start), gate(layer["R"], S)
            S = (1.0 - G) * gate(layer["H"], S * R) + Z * S
        return affine(parameters["last"], S)
