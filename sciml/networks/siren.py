"""The network of sines, SIREN."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.errors import ConfigError

from .base import BoxNetwork, Parameters, generator
from .layers import affine


@dataclass(frozen=True)
class Siren(BoxNetwork):
    """Affine maps and sines of a high frequency, on coordinates scaled to [-1, 1].

    h_0 = (X - centre) / half width, h_k = sin(omega_0 (h_{k-1} W_k + b_k)), y = h_m W + b.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    hidden : tuple of int
        Widths of the hidden layers, each >= 1.
    outputs : int
        Number of fields, >= 1.
    omega_0 : float
        Frequency factor, > 0: 30 in the paper, for images; about the largest number of radians
        per half width of the solution. A k-th derivative grows as omega_0^k.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.

    References
    ----------
    Sitzmann, Martel, Bergman, Lindell, Wetzstein: Implicit neural representations with periodic
    activation functions (2020).

    Examples
    --------
    >>> net = Siren(inputs=2, hidden=(8, 8), omega_0=5.0)
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    hidden: tuple[int, ...] = (64, 64, 64)
    outputs: int = 1
    omega_0: float = 30.0
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse sizes that mean nothing."""
        self.check_sizes(*self.check_hidden(self.hidden))
        if not self.omega_0 > 0.0:
            raise ConfigError(f"{self.name}: omega_0 must be positive, got {self.omega_0}")
        if not self.hidden:
            raise ConfigError(f"{self.name}: at least one hidden layer is needed")

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return weights ``W`` and biases ``b`` per layer.

        Notes
        -----
        Of n inputs, weights are uniform in (-1/n, 1/n) in the first layer and in
        (-r, r), r = sqrt(6/n) / omega_0, in the others, so that the pre-activations of every layer
        but the first are about standard normal (section 3.2 and supplement 1 of the paper); biases
        are uniform in (-1/sqrt(n), 1/sqrt(n)), as in the code of its authors.
        """
        rng = generator(seed)
        layers = []
        for k, (m, n) in enumerate(pairwise((self.input_count, *self.hidden, self.outputs))):
            bound = 1.0 / m if k == 0 else np.sqrt(6.0 / m) / self.omega_0
            weights = rng.uniform(-bound, bound, (m, n))
            biases = rng.uniform(-1.0, 1.0, n) / np.sqrt(m)
            layers.append({"W": weights.astype(dtype), "b": biases.astype(dtype)})
        return layers

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        h = self.scaled(X)
        for layer in parameters[:-1]:
            h = fw.sin(self.omega_0 * affine(layer, h))
        return affine(parameters[-1], h)
