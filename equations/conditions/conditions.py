"""The table of conditions by name, read by run files; a new condition is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .clamped import Clamped
from .condition import Condition
from .dirichlet import Dirichlet
from .free import Free
from .free_corner import FreeCorner
from .guided import Guided
from .neumann import Neumann
from .simply_supported import SimplySupported

CONDITIONS: Mapping[str, type[Condition]] = MappingProxyType(
    {
        "Clamped": Clamped,
        "Dirichlet": Dirichlet,
        "Free": Free,
        "FreeCorner": FreeCorner,
        "Guided": Guided,
        "Neumann": Neumann,
        "SimplySupported": SimplySupported,
    }
)
