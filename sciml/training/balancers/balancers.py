"""The table of balancers by name, read by run files; a new one is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .augmented_lagrangian import AugmentedLagrangian
from .base import Balancer
from .causal import Causal
from .combined import Combined
from .grad_norm import GradNorm
from .relobralo import ReLoBRaLo
from .residual_attention import ResidualAttention
from .self_adaptive import SelfAdaptive
from .soft_adapt import SoftAdapt
from .tangent_kernel import NTK
from .weight_functions import WeightFunctions

BALANCERS: Mapping[str, type[Balancer]] = MappingProxyType(
    {
        "AugmentedLagrangian": AugmentedLagrangian,
        "Causal": Causal,
        "Combined": Combined,
        "GradNorm": GradNorm,
        "NTK": NTK,
        "ReLoBRaLo": ReLoBRaLo,
        "ResidualAttention": ResidualAttention,
        "SelfAdaptive": SelfAdaptive,
        "SoftAdapt": SoftAdapt,
        "WeightFunctions": WeightFunctions,
    }
)
