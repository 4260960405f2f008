"""Prisms and cylinders: shapes of the plane drawn out along z."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

from sciml.framework.errors import GeometryError

from . import sizes
from .disk import Disk
from .geometry import Geometry
from .interval import Interval
from .named_shape import NamedShape
from .product import Product


@final
@dataclass(frozen=True)
class Extrusion(NamedShape):
    """The points (x, y, z) with (x, y) in a shape of the plane and z0 <= z <= z0 + h, a prism.

    Parts: ``bottom``, ``top``, and ``sides.<part>`` for every part of the profile. Corners of the
    profile leave no part.

    Parameters
    ----------
    profile
        Shape of the plane.
    height
        Height h [m], positive.
    bottom
        Height z0 of the lower end [m].

    Raises
    ------
    GeometryError
        If the profile is not a shape of the plane, or the height is not positive.

    Examples
    --------
    >>> from sciml.geometry import Triangle
    >>> prism = Extrusion(Triangle((0, 0), (1, 0), (0, 1)), 3)
    >>> prism.measure, prism.resolve("sides")
    (1.5, ('sides.edges.0', 'sides.edges.1', 'sides.edges.2'))
    """

    profile: Geometry
    height: float = 1.0
    bottom: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.profile, Geometry) or self.profile.dimension != 2:
            raise GeometryError(
                "Extrusion: profile must be a shape of the plane, for example Disk(), got "
                f"{self.profile!r}"
            )
        object.__setattr__(self, "height", sizes.positive("Extrusion", "height", self.height))
        object.__setattr__(self, "bottom", sizes.finite("Extrusion", "bottom", self.bottom))

    @cached_property
    def built(self) -> Product:
        """The product of the profile and an interval."""
        return Product(self.profile, Interval(self.bottom, self.bottom + self.height))

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Parts of the product under the names of this shape."""
        return {"bottom": "second.left", **self.built.renamed("first", "sides"),
                "top": "second.right"}  # fmt: skip


@final
@dataclass(frozen=True)
class Cylinder(NamedShape):
    """The cylinder of radius R and height h along z, with the parts ``side``, ``bottom``, ``top``.

    Parameters
    ----------
    center
        Centre of the bottom (c_x, c_y, c_z) [m].
    radius, height
        R and h [m], positive.

    Raises
    ------
    GeometryError
        If a number is not finite, or the radius or height is not positive.

    Examples
    --------
    >>> round(Cylinder((0, 0, 0), 1, 2).boundary_measure("side"), 10)
    12.5663706144
    """

    center: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 1.0
    height: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", sizes.point("Cylinder", "center", self.center, 3))
        object.__setattr__(self, "radius", sizes.positive("Cylinder", "radius", self.radius))
        object.__setattr__(self, "height", sizes.positive("Cylinder", "height", self.height))

    @cached_property
    def built(self) -> Product:
        """The product of a disk and an interval."""
        x, y, z = self.center
        return Product(Disk((x, y), self.radius), Interval(z, z + self.height))

    @property
    def names(self) -> Mapping[str, str]:
        """Parts of the product under the names of this shape."""
        return {"bottom": "second.left", "side": "first.circle", "top": "second.right"}
