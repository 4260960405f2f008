"""Distances that several shapes are made of, with derivatives that are finite everywhere."""

from __future__ import annotations

from typing import Any

import sciml.framework as framework

from .sizes import TINY


def length(square: Any) -> Any:
    """Return the square root of a squared length; below `TINY` it stays at that."""
    return framework.sqrt(framework.maximum(square, TINY**2))


def to_box(dx: Any, dy: Any) -> Any:
    """Return the signed distance to a rectangle with sides along the axes.

    Parameters
    ----------
    dx, dy
        Signed distances to its extent along each axis, negative between the sides, shape (n,).
    """
    out_x, out_y = framework.maximum(dx, 0.0), framework.maximum(dy, 0.0)
    outside = length(out_x * out_x + out_y * out_y) - TINY
    return outside + framework.minimum(framework.maximum(dx, dy), 0.0)
