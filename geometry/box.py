"""The box of space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import final

from .hyperrectangle import Hyperrectangle, box
from .named_shape import NamedShape

NAMES = MappingProxyType(
    {
        "faces.left": "faces.x1.lower",
        "faces.right": "faces.x1.upper",
        "faces.front": "faces.x2.lower",
        "faces.back": "faces.x2.upper",
        "faces.bottom": "faces.x3.lower",
        "faces.top": "faces.x3.upper",
    }
)


@final
@dataclass(frozen=True)
class Box(NamedShape):
    """The box x0 <= x <= x1, y0 <= y <= y1, z0 <= z <= z1.

    Parts: ``faces.left`` and ``faces.right`` along x, ``faces.front`` and ``faces.back`` along y,
    ``faces.bottom`` and ``faces.top`` along z.

    Parameters
    ----------
    lower, upper
        Corners (x0, y0, z0) and (x1, y1, z1) [m].

    Raises
    ------
    GeometryError
        If a number is not finite or a side is not positive.

    Examples
    --------
    >>> block = Box((0, 0, 0), (1, 2, 3))
    >>> block.measure, block.boundary_measure("faces"), block.boundary_factor("faces.top")
    (6.0, 22.0, 3 - z)
    """

    lower: tuple[float, float, float] = (0.0, 0.0, 0.0)
    upper: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        lower, upper = box("Box", self.lower, self.upper, 3)
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)

    @cached_property
    def built(self) -> Hyperrectangle:
        """The same box with numbered axes."""
        return Hyperrectangle(self.lower, self.upper)

    @property
    def names(self) -> Mapping[str, str]:
        """Faces of the numbered axes."""
        return NAMES
