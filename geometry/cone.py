"""Cones and frustums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

from sciml.framework.errors import GeometryError

from . import sizes
from .named_shape import NamedShape
from .polygon import Polygon
from .revolution import Revolution


@final
@dataclass(frozen=True)
class Cone(NamedShape):
    """The cone of height h over a disk of radius R, or what is left of it below a radius R_t.

    Parts: ``side``, ``bottom``, and ``top`` where R_t > 0.

    Parameters
    ----------
    center
        Centre of the bottom (c_x, c_y, c_z) [m].
    radius, height
        R and h [m], positive.
    top_radius
        Radius R_t at the height h [m], 0 <= R_t; a frustum where it is positive.

    Raises
    ------
    GeometryError
        If a number is not finite, R or h is not positive or R_t is negative.

    Examples
    --------
    >>> cone = Cone((0, 0, 0), 3, 4)
    >>> round(cone.measure, 10), round(cone.boundary_measure("side"), 10)
    (37.6991118431, 47.1238898038)
    """

    center: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 1.0
    height: float = 1.0
    top_radius: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", sizes.point("Cone", "center", self.center, 3))
        object.__setattr__(self, "radius", sizes.positive("Cone", "radius", self.radius))
        object.__setattr__(self, "height", sizes.positive("Cone", "height", self.height))
        top = sizes.finite("Cone", "top_radius", self.top_radius)
        if top < 0:
            raise GeometryError(f"Cone: top_radius must not be negative, got {top}")
        object.__setattr__(self, "top_radius", top)

    @cached_property
    def built(self) -> Revolution:
        """The turned triangle or trapezoid."""
        x, y, z = self.center
        top = ((self.top_radius, z + self.height),) if self.top_radius > 0 else ()
        corners = ((0.0, z), (self.radius, z), *top, (0.0, z + self.height))
        return Revolution(Polygon(corners), (x, y))

    @property
    def names(self) -> Mapping[str, str]:
        """Edges of the profile."""
        top = {"top": "edges.2"} if self.top_radius > 0 else {}
        return {"bottom": "edges.0", "side": "edges.1", **top}
