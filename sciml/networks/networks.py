"""The table of networks by name, read by run files; a new network is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .adaptive import AdaptiveMLP
from .attention import AttentionNetwork
from .base import Network
from .fourier import FourierFeatures
from .gated import GatedMLP
from .mlp import MLP
from .residual import ResidualNetwork
from .siren import Siren

NETWORKS: Mapping[str, type[Network]] = MappingProxyType(
    {
        "AdaptiveMLP": AdaptiveMLP,
        "AttentionNetwork": AttentionNetwork,
        "FourierFeatures": FourierFeatures,
        "GatedMLP": GatedMLP,
        "MLP": MLP,
        "ResidualNetwork": ResidualNetwork,
        "Siren": Siren,
    }
)
