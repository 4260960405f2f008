"""Star-shaped regions, by the Fourier series of their radius."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from . import sizes
from .built_shape import BuiltShape
from .curved_shape import CurvedShape
from .path_piece import PathPiece

# Angles at which the radius is looked at.
LOOKS = 4096


@final
@dataclass(frozen=True)
class StarShaped(BuiltShape):
    """The points nearer to a centre than r(theta), with the part ``curve``.

    r(theta) = r_0 + sum over k of a_k cos(k theta) + b_k sin(k theta), k = 1, 2, ...

    Parameters
    ----------
    radius
        Mean radius r_0 [m].
    cosines, sines
        Coefficients a_k and b_k [m], from k = 1.
    center
        Centre [m].

    Raises
    ------
    GeometryError
        If a number is not finite or the radius is not positive everywhere.

    Examples
    --------
    A flower with five petals.

    >>> flower = StarShaped(1.0, cosines=(0, 0, 0, 0, 0.2))
    >>> round(flower.measure / math.pi, 10)
    1.02
    """

    radius: float = 1.0
    cosines: tuple[float, ...] = ()
    sines: tuple[float, ...] = ()
    center: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", sizes.positive("StarShaped", "radius", self.radius))
        for name in ("cosines", "sines"):
            listed: object = getattr(self, name)
            if not isinstance(listed, Iterable):
                raise GeometryError(
                    f"StarShaped: {name} must be a row of numbers, got {listed!r}; give "
                    f"({listed!r},)"
                )
            given = tuple(listed)
            object.__setattr__(self, name, sizes.point("StarShaped", name, given, len(given)))
        object.__setattr__(self, "center", sizes.point("StarShaped", "center", self.center, 2))
        angles = np.arange(LOOKS) * (2 * math.pi / LOOKS)
        radii = self.radial(angles)
        # Between two angles the radius falls by less than its greatest slope allows.
        slope = sum(k * (abs(a) + abs(b)) for k, a, b in self._terms())
        if radii.min() <= slope * math.pi / LOOKS:
            at = float(angles[radii.argmin()])
            raise GeometryError(
                f"StarShaped: the radius must be positive at all angles, got {radii.min():.6g} at "
                f"theta = {at:.6g}; make 'radius' larger than the other terms"
            )
        _ = self.built  # its tables are made now, not while tracing

    def radial(self, theta: Any) -> Any:
        """Return r(theta) [m]; a NumPy array or a traced tensor."""
        total = self.radius + 0.0 * theta
        for k, a, b in self._terms():
            total = total + a * framework.cos(k * theta) + b * framework.sin(k * theta)
        return total

    @cached_property
    def built(self) -> CurvedShape:
        return CurvedShape({"curve": PathPiece(_StarPath(self), 0.0, 2 * math.pi)})

    def _terms(self) -> list[tuple[int, float, float]]:
        count = max(len(self.cosines), len(self.sines))
        a = [*self.cosines, *[0.0] * (count - len(self.cosines))]
        b = [*self.sines, *[0.0] * (count - len(self.sines))]
        return [(k + 1, a[k], b[k]) for k in range(count) if a[k] or b[k]]


@final
@dataclass(frozen=True)
class _StarPath:
    """The boundary of a star-shaped region by its angle."""

    shape: StarShaped

    def __call__(self, theta: Any) -> tuple[Any, Any]:
        radius, (x, y) = self.shape.radial(theta), self.shape.center
        return x + radius * framework.cos(theta), y + radius * framework.sin(theta)
