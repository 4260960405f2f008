"""The tables of optimisers and rates by name, read by run files; a new one is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .adam import Adam
from .base import Optimiser
from .bfgs import BFGS
from .gauss_newton import GaussNewton
from .lbfgs import LBFGS
from .levenberg_marquardt import LevenbergMarquardt
from .rates import ConstantRate, CosineRate, ExponentialRate, Rate
from .ssbfgs import SSBFGS
from .ssbroyden import SSBroyden

OPTIMISERS: Mapping[str, type[Optimiser]] = MappingProxyType(
    {
        "Adam": Adam,
        "BFGS": BFGS,
        "GaussNewton": GaussNewton,
        "LBFGS": LBFGS,
        "LevenbergMarquardt": LevenbergMarquardt,
        "SSBFGS": SSBFGS,
        "SSBroyden": SSBroyden,
    }
)

RATES: Mapping[str, type[Rate]] = MappingProxyType(
    {
        "ConstantRate": ConstantRate,
        "CosineRate": CosineRate,
        "ExponentialRate": ExponentialRate,
    }
)
