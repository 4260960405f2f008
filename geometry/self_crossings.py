"""Triangles of a surface that pierce each other."""

from __future__ import annotations

import numpy as np

from sciml.framework.errors import GeometryError

from .triangle_search import CHUNK, TriangleSearch, filled
from .triangle_surface import TriangleSurface

Array = np.ndarray

# Crossings nearer to an edge or plane than this share of the lengths at hand are touches.
NEAR = 1e-10


def refuse_crossings(search: TriangleSearch) -> None:
    """Refuse a surface of which an edge passes through the inside of a triangle.

    Raises
    ------
    GeometryError
        If there is one; the message names both triangles and the place.
    """
    surface = search.surface
    triangle, cell = filled(*search.ranges())
    order = np.lexsort(cell.T)
    triangle, cell = triangle[order], cell[order]
    starts = np.flatnonzero(np.concatenate([[True], (np.diff(cell, axis=0) != 0).any(axis=1)]))
    sizes = np.diff(np.concatenate([starts, [len(triangle)]]))
    first, counts = np.repeat(starts, sizes), np.repeat(sizes, sizes)
    ends = np.cumsum(counts)
    start = 0
    while start < len(triangle):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + CHUNK)))
        own = counts[start:stop]
        offset = np.arange(own.sum()) - np.repeat(np.cumsum(own) - own, own)
        other = triangle[np.repeat(first[start:stop], own) + offset]
        _refuse(surface, np.repeat(triangle[start:stop], own), other)
        start = stop


def _refuse(surface: TriangleSurface, edged: Array, pierced: Array) -> None:
    """Refuse pairs of which an edge of the first passes through the second."""
    corners, cross = surface.corners[pierced], surface.normals[pierced]
    size = float(np.ptp(surface.vertices, axis=0).max())
    for i in range(3):
        ends = surface.triangles[edged][:, [i, (i + 1) % 3]]
        apart = (ends[:, :, None] != surface.triangles[pierced][:, None, :]).all(axis=(1, 2))
        a, b = surface.vertices[ends[:, 0]], surface.vertices[ends[:, 1]]
        before = np.einsum("ij,ij->i", a - corners[:, 0], cross)
        after = np.einsum("ij,ij->i", b - corners[:, 0], cross)
        near = NEAR * size
        row = np.flatnonzero(
            apart & (np.minimum(before, after) < -near) & (np.maximum(before, after) > near)
        )
        share = (before[row] / (before[row] - after[row]))[:, None]
        place = (1 - share) * a[row] + share * b[row]
        inside = np.ones(len(row), dtype=bool)
        for k in range(3):
            p, q = corners[row, k], corners[row, (k + 1) % 3]
            side = np.einsum("ij,ij->i", np.cross(q - p, place - p), cross[row])
            inside &= side > near * np.linalg.norm(q - p, axis=1)
        if inside.any():
            worst = int(np.argmax(inside))
            where = tuple(round(float(c), 9) for c in place[worst])
            raise GeometryError(
                f"Mesh: the triangles {int(edged[row[worst]])} and {int(pierced[row[worst]])} "
                f"cross at {where}; the surface must not pass through itself, unite its bodies"
            )
