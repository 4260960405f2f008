"""The table of equations by name, read by run files; a new equation is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .library.kirchhoff_plate import KirchhoffPlate
from .library.poisson import Poisson
from .pde import PDE

EQUATIONS: Mapping[str, type[PDE]] = MappingProxyType(
    {
        "KirchhoffPlate": KirchhoffPlate,
        "Poisson": Poisson,
    }
)
