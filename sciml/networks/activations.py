"""Activations by name, each a function of pre-activations from the framework."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import sciml.framework as fw

ActivationName: TypeAlias = Literal["tanh", "sin", "sigmoid", "swish", "gelu", "softplus"]

ACTIVATIONS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "tanh": fw.tanh,
        "sin": fw.sin,
        "sigmoid": fw.logistic,
        "swish": fw.swish,
        "gelu": fw.gelu,
        "softplus": fw.softplus,
    }
)
