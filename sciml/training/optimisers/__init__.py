"""Optimisers on flat float64 vectors, with states that can be stored and resumed exactly."""

from __future__ import annotations

from .adam import Adam
from .adamw import AdamW
from .base import Objective, Optimiser, OptimiserState, Stage, StopReason, Vector, WarmStarted
from .bfgs import BFGS
from .first_order import FirstOrder
from .gauss_newton import GaussNewton
from .lbfgs import LBFGS
from .levenberg_marquardt import LevenbergMarquardt
from .lion import Lion
from .matrixwise import ShapedLoss
from .muon import Muon
from .optimisers import FIRST_ORDER, OPTIMISERS, RATES
from .rates import (
    ConstantRate,
    CosineRate,
    ExponentialRate,
    OneCycle,
    PlateauRate,
    Rate,
    WarmUp,
)
from .rmsprop import RMSprop
from .sgd import SGD
from .soap import SOAP
from .ssbfgs import SSBFGS
from .ssbroyden import SSBroyden
from .wrappers import Averaged, Clipped

__all__ = [
    "BFGS",
    "FIRST_ORDER",
    "LBFGS",
    "OPTIMISERS",
    "RATES",
    "SGD",
    "SOAP",
    "SSBFGS",
    "Adam",
    "AdamW",
    "Averaged",
    "Clipped",
    "ConstantRate",
    "CosineRate",
    "ExponentialRate",
    "FirstOrder",
    "GaussNewton",
    "LevenbergMarquardt",
    "Lion",
    "Muon",
    "Objective",
    "OneCycle",
    "Optimiser",
    "OptimiserState",
    "PlateauRate",
    "RMSprop",
    "Rate",
    "SSBroyden",
    "ShapedLoss",
    "Stage",
    "StopReason",
    "Vector",
    "WarmStarted",
    "WarmUp",
]
