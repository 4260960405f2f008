"""The rectangle with round corners."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from . import sizes
from .distances import to_box
from .pieces import Arc, PlanePiece, Segment
from .plane_shape import PlaneShape, cover
from .quadrature import Quadrature

Array = np.ndarray


@final
@dataclass(frozen=True)
class RoundedRectangle(PlaneShape):
    """The rectangle x0 <= x <= x1, y0 <= y <= y1 with quarter circles for corners.

    Parts: ``edges.left``, ``edges.right``, ``edges.bottom``, ``edges.top``, and
    ``fillets.bottom_left``, ``fillets.bottom_right``, ``fillets.top_right``, ``fillets.top_left``.

    Parameters
    ----------
    lower, upper
        Corners (x0, y0) and (x1, y1) of the box around it [m], x0 < x1 and y0 < y1.
    radius
        Radius of the quarter circles [m], positive and below half of the shorter side.

    Raises
    ------
    GeometryError
        If a number is not finite, a side is not positive or the radius does not fit.

    Examples
    --------
    >>> round(RoundedRectangle((0, 0), (2, 1), 0.25).measure, 10)
    1.9463495408
    """

    lower: tuple[float, float] = (0.0, 0.0)
    upper: tuple[float, float] = (1.0, 1.0)
    radius: float = 0.1

    def __post_init__(self) -> None:
        lower = sizes.point("RoundedRectangle", "lower", self.lower, 2)
        upper = sizes.point("RoundedRectangle", "upper", self.upper, 2)
        radius = sizes.positive("RoundedRectangle", "radius", self.radius)
        if not all(b - a > 2 * radius for a, b in zip(lower, upper, strict=True)):
            raise GeometryError(
                "RoundedRectangle: both sides must be longer than twice the radius, got "
                f"{lower}, {upper} and radius {radius}"
            )
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)
        object.__setattr__(self, "radius", radius)

    @property
    def measure(self) -> float:
        (x0, y0), (x1, y1) = self.lower, self.upper
        return (x1 - x0) * (y1 - y0) - (4 - math.pi) * self.radius**2

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return self.lower, self.upper

    @property
    def pieces(self) -> Mapping[str, PlanePiece]:
        (x0, y0), (x1, y1), r, quarter = self.lower, self.upper, self.radius, math.pi / 2
        left, right, bottom, top = x0 + r, x1 - r, y0 + r, y1 - r
        return {
            "edges.left": Segment((x0, top), (x0, bottom)),
            "fillets.bottom_left": Arc((left, bottom), r, 2 * quarter, 3 * quarter),
            "edges.bottom": Segment((left, y0), (right, y0)),
            "fillets.bottom_right": Arc((right, bottom), r, 3 * quarter, 4 * quarter),
            "edges.right": Segment((x1, bottom), (x1, top)),
            "fillets.top_right": Arc((right, top), r, 0.0, quarter),
            "edges.top": Segment((right, y1), (left, y1)),
            "fillets.top_left": Arc((left, top), r, quarter, 2 * quarter),
        }

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {}

    def signed_distance(self, X: Any) -> Any:
        """Return the exact distance to the rectangle of the centres, less the radius."""
        (x0, y0), (x1, y1), r = self.lower, self.upper, self.radius
        dx = framework.maximum(x0 - X[:, 0], X[:, 0] - x1) + r
        dy = framework.maximum(y0 - X[:, 1], X[:, 1] - y1) + r
        return to_box(dx, dy) - r

    def from_unit_cube(self, unit: Array) -> Array:
        """Cover the rectangle; its sharp corners fall outside."""
        return cover(self.bounding_box, unit)

    def quadrature(self, n: int) -> Quadrature:
        """Refuse: the fillets have no Gauss rule."""
        raise GeometryError(
            "RoundedRectangle: no Gauss rule is exact for polynomials on it; use "
            f"'sample_interior' or boundary integrals (asked for n = {n})"
        )
