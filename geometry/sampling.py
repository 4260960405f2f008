"""Points on the boundary of a shape, shared between its pieces."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from . import boundary
from .boundary import BoundaryPoints
from .pieces import Piece
from .samplers import images, shares, unit_points

if TYPE_CHECKING:
    from .geometry import Geometry

Array = np.ndarray


def boundary_points(shape: Geometry, part: str, n: int, sampler: str, seed: int) -> BoundaryPoints:
    """Return the points of `Geometry.sample_boundary`."""
    leaves = shape.resolve(part)
    unit_points(sampler, n, (), seed)  # refuses a bad count, sampler or seed
    counts = shares(n, [shape.pieces[leaf].measure for leaf in leaves])
    order = list(shape.pieces)
    sampled = []
    for leaf, count in zip(leaves, counts, strict=True):
        if count:
            piece = shape.pieces[leaf]
            unit = images(
                sampler, count, (1.0,) * piece.parameters, seed, 1 + order.index(leaf),
                partial(_kept, piece), f"{type(shape).__name__}: {leaf!r}",
            )  # fmt: skip
            found = piece.at(unit, np.full(count, 1 / count), part)
            if leaf in shape.corners:
                found = replace(found, curvatures=np.full(count, turn(shape, leaf)))
            sampled.append(found)
    return boundary.join(sampled, part)


def turn(shape: Geometry, corner: str) -> float:
    """Return the angle by which the normal turns to the left at a corner of a plane shape [rad].

    It is the curvature integrated over the corner: pi/2 at that of a rectangle, negative where it
    is re-entrant.
    """
    before, after = (shape.pieces[leaf] for leaf in shape.corners[corner])
    (ax, ay), (bx, by) = before.frame(np.ones((1, 1)))[1][0], after.frame(np.zeros((1, 1)))[1][0]
    return math.atan2(ax * by - ay * bx, ax * bx + ay * by)


def _kept(piece: Piece, unit: Array) -> Array:
    """Return the unit points that a piece is the image of."""
    return np.asarray(unit[piece.kept(unit)])
