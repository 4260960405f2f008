"""Weights of the constraints in the loss that follow the training."""

from .augmented_lagrangian import AugmentedLagrangian
from .balancers import BALANCERS
from .base import Balancer, Weighing, even
from .causal import Causal
from .combined import Combined
from .grad_norm import GradNorm
from .relobralo import ReLoBRaLo
from .residual_attention import ResidualAttention
from .self_adaptive import SelfAdaptive
from .soft_adapt import SoftAdapt
from .tangent_kernel import NTK
from .view import PartGradients, View
from .weight_functions import WeightFunctions

__all__ = [
    "BALANCERS",
    "NTK",
    "AugmentedLagrangian",
    "Balancer",
    "Causal",
    "Combined",
    "GradNorm",
    "PartGradients",
    "ReLoBRaLo",
    "ResidualAttention",
    "SelfAdaptive",
    "SoftAdapt",
    "View",
    "Weighing",
    "WeightFunctions",
    "even",
]
