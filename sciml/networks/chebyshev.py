"""The Kolmogorov-Arnold network of Chebyshev polynomials."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw

from .base import BoxNetwork, Parameters
from .layers import WeightName, affine, check_weights, layer_source


@dataclass(frozen=True)
class ChebyshevKAN(BoxNetwork):
    """Layers whose weights are polynomials, one for each pair of an input and an output.

    With h_0 = (X - centre) / half width and the Chebyshev polynomials T_p of degree p,

    h_{k+1, j} = b_j + sum_i sum_{p = 1}^degree C_{ipj} T_p(tanh(h_{k, i})), y = h_{m+1},

    where tanh keeps the arguments in (-1, 1). The polynomials of degree 0 are one bias b.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    hidden : tuple of int
        Widths between the layers, each >= 1.
    degree : int
        Highest degree of the polynomials, >= 1. Layers after each other multiply their degrees, so
        that a low one is enough; high derivatives suffer from a high one.
    outputs : int
        Number of fields, >= 1.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.
    weights : str
        ``plain``, ``factorised`` or ``normalised``; see `layers.glorot`.

    References
    ----------
    Sidharth, Keerthana, Gokul, Anas: Chebyshev polynomial-based Kolmogorov-Arnold networks (2024),
    section 3; Liu et al.: KAN: Kolmogorov-Arnold networks (2024).

    Examples
    --------
    >>> net = ChebyshevKAN(inputs=2, hidden=(4,), degree=3)
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    hidden: tuple[int, ...] = (8, 8)
    degree: int = 3
    outputs: int = 1
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None
    weights: WeightName = "plain"

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        self.check_sizes(self.degree, *self.check_hidden(self.hidden))
        check_weights(self.name, self.weights)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return affine layers of the polynomials, T_1 of all inputs first.

        Notes
        -----
        Coefficients and biases are those of an `MLP` with `degree` inputs in place of each.
        """
        new = layer_source(seed, dtype, self.weights)
        widths = (self.input_count, *self.hidden, self.outputs)
        return [new(self.degree * m, n) for m, n in pairwise(widths)]

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        h = self.scaled(X)
        for layer in parameters:
            h = affine(layer, fw.concatenate(self._polynomials(fw.tanh(h)), axis=1))
        return h

    def _polynomials(self, t: Any) -> list[Any]:
        """Return T_1, ..., T_degree by T_{p+1} = 2 t T_p - T_{p-1}."""
        found = [t, 2.0 * t * t - 1.0]
        while len(found) < self.degree:
            found.append(2.0 * t * found[-1] - found[-2])
        return found[: self.degree]
