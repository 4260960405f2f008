"""A shape over an interval of time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

from sciml.framework.errors import GeometryError

from . import sizes
from .geometry import Geometry
from .interval import Interval
from .named_shape import NamedShape
from .product import Product


@final
@dataclass(frozen=True)
class SpaceTime(NamedShape):
    """The points (x, t) with x in a shape and start <= t <= end; time is the last coordinate.

    Parts: ``initial`` (t = start), ``final`` (t = end), and ``sides.<part>`` for every part of the
    shape at all times, with normals that have no component in time. Corners of the shape leave no
    part.

    Parameters
    ----------
    space
        Shape of any dimension [m].
    end, start
        Times [s], start < end.

    Raises
    ------
    GeometryError
        If `space` is not a shape, or the times are not finite or not in order.

    Notes
    -----
    `signed_distance` is that of (x, t) in numbers, metres and seconds alike: it tells inside from
    outside, and is the distance in space wherever the nearest boundary is a side. Likewise
    `measure` is in m^d s.

    Examples
    --------
    >>> from sciml.geometry import Disk
    >>> heating = SpaceTime(Disk((0, 0), 1), end=2)
    >>> heating.resolve("boundary")
    ('sides.circle', 'initial', 'final')
    >>> from sympy import symbols
    >>> heating.boundary_factor("initial", symbols("x y t"))
    t
    """

    space: Geometry
    end: float
    start: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.space, Geometry):
            raise GeometryError(
                f"SpaceTime: space must be a shape, for example Disk(), got {self.space!r}"
            )
        end = sizes.finite("SpaceTime", "end", self.end)
        start = sizes.finite("SpaceTime", "start", self.start)
        if not start < end:
            raise GeometryError(f"SpaceTime: start must be below end [s], got {start} and {end}")
        object.__setattr__(self, "end", end)
        object.__setattr__(self, "start", start)

    @cached_property
    def built(self) -> Product:
        """The product of the shape and the interval of time."""
        return Product(self.space, Interval(self.start, self.end))

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Parts of the product under the names of this shape."""
        return {**self.built.renamed("first", "sides"), "initial": "second.left",
                "final": "second.right"}  # fmt: skip
