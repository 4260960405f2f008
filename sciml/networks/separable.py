"""The separable network: sums of products of functions of one coordinate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.core.tree import map_leaves
from sciml.framework.errors import ShapeError

from .activations import ActivationName
from .base import BoxNetwork, Parameters
from .layers import WeightName
from .mlp import MLP
from .stacks import evaluate_stack, initialise_stack


@dataclass(frozen=True)
class SeparableNetwork(BoxNetwork):
    """Sums of products of functions of one coordinate each (SPINN).

    With z = (X - centre) / half width,

    y_j = sum_{r = 1}^rank prod_i f_{ijr}(z_i),

    where the functions f of one coordinate are the outputs of one `MLP`; those of all coordinates
    are evaluated together.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    rank : int
        Number of products, >= 1.
    hidden : tuple of int
        Widths of the hidden layers of each factor, each >= 1.
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
    A problem samples points that are scattered, and the factors are evaluated at each. On a grid
    `on_axes` evaluates them along the axes only, as the paper does, derivatives too.

    References
    ----------
    Cho, Nam, Yang, Yun, Hong, Park: Separable physics-informed neural networks (2023), section 4.

    Examples
    --------
    >>> net = SeparableNetwork(inputs=3, rank=4, hidden=(8,))
    >>> net(net.initialise(seed=0), np.zeros((5, 3))).shape
    (5, 1)
    """

    inputs: int | None = None
    rank: int = 16
    hidden: tuple[int, ...] = (32, 32)
    outputs: int = 1
    activation: ActivationName = "tanh"
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None
    weights: WeightName = "plain"

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        self.check_sizes(self.rank, *self.check_hidden(self.hidden))
        self.factor  # noqa: B018  (an MLP refuses what is no activation)

    @property
    def factor(self) -> MLP:
        """The network of one coordinate."""
        return MLP(1, self.hidden, self.rank * self.outputs, self.activation, weights=self.weights)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return the layers of the factors as of an `MLP`, stacked over the coordinates."""
        return initialise_stack(self.factor, self.input_count, seed, dtype)

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        z = self.scaled(X)
        factors = evaluate_stack(self.factor, parameters, z[:, :, None]).transpose(1, 0, 2)
        product = factors[:, 0]
        for i in range(1, self.input_count):
            product = product * factors[:, i]
        return fw.reshape(product, (X.shape[0], self.outputs, self.rank)).sum(axis=2)

    def on_axes(
        self, parameters: Parameters, axes: Sequence[Any], index: Sequence[int] | None = None
    ) -> Any:
        """Return a derivative on the grid of all combinations of coordinates.

        The factors are differentiated along their axes, so that the cost before the last sum is
        that of n_1 + ... + n_d points instead of n_1 ... n_d.

        Parameters
        ----------
        parameters : nested arrays
            As from `initialise`.
        axes : sequence of arrays
            Coordinates along each axis, shape (n_i,).
        index : sequence of int or None
            Order of the derivative by each coordinate; None means the values.

        Returns
        -------
        array
            Shape (n_1, ..., n_d, outputs).

        Examples
        --------
        >>> net = SeparableNetwork(inputs=2, rank=4, hidden=(8,))
        >>> x, y = np.linspace(-1, 1, 30), np.linspace(-1, 1, 20)
        >>> net.on_axes(net.initialise(seed=0), (x, y), (2, 2)).shape
        (30, 20, 1)
        """
        orders = (0,) * self.input_count if index is None else tuple(index)
        if not len(axes) == len(orders) == self.input_count:
            raise ShapeError(
                f"{self.name}: {self.input_count} coordinates, got {len(axes)} axes and {index}"
            )
        factors = [
            fw.reshape(self._along(parameters, i, x, order), (-1, self.outputs, self.rank))
            for i, (x, order) in enumerate(zip(axes, orders, strict=True))
        ]
        grid = "abcdefgh"[: len(factors)]
        return fw.einsum(",".join(f"{a}jr" for a in grid) + f"->{grid}j", *factors)

    def _along(self, parameters: Parameters, i: int, x: Any, order: int) -> Any:
        """Return the factors of a coordinate, or a derivative, shape (n, outputs * rank)."""
        own = map_leaves(lambda leaf: leaf[i], parameters)
        factor = self.factor
        if self.lower is not None and self.upper is not None:
            factor = replace(factor, lower=(self.lower[i],), upper=(self.upper[i],))
        return fw.derivative(lambda z: factor(own, z), (order,))(x[:, None])
