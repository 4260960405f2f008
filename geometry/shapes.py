"""The table of shapes by name, read by run files; a new shape is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .disk import Disk
from .geometry import Geometry
from .interval import Interval
from .rectangle import Rectangle

SHAPES: Mapping[str, type[Geometry]] = MappingProxyType(
    {
        "Disk": Disk,
        "Interval": Interval,
        "Rectangle": Rectangle,
    }
)
