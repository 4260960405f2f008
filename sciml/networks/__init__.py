"""Networks: functions of points with parameters to be trained."""

from __future__ import annotations

from .adaptive import AdaptiveMLP
from .attention import AttentionNetwork
from .base import BoxNetwork, Network, Parameters, parameter_count
from .deeponet import DeepONet
from .fourier import FourierFeatures
from .gated import GatedMLP
from .mlp import MLP
from .networks import NETWORKS
from .residual import ResidualNetwork
from .siren import Siren

__all__ = [
    "MLP",
    "NETWORKS",
    "AdaptiveMLP",
    "AttentionNetwork",
    "BoxNetwork",
    "DeepONet",
    "FourierFeatures",
    "GatedMLP",
    "Network",
    "Parameters",
    "ResidualNetwork",
    "Siren",
    "parameter_count",
]  # fmt: skip
