"""Networks: functions of points with parameters to be trained."""

from __future__ import annotations

from .attention import AttentionNetwork
from .base import BoxNetwork, Network, Parameters, parameter_count
from .deeponet import DeepONet
from .enrichment import ENRICHMENTS, CornerFunctions, Enrichment, Poles
from .fourier import FourierFeatures
from .gated import GatedMLP
from .mlp import MLP
from .networks import NETWORKS
from .random_features import RandomFeatures
from .residual import ResidualNetwork
from .plate_corners import plate_exponents
from .siren import Siren
from .spectral_features import SpectralFeatures

__all__ = [
    "ENRICHMENTS", "MLP", "NETWORKS", "AttentionNetwork", "BoxNetwork", "CornerFunctions",
    "DeepONet", "Enrichment", "FourierFeatures", "GatedMLP", "Network", "Parameters", "Poles",
    "RandomFeatures", "ResidualNetwork", "Siren", "SpectralFeatures", "parameter_count",
    "plate_exponents",
]  # fmt: skip
