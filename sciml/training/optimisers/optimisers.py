"""The tables of optimisers and rates by name, read by run files; a new one is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .adam import Adam
from .adamw import AdamW
from .base import Optimiser
from .bfgs import BFGS
from .first_order import FirstOrder
from .gauss_newton import GaussNewton
from .lbfgs import LBFGS
from .levenberg_marquardt import LevenbergMarquardt
from .lion import Lion
from .muon import Muon
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

FIRST_ORDER: Mapping[str, type[FirstOrder]] = MappingProxyType(
    {
        "Adam": Adam,
        "AdamW": AdamW,
        "Averaged": Averaged,
        "Clipped": Clipped,
        "Lion": Lion,
        "Muon": Muon,
        "RMSprop": RMSprop,
        "SGD": SGD,
        "SOAP": SOAP,
    }
)

OPTIMISERS: Mapping[str, type[Optimiser]] = MappingProxyType(
    {
        **FIRST_ORDER,
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
        "OneCycle": OneCycle,
        "PlateauRate": PlateauRate,
        "WarmUp": WarmUp,
    }
)
