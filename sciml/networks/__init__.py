"""Networks: functions of points with parameters to be trained."""

from __future__ import annotations

from .adaptive import AdaptiveMLP
from .attention import AttentionNetwork
from .base import BoxNetwork, Network, Parameters, parameter_count
from .chebyshev import ChebyshevKAN
from .deeponet import DeepONet
from .dgm import DGM
from .fields import Fields
from .fno import FNO
from .fourier import FourierFeatures
from .gated import GatedMLP
from .highway import HighwayNetwork
from .mlp import MLP
from .multiscale import MultiScaleFourier
from .networks import NETWORKS
from .pirate import PirateNet
from .radial import RadialBasis
from .residual import ResidualNetwork
from .separable import SeparableNetwork
from .siren import Siren
from .spline import SplineKAN
from .windows import Windows

__all__ = [
    "DGM",
    "FNO",
    "MLP",
    "NETWORKS",
    "AdaptiveMLP",
    "AttentionNetwork",
    "BoxNetwork",
    "ChebyshevKAN",
    "DeepONet",
    "Fields",
    "FourierFeatures",
    "GatedMLP",
    "HighwayNetwork",
    "MultiScaleFourier",
    "Network",
    "Parameters",
    "PirateNet",
    "RadialBasis",
    "ResidualNetwork",
    "SeparableNetwork",
    "Siren",
    "SplineKAN",
    "Windows",
    "parameter_count",
]  # fmt: skip
