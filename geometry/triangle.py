"""The triangle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

from . import sizes
from .built_shape import BuiltShape
from .polygon import Polygon


@final
@dataclass(frozen=True)
class Triangle(BuiltShape):
    """A triangle, with the parts ``edges.0`` to ``edges.2`` and ``corners.0`` to ``corners.2``.

    Edge i leads from corner i to the next one, counter-clockwise from the first.

    Parameters
    ----------
    first, second, third
        Corners [m], in either sense.

    Raises
    ------
    GeometryError
        If a corner is not finite or the corners lie on one line.

    Examples
    --------
    >>> Triangle((0, 0), (3, 0), (0, 4)).boundary_measure("edges.1")
    5.0
    """

    first: tuple[float, float] = (0.0, 0.0)
    second: tuple[float, float] = (1.0, 0.0)
    third: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        for name in ("first", "second", "third"):
            place = sizes.point("Triangle", name, getattr(self, name), 2)
            object.__setattr__(self, name, place)
        _ = self.built  # refuses corners on one line

    @cached_property
    def built(self) -> Polygon:
        return Polygon((self.first, self.second, self.third))
