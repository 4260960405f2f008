"""The torus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

from sciml.framework.errors import GeometryError

from . import sizes
from .disk import Disk
from .named_shape import NamedShape
from .revolution import Revolution


@final
@dataclass(frozen=True)
class Torus(NamedShape):
    """The ring of radius R around z, with a circular section of radius a, and the part ``tube``.

    Parameters
    ----------
    center
        Centre (c_x, c_y, c_z) [m].
    radius, tube_radius
        R and a [m], 0 < a < R.

    Raises
    ------
    GeometryError
        If a number is not finite, or the radii are not positive and in order.

    Examples
    --------
    >>> round(Torus((0, 0, 0), 2, 1).measure, 10)
    39.4784176044
    """

    center: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 1.0
    tube_radius: float = 0.5

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", sizes.point("Torus", "center", self.center, 3))
        radius = sizes.positive("Torus", "radius", self.radius)
        tube = sizes.positive("Torus", "tube_radius", self.tube_radius)
        if not tube < radius:
            raise GeometryError(
                f"Torus: tube_radius must be below radius, got {tube} and {radius}; the ring "
                "would meet itself"
            )
        object.__setattr__(self, "radius", radius)
        object.__setattr__(self, "tube_radius", tube)

    @cached_property
    def built(self) -> Revolution:
        """The turned disk."""
        x, y, z = self.center
        return Revolution(Disk((self.radius, z), self.tube_radius), (x, y))

    @property
    def names(self) -> Mapping[str, str]:
        """The circle of the section."""
        return {"tube": "circle"}
