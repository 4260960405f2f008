"""The fully connected network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from sciml.framework.errors import ConfigError, ShapeError

from .activations import ACTIVATIONS, ActivationName
from .base import Network, Parameters


@dataclass(frozen=True)
class MLP(Network):
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

    def __post_init__(self) -> None:
        """Refuse widths and names that mean nothing."""
        widths = (*self.hidden, self.outputs, 1 if self.inputs is None else self.inputs)
        if min(widths) < 1:
            raise ConfigError(f"MLP: every width must be 1 or more, got {widths}")
        if self.activation not in ACTIVATIONS:
            known = ", ".join(get_args(ActivationName))
            raise ConfigError(f"MLP: unknown activation {self.activation!r}; valid are {known}")

    def on_box(self, lower: Sequence[float], upper: Sequence[float], outputs: int) -> MLP:
        """Return the network for a box, keeping what was set by hand."""
        if self.inputs is not None and self.inputs != len(lower):
            raise ConfigError(
                f"MLP: inputs={self.inputs}, the problem has {len(lower)} coordinates"
            )
        return replace(
            self,
            inputs=len(lower),
            outputs=outputs,
            lower=tuple(map(float, lower)) if self.lower is None else self.lower,
            upper=tuple(map(float, upper)) if self.upper is None else self.upper,
        )

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return weights ``W`` of shape (in, out) and biases ``b`` of shape (out,) per layer.

        Notes
        -----
        Weights are normal with variance 2 / (in + out) (Glorot and Bengio 2010, equation 12),
        biases zero. The generator is Philox, drawn in float64 and rounded.
        """
        rng = np.random.Generator(np.random.Philox(seed))
        return [
            {
                "W": (rng.standard_normal((m, n)) * np.sqrt(2.0 / (m + n))).astype(dtype),
                "b": np.zeros(n, dtype=dtype),
            }
            for m, n in pairwise(self._widths())
        ]

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        if len(X.shape) != 2 or X.shape[1] != self._widths()[0]:
            raise ShapeError(
                f"MLP: expected points of shape (points, {self.inputs}), got {X.shape}"
            )
        activation, h = ACTIVATIONS[self.activation], self._scaled(X)
        for layer in parameters[:-1]:
            h = activation(h @ layer["W"] + layer["b"])
        return h @ parameters[-1]["W"] + parameters[-1]["b"]

    def _scaled(self, X: Any) -> Any:
        if self.lower is None or self.upper is None:
            return X
        lower, upper = np.asarray(self.lower), np.asarray(self.upper)
        centre, factor = 0.5 * (lower + upper), 2.0 / (upper - lower)
        return (X - centre.astype(X.dtype)) * factor.astype(X.dtype)

    def _widths(self) -> tuple[int, ...]:
        if self.inputs is None:
            raise ConfigError("MLP: the number of inputs is not known; give inputs=...")
        return (self.inputs, *self.hidden, self.outputs)
