"""Points on the boundary of a shape, with the frame the conditions need there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class BoundaryPoints:
    """Points of a boundary part with normals, tangents, curvature and weights.

    Parameters
    ----------
    points
        Shape (n, d) [m].
    normals
        Outward unit normals, shape (n, d) [-]. At a corner of a polygon: the unit bisector of the
        two edge normals.
    tangents
        Unit tangents (-n_y, n_x), shape (n, 2) [-], counter-clockwise around the shape; None
        unless d = 2.
    curvatures
        Sum of the principal curvatures of the boundary, which is the divergence of the unit normal
        field, shape (n,) [1/m]: 1/R on a circle, 2/R on a sphere, zero on what is flat; positive
        where the shape is convex. At a corner: the angle by which the normal turns [rad].
    weights
        Weights of an integral over the part, shape (n,) [m^(d-1)].
    part
        Name the points were asked for.
    """

    points: Array
    normals: Array
    tangents: Array | None
    curvatures: Array
    weights: Array
    part: str

    def __len__(self) -> int:
        return len(self.points)


def make(
    points: Array, normals: Array, curvatures: Array, weights: Array, part: str
) -> BoundaryPoints:
    """Return boundary points with tangents from the normals where the dimension is two."""
    plane = points.shape[1] == 2
    tangents = np.stack([-normals[:, 1], normals[:, 0]], axis=1) if plane else None
    return BoundaryPoints(points, normals, tangents, curvatures, weights, part)


def join(parts: Sequence[BoundaryPoints], part: str) -> BoundaryPoints:
    """Return the points of several parts as one set, in order."""
    return make(
        np.concatenate([p.points for p in parts]),
        np.concatenate([p.normals for p in parts]),
        np.concatenate([p.curvatures for p in parts]),
        np.concatenate([p.weights for p in parts]),
        part,
    )
