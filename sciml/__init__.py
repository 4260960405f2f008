"""Physics-informed machine learning with exact, compiled high-order derivatives."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .networks import (
        MLP,
        AttentionNetwork,
        CornerFunctions,
        DeepONet,
        FourierFeatures,
        GatedMLP,
        Poles,
        RandomFeatures,
        ResidualNetwork,
        Siren,
        SpectralFeatures,
    )
    from .problem.coupled import CoupledProblem
    from .problem.coupled_solution import CoupledSolution
    from .problem.points import Points
    from .problem.problem import Problem
    from .problem.solution import Solution
    from .training.convergence import convergence
    from .training.marching import march
    from .training.optimisers import (
        LBFGS,
        Adam,
        ConstantRate,
        CosineRate,
        ExponentialRate,
        GaussNewton,
        LevenbergMarquardt,
    )
    from .training.resampling import R3, RAD, RARD, Fresh, Importance
    from .training.solver import Solver

__version__ = "0.1.0"

_HOMES = {
    "Adam": "training.optimisers",
    "AttentionNetwork": "networks",
    "ConstantRate": "training.optimisers",
    "CornerFunctions": "networks",
    "CosineRate": "training.optimisers",
    "CoupledProblem": "problem.coupled",
    "CoupledSolution": "problem.coupled_solution",
    "DeepONet": "networks",
    "ExponentialRate": "training.optimisers",
    "FourierFeatures": "networks",
    "Fresh": "training.resampling",
    "GatedMLP": "networks",
    "GaussNewton": "training.optimisers",
    "Importance": "training.resampling",
    "LBFGS": "training.optimisers",
    "LevenbergMarquardt": "training.optimisers",
    "MLP": "networks",
    "Points": "problem.points",
    "Poles": "networks",
    "Problem": "problem.problem",
    "R3": "training.resampling",
    "RAD": "training.resampling",
    "RARD": "training.resampling",
    "RandomFeatures": "networks",
    "ResidualNetwork": "networks",
    "Siren": "networks",
    "Solution": "problem.solution",
    "Solver": "training.solver",
    "SpectralFeatures": "networks",
    "convergence": "training.convergence",
    "march": "training.marching",
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
    "CornerFunctions",
    "CosineRate",
    "CoupledProblem",
    "CoupledSolution",
    "DeepONet",
    "ExponentialRate",
    "FourierFeatures",
    "Fresh",
    "GatedMLP",
    "GaussNewton",
    "Importance",
    "LevenbergMarquardt",
    "Points",
    "Poles",
    "Problem",
    "RandomFeatures",
    "ResidualNetwork",
    "Siren",
    "Solution",
    "Solver",
    "SpectralFeatures",
    "convergence",
    "march",
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used, so that ``import sciml`` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sciml' has no attribute {name!r}; it has {__all__}")
    return getattr(importlib.import_module(f"sciml.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
