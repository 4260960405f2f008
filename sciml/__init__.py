"""Physics-informed machine learning with exact, compiled high-order derivatives."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .networks import (
        MLP,
        AttentionNetwork,
        DeepONet,
        FourierFeatures,
        GatedMLP,
        ResidualNetwork,
        Siren,
    )
    from .problem.coupled import CoupledProblem
    from .problem.coupled_solution import CoupledSolution
    from .problem.points import Points
    from .problem.problem import Problem
    from .problem.solution import Solution
    from .training.convergence import convergence
    from .training.events import EarlyStopping
    from .training.optimisers import LBFGS, Adam, ConstantRate, CosineRate, ExponentialRate
    from .training.resampling import R3, RAD, RARD, Fresh, Importance
    from .training.solver import Solver

__version__ = "0.1.0"

_HOMES = {
    "Adam": "training.optimisers",
    "AttentionNetwork": "networks",
    "ConstantRate": "training.optimisers",
    "CosineRate": "training.optimisers",
    "CoupledProblem": "problem.coupled",
    "CoupledSolution": "problem.coupled_solution",
    "DeepONet": "networks",
    "EarlyStopping": "training.events",
    "ExponentialRate": "training.optimisers",
    "FourierFeatures": "networks",
    "Fresh": "training.resampling",
    "GatedMLP": "networks",
    "Importance": "training.resampling",
    "LBFGS": "training.optimisers",
    "MLP": "networks",
    "Points": "problem.points",
    "Problem": "problem.problem",
    "R3": "training.resampling",
    "RAD": "training.resampling",
    "RARD": "training.resampling",
    "ResidualNetwork": "networks",
    "Siren": "networks",
    "Solution": "problem.solution",
    "Solver": "training.solver",
    "convergence": "training.convergence",
}

__all__ = [
    "LBFGS",
    "MLP",
    "R3",
    "RAD",
    "RARD",
    "Adam",
    "AttentionNetwork",
    "ConstantRate",
    "CosineRate",
    "CoupledProblem",
    "CoupledSolution",
    "DeepONet",
    "EarlyStopping",
    "ExponentialRate",
    "FourierFeatures",
    "Fresh",
    "GatedMLP",
    "Importance",
    "Points",
    "Problem",
    "ResidualNetwork",
    "Siren",
    "Solution",
    "Solver",
    "convergence",
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used, so that ``import sciml`` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sciml' has no attribute {name!r}; it has {__all__}")
    return getattr(importlib.import_module(f"sciml.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
