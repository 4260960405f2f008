"""The table of stages of a schedule by name, read by run files."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .optimisers import OPTIMISERS, Stage
from .repeat import Repeat
from .resampling import R3, RAD, RARD, Fresh, Importance

STAGES: Mapping[str, type[Stage]] = MappingProxyType(
    {
        **OPTIMISERS,
        "Fresh": Fresh,
        "Importance": Importance,
        "R3": R3,
        "RAD": RAD,
        "RARD": RARD,
        "Repeat": Repeat,
    }
)
