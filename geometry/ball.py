"""The ball of space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

from . import sizes
from .hyperball import Hyperball
from .named_shape import NamedShape


@final
@dataclass(frozen=True)
class Ball(NamedShape):
    """The ball (x - c_x)^2 + (y - c_y)^2 + (z - c_z)^2 <= R^2, with the part ``sphere``.

    Parameters
    ----------
    center
        Centre (c_x, c_y, c_z) [m].
    radius
        Radius R [m], positive.

    Raises
    ------
    GeometryError
        If a number is not finite or the radius is not positive.

    Examples
    --------
    >>> Ball((0, 0, 0), 2).boundary_factor()
    -x**2/4 - y**2/4 - z**2/4 + 1
    """

    center: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", sizes.point("Ball", "center", self.center, 3))
        object.__setattr__(self, "radius", sizes.positive("Ball", "radius", self.radius))

    @cached_property
    def built(self) -> Hyperball:
        """The ball of any dimension."""
        return Hyperball(self.center, self.radius)

    @property
    def names(self) -> Mapping[str, str]:
        """The sphere as it is."""
        return {"sphere": "sphere"}
