"""The highway network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw

from .activations import ACTIVATIONS, ActivationName
from .base import BoxNetwork, Parameters
from .layers import WeightName, affine, check_weights, layer_source


@dataclass(frozen=True)
class HighwayNetwork(BoxNetwork):
    """Layers whose gates choose between the layer and a way past it.

    With z = (X - centre) / half width and h_0 = act(z W_0 + b_0),

    t_k = sigmoid(h_{k-1} V_k + c_k), h_k = t_k act(h_{k-1} W_k + b_k) + (1 - t_k) h_{k-1},

    y = h_m W + b.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    width : int
        Width of every layer, >= 1.
    layers : int
        Number m of gated layers, >= 1.
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
    Srivastava, Greff, Schmidhuber: Highway networks (2015), equation 3 and section 2.2.

    Examples
    --------
    >>> net = HighwayNetwork(inputs=2, width=8, layers=2)
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    width: int = 64
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
        """Return the layers ``first``, ``layers`` (a list of ``layer``, ``gate``) and ``last``.

        Notes
        -----
        Weights are those of `MLP`. Biases of the gates are -1, so that at first they let most of
        their input past.
        """
        new, w = layer_source(seed, dtype, self.weights), self.width
        first, layers = new(self.input_count, w), []
        for _ in range(self.layers):
            layer, gate = new(w, w), new(w, w)
            layers.append({"layer": layer, "gate": {**gate, "b": gate["b"] - 1}})
        return {"first": first, "layers": layers, "last": new(w, self.outputs)}

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        activation = ACTIVATIONS[self.activation]
        h = activation(affine(parameters["first"], self.scaled(X)))
        for layer in parameters["layers"]:
            gate = fw.logistic(affine(layer["gate"], h))
            h = h + gate * (activation(affine(layer["layer"], h)) - h)
        return affine(parameters["last"], h)
