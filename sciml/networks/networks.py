"""The table of networks by name, read by run files; a new network is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .adaptive import AdaptiveMLP
from .attention import AttentionNetwork
from .base import Network
from .chebyshev import ChebyshevKAN
from .dgm import DGM
from .fields import Fields
from .fourier import FourierFeatures
from .gated import GatedMLP
from .highway import HighwayNetwork
from .mlp import MLP
from .multiscale import MultiScaleFourier
from .pirate import PirateNet
from .radial import RadialBasis
from .random_features import RandomFeatures
from .residual import ResidualNetwork
from .separable import SeparableNetwork
from .siren import Siren
from .spectral_features import SpectralFeatures
from .spline import SplineKAN
from .windows import Windows

NETWORKS: Mapping[str, type[Network]] = MappingProxyType(
    {
        "AdaptiveMLP": AdaptiveMLP,
        "AttentionNetwork": AttentionNetwork,
        "ChebyshevKAN": ChebyshevKAN,
        "DGM": DGM,
        "Fields": Fields,
        "FourierFeatures": FourierFeatures,
        "GatedMLP": GatedMLP,
        "HighwayNetwork": HighwayNetwork,
        "MLP": MLP,
        "MultiScaleFourier": MultiScaleFourier,
        "PirateNet": PirateNet,
        "RadialBasis": RadialBasis,
        "RandomFeatures": RandomFeatures,
        "ResidualNetwork": ResidualNetwork,
        "SeparableNetwork": SeparableNetwork,
        "Siren": Siren,
        "SplineKAN": SplineKAN,
        "Windows": Windows,
        "SpectralFeatures": SpectralFeatures,
    }
)
