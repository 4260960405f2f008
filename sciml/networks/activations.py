"""Activations by name, each a function of pre-activations built from framework operations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import sciml.framework as fw

ActivationName: TypeAlias = Literal["tanh", "sin", "sigmoid", "swish", "gelu"]


def swish(z: Any) -> Any:
    """Return z / (1 + exp(-z))."""
    return z * fw.logistic(z)


def gelu(z: Any) -> Any:
    """Return z times the normal distribution function of z."""
    return 0.5 * z * (1.0 + fw.erf(z * (1.0 / math.sqrt(2.0))))


ACTIVATIONS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {"tanh": fw.tanh, "sin": fw.sin, "sigmoid": fw.logistic, "swish": swish, "gelu": gelu}
)
