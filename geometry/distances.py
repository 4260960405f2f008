"""Distances that several shapes are made of, with derivatives that are finite everywhere."""

from __future__ import annotations

import math
import operator
from functools import reduce
from typing import Any

import sciml.framework as framework

from .sizes import TINY


def length(square: Any) -> Any:
    """Return the square root of a squared length; below `TINY` it stays at that."""
    return framework.sqrt(framework.maximum(square, TINY**2))


def to_box(*gaps: Any) -> Any:
    """Return the signed distance to a box with sides along the axes, or to a product of shapes.

    It is max_i d_i inside, and sqrt(sum_i max(d_i, 0)^2) outside.

    Parameters
    ----------
    *gaps
        Signed distance d_i to the extent along each axis, or to each factor of the product in its
        own coordinates, negative inside, shape (n,).
    """
    outs = [framework.maximum(gap, 0.0) for gap in gaps]
    outside = length(reduce(operator.add, [out * out for out in outs])) - TINY
    return outside + framework.minimum(reduce(framework.maximum, gaps), 0.0)


def to_segment(x: Any, y: Any, start: tuple[float, float], end: tuple[float, float]) -> Any:
    """Return the distance of points (x, y) of the plane to a segment, shape (n,)."""
    px, py, dx, dy = x - start[0], y - start[1], end[0] - start[0], end[1] - start[1]
    along = (px * dx + py * dy) / (dx * dx + dy * dy)
    share = framework.minimum(framework.maximum(along, 0.0), 1.0)
    away_x, away_y = px - share * dx, py - share * dy
    return length(away_x * away_x + away_y * away_y) - TINY


def to_arc(x: Any, y: Any, radius: float, middle: float, half: float) -> Any:
    """Return the distance of points (x, y) to an arc of a circle around the origin, shape (n,).

    Parameters
    ----------
    x, y
        Coordinates, shape (n,) [m].
    radius
        Radius [m].
    middle, half
        Polar angle of the middle of the arc, and half of the angle it spans [rad].
    """
    along = math.cos(middle) * x + math.sin(middle) * y
    across = framework.abs(math.cos(middle) * y - math.sin(middle) * x)
    c, s = math.cos(half), math.sin(half)
    end_x, end_y = along - radius * c, across - radius * s
    to_end = length(end_x * end_x + end_y * end_y) - TINY
    to_circle = framework.abs(length(x * x + y * y) - radius)
    return framework.where(c * across - s * along > 0, to_end, to_circle)
