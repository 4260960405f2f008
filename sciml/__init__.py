"""Physics-informed machine learning with exact, compiled high-order derivatives."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .networks import MLP
    from .training.optimisers import LBFGS, Adam

__version__ = "0.1.0"

_HOMES = {
    "Adam": "training.optimisers",
    "LBFGS": "training.optimisers",
    "MLP": "networks",
}

__all__ = ["LBFGS", "MLP", "Adam"]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used, so that ``import sciml`` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sciml' has no attribute {name!r}; it has {__all__}")
    return getattr(importlib.import_module(f"sciml.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
