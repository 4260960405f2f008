"""The table of networks by name, read by run files; a new network is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .attention import AttentionNetwork
from .base import Network
from .fourier import FourierFeatures
from .gated import GatedMLP
from .mlp import MLP
from .random_features import RandomFeatures
from .residual import ResidualNetwork
from .siren import Siren
from .spectral_features import SpectralFeatures

NETWORKS: Mapping[str, type[Network]] = MappingProxyType(
    {
        "AttentionNetwork": AttentionNetwork,
        "FourierFeatures": FourierFeatures,
        "GatedMLP": GatedMLP,
        "MLP": MLP,
        "RandomFeatures": RandomFeatures,
        "ResidualNetwork": ResidualNetwork,
        "Siren": Siren,
        "SpectralFeatures": SpectralFeatures,
    }
)
