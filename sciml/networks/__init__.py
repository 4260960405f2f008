"""Networks: functions of points with parameters to be trained."""

from __future__ import annotations

from .base import Network, Parameters, parameter_count
from .deeponet import DeepONet
from .mlp import MLP

__all__ = ["MLP", "DeepONet", "Network", "Parameters", "parameter_count"]
