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


def to_edges(X: Any, starts: Any, ends: Any) -> Any:
    """Return the distance to edges of closed rings, negative where they wind around the point.

    Parameters
    ----------
    X
        Points, shape (n, 2) [m].
    starts, ends
        Ends of the edges, with the region on their left, shape (m, 2) each [m].
    """
    (ax, ay), (dx, dy) = starts.T[:, None], (ends - starts).T[:, None]
    px, py = X[:, 0][:, None] - ax, X[:, 1][:, None] - ay
    share = framework.minimum(
        framework.maximum((px * dx + py * dy) / (dx * dx + dy * dy), 0.0), 1.0
    )
    away_x, away_y = px - share * dx, py - share * dy
    nearest = framework.min(away_x * away_x + away_y * away_y, axis=1)
    # An edge counts where it passes the height of the point with the point on its inner side.
    left = dx * py - dy * px
    start_below, end_below = framework.where(py >= 0, 1.0, 0.0), framework.where(py >= dy, 1.0, 0.0)
    up, down = start_below - end_below, end_below - start_below
    rising = framework.where(left > 0, framework.maximum(up, 0.0), 0.0)
    falling = framework.where(left < 0, framework.maximum(down, 0.0), 0.0)
    winding = framework.sum(rising - falling, axis=1)
    return (1.0 - 2.0 * winding) * (length(nearest) - TINY)
