"""Distances that several shapes are made of, with derivatives that are finite everywhere."""

from __future__ import annotations

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
