"""The gated network, also known as the modified MLP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .activations import ACTIVATIONS, ActivationName
from .base import BoxNetwork, Parameters
from .layers import WeightName, affine, check_weights, layer_source


@dataclass(frozen=True)
class GatedMLP(BoxNetwork):
    """A fully connected network whose layers choose between two embeddings of the point.

    With z = (X - centre) / half width, U = act(z W_U + b_U), V = act(z W_V + b_V) and
    h_1 = act(z W_0 + b_0),

    g_k = act(h_k W_k + b_k), h_{k+1} = (1 - g_k) U + g_k V, y = h_{m+1} W + b.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    width : int
        Width of the embeddings and of every layer, >= 1.
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
    Wang, Teng, Perdikaris: Understanding and mitigating gradient flow pathologies in
    physics-informed neural networks (2021), section 2.6.

    Examples
    --------
    >>> net = GatedMLP(inputs=2, width=8, layers=2)
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
        """Return the layers ``U``, ``V``, ``first``, ``gates`` (a list) and ``last``.

        Notes
        -----
        Weights and biases are those of `MLP`.
        """
        new, w = layer_source(seed, dtype, self.weights), self.width
        first = {name: new(self.input_count, w) for name in ("U", "V", "first")}
        gates = [new(w, w) for _ in range(self.layers)]
        return {**first, "gates": gates, "last": new(w, self.outputs)}

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        z, activation = self.scaled(X), ACTIVATIONS[self.activation]
        U, V, h = (activation(affine(parameters[name], z)) for name in ("U", "V", "first"))
        step = V - U
        for layer in parameters["gates"]:
            h = U + activation(affine(layer, h)) * step
        return affine(parameters["last"], h)
