"""PirateNet: a residual network of gated blocks that starts linear in its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .activations import ACTIVATIONS, ActivationName
from .base import BoxNetwork, Parameters
from .fourier import check_frequencies, draw_frequencies, waves
from .layers import WeightName, affine, check_weights, layer_source


@dataclass(frozen=True)
class PirateNet(BoxNetwork):
    """Blocks of three layers with two gates and a way past them, on random Fourier features.

    With z = (X - centre) / half width and B normal with standard deviation `scale`, let
    h_0 = [cos(2 pi z B), sin(2 pi z B)], U = act(h_0 W_U + b_U) and V = act(h_0 W_V + b_V). Every
    block computes from h

    f = act(h W_1 + b_1), f U + (1 - f) V = p, g = act(p W_2 + b_2), g U + (1 - g) V = q,

    h <- a act(q W_3 + b_3) + (1 - a) h,

    and y = h W + b. The numbers a are parameters and start at zero, so that the network starts as
    a linear combination of the features and grows deeper as it is trained.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    features : int
        Number of frequencies, >= 1; every layer is twice as wide.
    scale : float
        Standard deviation of the frequencies [periods per half width], > 0; 2 pi times this is the
        standard deviation of B in the paper. A k-th derivative grows as (2 pi scale)^k.
    frequency_seed : int
        Seed of B, >= 0.
    blocks : int
        Number of blocks, >= 1.
    outputs : int
        Number of fields, >= 1.
    activation : str
        One of tanh, sin, sigmoid, swish, gelu, softplus.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.
    weights : str
        ``plain``, ``factorised`` (that of the paper) or ``normalised``; see `layers.glorot`.

    Notes
    -----
    The paper may start the last layer by least squares on data; here it starts at random.
    `ResidualNetwork` has the same way past its blocks, without the features and the gates.

    References
    ----------
    Wang, Li, Chen, Perdikaris: PirateNets: physics-informed deep learning with residual adaptive
    networks (2024), section 4.

    Examples
    --------
    >>> net = PirateNet(inputs=2, features=4, blocks=2)
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    features: int = 32
    scale: float = 0.3
    frequency_seed: int = 0
    blocks: int = 3
    outputs: int = 1
    activation: ActivationName = "tanh"
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None
    weights: WeightName = "factorised"

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        self.check_sizes(self.features, self.blocks)
        self.check_activation(self.activation)
        check_weights(self.name, self.weights)
        check_frequencies(self.name, self.scale, self.frequency_seed)

    def frequencies(self) -> npt.NDArray[np.float64]:
        """Return B, of shape (coordinates, features)."""
        return self.scale * draw_frequencies(self.frequency_seed, self.input_count, self.features)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return the layers ``U``, ``V``, ``blocks`` and ``last``.

        A block has the layers ``first``, ``second``, ``third`` and the number ``a``, zero.
        """
        new, w = layer_source(seed, dtype, self.weights), 2 * self.features
        gates = {name: new(w, w) for name in ("U", "V")}
        blocks = [
            {**{name: new(w, w) for name in ("first", "second", "third")}, "a": np.zeros((), dtype)}
            for _ in range(self.blocks)
        ]
        return {**gates, "blocks": blocks, "last": new(w, self.outputs)}

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        activation = ACTIVATIONS[self.activation]
        h = waves(self.scaled(X), self.frequencies().astype(X.dtype))
        U, V = (activation(affine(parameters[name], h)) for name in ("U", "V"))
        step = U - V
        for block in parameters["blocks"]:
            f = h
            for name in ("first", "second"):
                f = V + activation(affine(block[name], f)) * step
            h = h + block["a"] * (activation(affine(block["third"], f)) - h)
        return affine(parameters["last"], h)
