"""The attention network: a small transformer over features of one point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.errors import ConfigError

from .activations import ACTIVATIONS, ActivationName
from .base import BoxNetwork, Parameters, generator
from .layers import affine, glorot


@dataclass(frozen=True)
class AttentionNetwork(BoxNetwork):
    """Self-attention between tokens that are all features of the same point.

    With z = (X - centre) / half width, the rows of the matrix E (tokens x width) are
    act(z W_t + b_t), one for each token t. Every block computes

    E <- E + attention(norm(E)), E <- E + act(norm(E) W_1 + b_1) W_2 + b_2,

    where in each of the heads attention(E) = softmax(Q K^T / sqrt(c)) V with Q, K, V = E W_Q,
    E W_K, E W_V of c = width / heads columns; the heads are joined and multiplied by W_O. Last,
    y = norm(E) W + b with all tokens in one row. Points never meet, so that the derivatives by
    the coordinates are those of a function of one point.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    tokens : int
        Number of tokens, >= 2.
    width : int
        Width of a token, a multiple of `heads`, >= 2.
    heads : int
        Number of heads, >= 1.
    blocks : int
        Number of blocks, >= 1.
    outputs : int
        Number of fields, >= 1.
    activation : str
        One of tanh, sin, sigmoid, swish, gelu, softplus.
    epsilon : float
        Added to the variance in norm, > 0.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.

    References
    ----------
    Vaswani et al.: Attention is all you need (2017); Xiong et al.: On layer normalization in the
    transformer architecture (2020), for the norm before each part.

    Examples
    --------
    >>> net = AttentionNetwork(inputs=2, tokens=3, width=8, heads=2, blocks=1)
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    tokens: int = 4
    width: int = 16
    heads: int = 2
    blocks: int = 1
    outputs: int = 1
    activation: ActivationName = "tanh"
    epsilon: float = 1e-2
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        self.check_sizes(self.tokens, self.width, self.heads, self.blocks)
        self.check_activation(self.activation)
        if self.width % self.heads or min(self.width, self.tokens) < 2:
            raise ConfigError(
                f"{self.name}: width must be a multiple of heads, tokens and width 2 or more, got "
                f"width={self.width}, heads={self.heads}, tokens={self.tokens}"
            )
        if not self.epsilon > 0.0:
            raise ConfigError(f"{self.name}: epsilon must be positive, got {self.epsilon}")

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return ``embedding``, ``blocks`` and ``last``.

        A block has weights ``Q``, ``K``, ``V``, ``O``, the layers ``inner`` and ``outer``, and
        scale and shift of its two norms; so has the last layer of its norm.

        Notes
        -----
        Weights and biases are those of `MLP`, where the embedding counts as one layer from the
        coordinates to each token; scales are one and shifts zero. The biases of the embedding are
        standard normal: with none the tokens of the centre of the box would be zero, and their
        norm would turn about there.
        """
        rng, w, count = generator(seed), self.width, self.tokens
        spread = math.sqrt(2.0 / (self.input_count + w))
        embedding = {
            "W": (rng.standard_normal((self.input_count, count * w)) * spread).astype(dtype),
            "b": rng.standard_normal(count * w).astype(dtype),
        }

        def norm() -> dict[str, Any]:
            return {"scale": np.ones(w, dtype=dtype), "shift": np.zeros(w, dtype=dtype)}

        blocks = [
            {
                **{name: glorot(rng, w, w, dtype)["W"] for name in ("Q", "K", "V", "O")},
                **{name: glorot(rng, w, w, dtype) for name in ("inner", "outer")},
                "before": norm(),
                "between": norm(),
            }
            for _ in range(self.blocks)
        ]
        last = glorot(rng, count * w, self.outputs, dtype)
        return {"embedding": embedding, "blocks": blocks, "after": norm(), "last": last}

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        activation, points = ACTIVATIONS[self.activation], X.shape[0]
        h = activation(affine(parameters["embedding"], self.scaled(X)))
        h = fw.reshape(h, (points, self.tokens, self.width))
        for block in parameters["blocks"]:
            h = h + self._attention(block, self._norm(block["before"], h))
            inner = activation(affine(block["inner"], self._norm(block["between"], h)))
            h = h + affine(block["outer"], inner)
        row = fw.reshape(self._norm(parameters["after"], h), (points, self.tokens * self.width))
        return affine(parameters["last"], row)

    def _norm(self, layer: Any, h: Any) -> Any:
        return fw.layer_norm(h, layer["scale"], layer["shift"], epsilon=self.epsilon)

    def _attention(self, block: Any, h: Any) -> Any:
        points, columns = h.shape[0], self.width // self.heads
        shape = (points, self.tokens, self.heads, columns)
        q, k, v = (fw.reshape(h @ block[name], shape) for name in ("Q", "K", "V"))
        scores = fw.einsum("nqhc,nkhc->nhqk", q, k) * (1.0 / math.sqrt(columns))
        mixed = fw.einsum("nhqk,nkhc->nqhc", fw.softmax(scores, axis=-1), v)
        return fw.reshape(mixed, (points, self.tokens, self.width)) @ block["O"]
