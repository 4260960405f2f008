"""Physics-informed machine learning with exact, compiled high-order derivatives."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .automatic import solve
    from .networks import (
        DGM,
        FNO,
        MLP,
        AdaptiveMLP,
        AttentionNetwork,
        ChebyshevKAN,
        CornerFunctions,
        DeepONet,
        Fields,
        FourierFeatures,
        GatedMLP,
        HighwayNetwork,
        MultiScaleFourier,
        PirateNet,
        Poles,
        RadialBasis,
        RandomFeatures,
        ResidualNetwork,
        SeparableNetwork,
        Siren,
        SpectralFeatures,
        SplineKAN,
        Windows,
    )
    from .problem.coupled import CoupledProblem
    from .problem.coupled_solution import CoupledSolution
    from .problem.points import Points
    from .problem.problem import Problem
    from .problem.report import Attempt, Report
    from .problem.solution import Solution
    from .studies.design import minimise
    from .studies.eigen import eigen
    from .studies.ensemble import ensemble
    from .studies.laplace import laplace
    from .training.balancers import (
        NTK,
        AugmentedLagrangian,
        Causal,
        Combined,
        GradNorm,
        ReLoBRaLo,
        ResidualAttention,
        SelfAdaptive,
        SoftAdapt,
        WeightFunctions,
    )
    from .training.convergence import convergence
    from .training.events import EarlyStopping
    from .training.marching import march
    from .training.optimisers import (
        BFGS,
        LBFGS,
        SSBFGS,
        Adam,
        ConstantRate,
        CosineRate,
        ExponentialRate,
        GaussNewton,
        LevenbergMarquardt,
        SSBroyden,
    )
    from .training.repeat import Repeat
    from .training.resampling import R3, RAD, RARD, Fresh, Importance
    from .training.solver import Solver

__version__ = "0.1.0"

_HOMES = {
    "Adam": "training.optimisers",
    "AdaptiveMLP": "networks",
    "Attempt": "problem.report",
    "AttentionNetwork": "networks",
    "AugmentedLagrangian": "training.balancers",
    "BFGS": "training.optimisers",
    "Causal": "training.balancers",
    "ChebyshevKAN": "networks",
    "Combined": "training.balancers",
    "ConstantRate": "training.optimisers",
    "CornerFunctions": "networks",
    "CosineRate": "training.optimisers",
    "CoupledProblem": "problem.coupled",
    "CoupledSolution": "problem.coupled_solution",
    "DGM": "networks",
    "DeepONet": "networks",
    "EarlyStopping": "training.events",
    "ExponentialRate": "training.optimisers",
    "FNO": "networks",
    "Fields": "networks",
    "FourierFeatures": "networks",
    "Fresh": "training.resampling",
    "GatedMLP": "networks",
    "GaussNewton": "training.optimisers",
    "GradNorm": "training.balancers",
    "HighwayNetwork": "networks",
    "Importance": "training.resampling",
    "LBFGS": "training.optimisers",
    "LevenbergMarquardt": "training.optimisers",
    "MLP": "networks",
    "MultiScaleFourier": "networks",
    "NTK": "training.balancers",
    "PirateNet": "networks",
    "Points": "problem.points",
    "Poles": "networks",
    "Problem": "problem.problem",
    "R3": "training.resampling",
    "RAD": "training.resampling",
    "RARD": "training.resampling",
    "RadialBasis": "networks",
    "RandomFeatures": "networks",
    "ReLoBRaLo": "training.balancers",
    "Repeat": "training.repeat",
    "Report": "problem.report",
    "ResidualAttention": "training.balancers",
    "ResidualNetwork": "networks",
    "SSBFGS": "training.optimisers",
    "SSBroyden": "training.optimisers",
    "SelfAdaptive": "training.balancers",
    "SeparableNetwork": "networks",
    "Siren": "networks",
    "SoftAdapt": "training.balancers",
    "Solution": "problem.solution",
    "Solver": "training.solver",
    "SpectralFeatures": "networks",
    "SplineKAN": "networks",
    "WeightFunctions": "training.balancers",
    "Windows": "networks",
    "convergence": "training.convergence",
    "eigen": "studies.eigen",
    "ensemble": "studies.ensemble",
    "laplace": "studies.laplace",
    "march": "training.marching",
    "minimise": "studies.design",
    "solve": "automatic",
}

__all__ = [
    "BFGS",
    "DGM",
    "FNO",
    "LBFGS",
    "MLP",
    "NTK",
    "R3",
    "RAD",
    "RARD",
    "SSBFGS",
    "Adam",
    "AdaptiveMLP",
    "Attempt",
    "AttentionNetwork",
    "AugmentedLagrangian",
    "Causal",
    "ChebyshevKAN",
    "Combined",
    "ConstantRate",
    "CornerFunctions",
    "CosineRate",
    "CoupledProblem",
    "CoupledSolution",
    "DeepONet",
    "EarlyStopping",
    "ExponentialRate",
    "Fields",
    "FourierFeatures",
    "Fresh",
    "GatedMLP",
    "GaussNewton",
    "GradNorm",
    "HighwayNetwork",
    "Importance",
    "LevenbergMarquardt",
    "MultiScaleFourier",
    "PirateNet",
    "Points",
    "Poles",
    "Problem",
    "RadialBasis",
    "RandomFeatures",
    "ReLoBRaLo",
    "Repeat",
    "Report",
    "ResidualAttention",
    "ResidualNetwork",
    "SSBroyden",
    "SelfAdaptive",
    "SeparableNetwork",
    "Siren",
    "SoftAdapt",
    "Solution",
    "Solver",
    "SpectralFeatures",
    "SplineKAN",
    "WeightFunctions",
    "Windows",
    "convergence",
    "eigen",
    "ensemble",
    "laplace",
    "march",
    "minimise",
    "solve",
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used, so that ``import sciml`` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sciml' has no attribute {name!r}; it has {__all__}")
    return getattr(importlib.import_module(f"sciml.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
