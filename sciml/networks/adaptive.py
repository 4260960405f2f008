"""The fully connected network with trained slopes of its activations."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from sciml.framework.errors import ConfigError

from .activations import ACTIVATIONS, ActivationName
from .base import BoxNetwork, Parameters, check_choice
from .layers import WeightName, affine, check_weights, layer_source

Slopes = Literal["global", "layer", "neuron"]


@dataclass(frozen=True)
class AdaptiveMLP(BoxNetwork):
    """An `MLP` whose activations are stretched by trained slopes.

    h_0 = (X - centre) / half width, h_k = act(n a_k (h_{k-1} W_k + b_k)), y = h_m W + b, where the
    slope a_k is one number for all layers (GAAF), one per layer (L-LAAF) or one per neuron
    (N-LAAF). Slopes start at 1 / n, so that the network starts as an `MLP`; the factor n makes
    them learn n times as fast.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    hidden : tuple of int
        Widths of the hidden layers, at least one, each >= 1.
    outputs : int
        Number of fields, >= 1.
    activation : str
        One of tanh, sin, sigmoid, swish, gelu, softplus.
    slopes : str
        ``global``, ``layer`` or ``neuron``: what has a slope of its own.
    factor : float
        The number n, >= 1. The authors use 1 to 20.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.
    weights : str
        ``plain``, ``factorised`` or ``normalised``; see `layers.glorot`.

    Notes
    -----
    The slope recovery term that the authors add to the loss is left out: a network is a function
    and has no part in the loss.

    References
    ----------
    Jagtap, Kawaguchi, Karniadakis: Adaptive activation functions accelerate convergence in deep
    and physics-informed neural networks (2020), section 2; the same: Locally adaptive activation
    functions with slope recovery for deep and physics-informed neural networks (2020), section 2.

    Examples
    --------
    >>> net = AdaptiveMLP(inputs=2, hidden=(8, 8), slopes="neuron")
    >>> parameters = net.initialise(seed=0)
    >>> [a.shape for a in parameters["slopes"]]
    [(8,), (8,)]
    >>> net(parameters, np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    hidden: tuple[int, ...] = (64, 64, 64, 64)
    outputs: int = 1
    activation: ActivationName = "tanh"
    slopes: Slopes = "layer"
    factor: float = 5.0
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None
    weights: WeightName = "plain"

    def __post_init__(self) -> None:
        """Refuse widths, names and factors that mean nothing."""
        self.check_sizes(*self.check_hidden(self.hidden))
        self.check_activation(self.activation)
        check_weights(self.name, self.weights)
        if not self.hidden:
            raise ConfigError(f"{self.name}: at least one hidden layer is needed")
        check_choice(self.name, "slopes", self.slopes, get_args(Slopes))
        if not 1.0 <= self.factor < float("inf"):
            raise ConfigError(f"{self.name}: factor must be 1 or more, got {self.factor}")

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return ``layers`` as in `MLP` and ``slopes``, a list of one entry or one per layer."""
        new = layer_source(seed, dtype, self.weights)
        widths = (self.input_count, *self.hidden, self.outputs)
        shapes: dict[str, list[tuple[int, ...]]] = {
            "global": [()],
            "layer": [() for _ in self.hidden],
            "neuron": [(n,) for n in self.hidden],
        }
        slopes = [np.full(shape, 1.0 / self.factor).astype(dtype) for shape in shapes[self.slopes]]
        return {"layers": [new(m, n) for m, n in pairwise(widths)], "slopes": slopes}

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        activation, h = ACTIVATIONS[self.activation], self.scaled(X)
        *hidden, last = parameters["layers"]
        slopes = parameters["slopes"]
        if self.slopes == "global":
            slopes = list(slopes) * len(hidden)
        for layer, slope in zip(hidden, slopes, strict=True):
            h = activation((self.factor * slope) * affine(layer, h))
        return affine(last, h)
