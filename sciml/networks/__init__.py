"""Networks: functions of points with parameters to be trained."""

from __future__ import annotations

from .adaptive import AdaptiveMLP
from .attention import AttentionNetwork
from .base import BoxNetwork, Network, Parameters, parameter_count
from .chebyshev import ChebyshevKAN
from .deeponet import DeepONet
from .dgm import DGM
from .enrichment import ENRICHMENTS, CornerFunctions, Enrichment, Poles
from .fields import Fields
from .fno import FNO
from .fourier import FourierFeatures
from .gated import GatedMLP
from .highway import HighwayNetwork
from .mlp import MLP
from .multiscale import MultiScaleFourier
from .networks import NETWORKS
from .pirate import PirateNet
from .plate_corners import plate_exponents
from .radial import RadialBasis
from .random_features import RandomFeatures
from .residual import ResidualNetwork
from .separable import SeparableNetwork
from .siren import Siren
from .spectral_features import SpectralFeatures
from .spline import SplineKAN
from .windows import Windows

__all__ = [
    "DGM",
    "ENRICHMENTS",
    "FNO",
    "MLP",
    "NETWORKS",
    "AdaptiveMLP",
    "AttentionNetwork",
    "BoxNetwork",
    "ChebyshevKAN",
    "CornerFunctions",
    "DeepONet",
    "Enrichment",
    "Fields",
    "FourierFeatures",
    "GatedMLP",
    "HighwayNetwork",
    "MultiScaleFourier",
    "Network",
    "Parameters",
    "PirateNet",
    "Poles",
    "RadialBasis",
    "RandomFeatures",
    "ResidualNetwork",
    "SeparableNetwork",
    "Siren",
    "SpectralFeatures",
    "SplineKAN",
    "Windows",
    "parameter_count",
    "plate_exponents",
]  # fmt: skip
