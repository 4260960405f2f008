"""Array functions composed of others: activations, stable reductions and Einstein sums."""

from __future__ import annotations

from .activations import gelu, log_sigmoid, logaddexp, silu, sinc, softplus, swish
from .einsum import einsum
from .reductions import layer_norm, log_softmax, logsumexp, norm, softmax

__all__ = [
    "einsum", "gelu", "layer_norm", "log_sigmoid", "log_softmax", "logaddexp", "logsumexp", "norm",
    "silu", "sinc", "softmax", "softplus", "swish",
]  # fmt: skip
