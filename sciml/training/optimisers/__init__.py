"""Optimisers on flat float64 vectors, with states that can be stored and resumed exactly."""

from __future__ import annotations

from .adam import Adam
from .base import Objective, Optimiser, OptimiserState, Stage, StopReason, Vector, WarmStarted
from .bfgs import BFGS
from .gauss_newton import GaussNewton
from .lbfgs import LBFGS
from .levenberg_marquardt import LevenbergMarquardt
from .optimisers import OPTIMISERS, RATES
from .rates import ConstantRate, CosineRate, ExponentialRate, Rate
from .ssbfgs import SSBFGS
from .ssbroyden import SSBroyden

__all__ = [
    "BFGS",
    "LBFGS",
    "OPTIMISERS",
    "RATES",
    "SSBFGS",
    "Adam",
    "ConstantRate",
    "CosineRate",
    "ExponentialRate",
    "GaussNewton",
    "LevenbergMarquardt",
    "Objective",
    "Optimiser",
    "OptimiserState",
    "Rate",
    "SSBroyden",
    "Stage",
    "StopReason",
    "Vector",
    "WarmStarted",
]
