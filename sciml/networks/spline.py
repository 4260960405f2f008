"""The Kolmogorov-Arnold network of B-splines."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw

from .activations import ACTIVATIONS, ActivationName
from .base import BoxNetwork, Parameters
from .layers import WeightName, affine, check_weights, layer_source


@dataclass(frozen=True)
class SplineKAN(BoxNetwork):
    """Layers whose weights are splines, one for each pair of an input and an output.

    With z = (X - centre) / half width, h_0 = z and the B-splines B_q of a degree on equal cells
    of [-1, 1],

    h_{k+1, j} = b_j + sum_i (A_ij act(h_{k, i}) + sum_q C_{iqj} B_q(t_{k, i})), y = h_{m+1},

    where t_0 = z and t_k = tanh(h_k) later, which keeps the arguments on the cells.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    hidden : tuple of int
        Widths between the layers, each >= 1.
    cells : int
        Number of cells, >= 1; there are cells + degree splines.
    degree : int
        Degree of the splines, >= 1. The network has degree - 1 continuous derivatives, so that an
        equation of order m needs degree m + 1 or more; a problem refuses less.
    outputs : int
        Number of fields, >= 1.
    activation : str
        One of tanh, sin, sigmoid, swish, gelu, softplus.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.
    weights : str
        ``plain``, ``factorised`` or ``normalised``; see `layers.glorot`.

    Notes
    -----
    The cells are fixed, unlike the grids of the paper, which follow the values of a layer. Outside
    the box the splines of the coordinates fade to zero within `degree` cells.

    References
    ----------
    Liu, Wang, Vaidya, Ruehle, Halverson, Soljacic, Hou, Tegmark: KAN: Kolmogorov-Arnold networks
    (2024), section 2; de Boor: A practical guide to splines (1978), chapter X, for the recurrence.

    Examples
    --------
    >>> net = SplineKAN(inputs=2, hidden=(4,), cells=3)
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    hidden: tuple[int, ...] = (8,)
    cells: int = 5
    degree: int = 5
    outputs: int = 1
    activation: ActivationName = "swish"
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None
    weights: WeightName = "plain"

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        self.check_sizes(self.cells, self.degree, *self.check_hidden(self.hidden))
        self.check_activation(self.activation)
        check_weights(self.name, self.weights)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return affine layers of all activations, then all splines of each input in turn.

        Notes
        -----
        Coefficients and biases are those of an `MLP` with 1 + cells + degree inputs for each.
        """
        new = layer_source(seed, dtype, self.weights)
        widths = (self.input_count, *self.hidden, self.outputs)
        return [new((1 + self.cells + self.degree) * m, n) for m, n in pairwise(widths)]

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        activation = ACTIVATIONS[self.activation]
        h = t = self.scaled(X)
        for layer in parameters:
            h = affine(layer, fw.concatenate([activation(h), self._splines(t)], axis=1))
            t = fw.tanh(h)
        return h

    def _splines(self, t: Any) -> Any:
        """Return all splines of all columns, shape (points, columns * (cells + degree)).

        By the recurrence of de Boor over the distance u from the left end of each spline in cells,
        p B_p(u) = u B_{p-1}(u) + (p + 1 - u) B_{p-1}(u - 1), whose terms are all positive.
        """
        k, count = self.degree, self.cells + 2 * self.degree
        ends = np.arange(count, dtype=t.dtype)[None, None]
        u = ((t + 1.0) * (0.5 * self.cells) + float(k))[:, :, None] - ends
        inside = fw.where(u >= 0.0, fw.ones_like(u), fw.zeros_like(u))
        B = fw.where(u < 1.0, inside, fw.zeros_like(u))
        for p in range(1, k + 1):
            u = u[:, :, :-1]
            B = (u * B[:, :, :-1] + (float(p + 1) - u) * B[:, :, 1:]) * (1.0 / p)
        return fw.reshape(B, (t.shape[0], t.shape[1] * (self.cells + k)))
