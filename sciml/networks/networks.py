"""The table of networks by name, read by run files; a new network is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .adaptive import AdaptiveMLP
from .attention import AttentionNetwork
from .base import Network
from .chebyshev import ChebyshevKAN
from .dgm import DGM
from .fourier import FourierFeatures
from .gated import GatedMLP
from .highway import HighwayNetwork
from .mlp import MLP
from .multiscale import MultiScaleFourier
from .pirate import PirateNet
from .radial import RadialBasis
from .residual import ResidualNetwork
from .siren import Siren
from .spline import SplineKAN

NETWORKS: Mapping[str, type[Network]] = MappingProxyType(
    {
        "AdaptiveMLP": AdaptiveMLP,
        "AttentionNetwork": AttentionNetwork,
        "ChebyshevKAN": ChebyshevKAN,
        "DGM": DGM,
        "FourierFeatures": FourierFeatures,
        "GatedMLP": GatedMLP,
        "HighwayNetwork": HighwayNetwork,
        "MLP": MLP,
        "MultiScaleFourier": MultiScaleFourier,
        "PirateNet": PirateNet,
        "RadialBasis": RadialBasis,
        "ResidualNetwork": ResidualNetwork,
        "Siren": Siren,
        "SplineKAN": SplineKAN,
    }
)
