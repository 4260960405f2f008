"""The residual network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sciml.framework.errors import ConfigError

from .activations import ACTIVATIONS, ActivationName
from .base import BoxNetwork, Parameters
from .layers import WeightName, affine, check_weights, layer_source


@dataclass(frozen=True)
class ResidualNetwork(BoxNetwork):
    """Blocks of two layers with a way past each of them.

    With z = (X - centre) / half width, h_0 = act(z W_0 + b_0) and
    F_k(h) = act(act(h W_k + b_k) V_k + c_k),

    h_k = h_{k-1} + F_k(h_{k-1}) (plain) or h_k = a_k F_k(h_{k-1}) + (1 - a_k) h_{k-1} (adaptive),

    y = h_m W + b. The adaptive a_k is a parameter and starts at zero, so that the network starts
    with the depth of its first layer and grows deeper as it is trained.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    width : int
        Width of every layer, >= 1.
    blocks : int
        Number m of blocks, >= 1.
    outputs : int
        Number of fields, >= 1.
    activation : str
        One of tanh, sin, sigmoid, swish, gelu, softplus.
    skip : str
        ``plain`` or ``adaptive``.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.
    weights : str
        ``plain``, ``factorised`` or ``normalised``; see `layers.glorot`.

    References
    ----------
    He, Zhang, Ren, Sun: Deep residual learning for image recognition (2016), for the plain way;
    Wang, Li, Chen, Perdikaris: PirateNets: physics-informed deep learning with residual adaptive
    networks (2024), section 4, for the adaptive one.

    Examples
    --------
    >>> net = ResidualNetwork(inputs=2, width=8, blocks=2)
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    width: int = 64
    blocks: int = 3
    outputs: int = 1
    activation: ActivationName = "tanh"
    skip: Literal["plain", "adaptive"] = "adaptive"
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None
    weights: WeightName = "plain"

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        self.check_sizes(self.width, self.blocks)
        self.check_activation(self.activation)
        check_weights(self.name, self.weights)
        if self.skip not in ("plain", "adaptive"):
            raise ConfigError(f"{self.name}: skip must be plain or adaptive, got {self.skip!r}")

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return the layers ``first``, ``blocks`` (a list of ``inner``, ``outer``) and ``last``.

        Notes
        -----
        Weights and biases are those of `MLP`; an adaptive block has a number ``a`` too, zero.
        """
        new, w = layer_source(seed, dtype, self.weights), self.width
        first = new(self.input_count, w)
        blocks = []
        for _ in range(self.blocks):
            block: dict[str, Any] = {k: new(w, w) for k in ("inner", "outer")}
            if self.skip == "adaptive":
                block["a"] = np.zeros((), dtype=dtype)
            blocks.append(block)
        return {"first": first, "blocks": blocks, "last": new(w, self.outputs)}

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        activation = ACTIVATIONS[self.activation]
        h = activation(affine(parameters["first"], self.scaled(X)))
        for block in parameters["blocks"]:
            f = activation(affine(block["outer"], activation(affine(block["inner"], h))))
            h = h + (f if self.skip == "plain" else block["a"] * (f - h))
        return affine(parameters["last"], h)
