"""Optimisers on flat float64 vectors, with states that can be stored and resumed exactly."""

from __future__ import annotations

from .adam import Adam
from .base import Objective, Optimiser, OptimiserState, Stage, StopReason, Vector
from .gauss_newton import GaussNewton
from .lbfgs import LBFGS
from .levenberg_marquardt import LevenbergMarquardt
from .rates import ConstantRate, CosineRate, ExponentialRate, Rate

__all__ = [
    "LBFGS",
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
    "Stage",
    "StopReason",
    "Vector",
]
