"""Where points lie about a closed surface of triangles: nearest triangles, inside or outside."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np

from .triangle_surface import TriangleSurface, squared_distances

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

Array = np.ndarray

# Pairs of a point and a triangle that are looked at together, some hundred megabytes.
CHUNK = 500_000
# Least and most cells along the longest side of the box.
FEWEST, MOST = 8, 96
OUTSIDE, INSIDE, CUT = 0, 1, 2


@final
@dataclass(frozen=True, eq=False)
class TriangleSearch:
    """Tables that answer for many points at once.

    Parameters
    ----------
    surface
        The closed surface.
    """

    surface: TriangleSurface

    def distances(self, X: Array) -> Array:
        """Return the distance to the surface, shape (n,) [m].

        For each class of triangles of like size, the centroids within the distance found so far
        plus the largest radius in the class are looked at, which no nearer triangle escapes.
        """
        best = np.full(len(X), np.inf)
        for tree, members, radius in self._classes:
            _, near = tree.query(X)
            corners = self.surface.corners[members[near]]
            best = np.minimum(best, np.sqrt(squared_distances(X, corners)))
            counts = tree.query_ball_point(X, best + radius, return_length=True)
            ends = np.cumsum(counts)
            start = 0
            while start < len(X):
                before = ends[start - 1] if start else 0
                stop = max(start + 1, int(np.searchsorted(ends, before + CHUNK)))
                rows = slice(start, stop)
                found = tree.query_ball_point(X[rows], (best + radius)[rows])
                triangle = members[np.concatenate([np.asarray(f, dtype=int) for f in found])]
                point = np.repeat(np.arange(start, min(stop, len(X))), counts[rows])
                square = squared_distances(X[point], self.surface.corners[triangle])
                np.minimum.at(best, point, np.sqrt(square))
                start = stop
        return best

    def inside(self, X: Array) -> Array:
        """Return for each point, shape (n, 3), whether the surface winds around it.

        Cells of a grid that no triangle cuts lie wholly inside or outside; in the others, rays
        along z are counted.
        """
        lower, step, shape = self._grid
        cell = np.floor((X - lower) / step).astype(int)
        within = ((cell >= 0) & (cell < shape)).all(axis=1)
        kind = np.zeros(len(X), dtype=np.int8)
        kind[within] = self._kinds[tuple(cell[within].T)]
        result = kind == INSIDE
        cut = np.flatnonzero(kind == CUT)
        result[cut] = self._above(X[cut])
        return np.asarray(result)

    def _above(self, X: Array) -> Array:
        """Return whether an odd number of triangles lies above each point.

        A triangle lies above or below where its projection winds around the point. Edges reach
        from their lower end to below their upper one, and are always compared from the lower to
        the upper end, so that of triangles with a common edge exactly one is met.
        """
        lower, step, shape = self._grid
        column = np.clip(np.floor((X - lower) / step).astype(int), 0, shape - 1)
        column = column[:, 0] * shape[1] + column[:, 1]
        first, counts = self._columns[1][column], np.diff(self._columns[1])[column]
        result = np.zeros(len(X), dtype=bool)
        ends = np.cumsum(counts)
        start = 0
        while start < len(X):
            before = ends[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, before + CHUNK)))
            own = counts[start:stop]
            point = np.repeat(np.arange(start, start + len(own)), own)
            offset = np.arange(len(point)) - np.repeat(np.cumsum(own) - own, own)
            triangle = self._columns[0][np.repeat(first[start:stop], own) + offset]
            hits = np.bincount(point[self._hit(X[point], triangle)], minlength=len(X))
            result ^= hits % 2 == 1
            start = stop
        return result

    def _hit(self, X: Array, triangle: Array) -> Array:
        """Return whether a ray from each point along z meets its own triangle."""
        x, y = X[:, 0], X[:, 1]
        winding = np.zeros(len(X), dtype=np.int8)
        for low, high, turn in self._edges:
            a, b = low[triangle], high[triangle]
            across = (a[:, 1] <= y) & (y < b[:, 1])
            left = (b[:, 0] - a[:, 0]) * (y - a[:, 1]) - (b[:, 1] - a[:, 1]) * (x - a[:, 0]) > 0
            winding += turn[triangle] * (across & left)
        normal = self._normals[triangle]
        height = np.einsum("ij,ij->i", self.surface.corners[triangle, 0] - X, normal)
        return np.asarray((winding != 0) & (height * normal[:, 2] > 0))

    @cached_property
    def _normals(self) -> Array:
        return self.surface.normals

    @cached_property
    def _edges(self) -> list[tuple[Array, Array, Array]]:
        """For each of the three edges of all triangles its lower and upper end, and its sense."""
        found = []
        index = self.surface.triangles
        for i in range(3):
            start, end = index[:, i], index[:, (i + 1) % 3]
            y0, y1 = self.surface.vertices[start, 1], self.surface.vertices[end, 1]
            up = (y0 < y1) | ((y0 == y1) & (start < end))
            low, high = np.where(up, start, end), np.where(up, end, start)
            sense = np.where(up, 1, -1).astype(np.int8)
            found.append((self.surface.vertices[low], self.surface.vertices[high], sense))
        return found

    @cached_property
    def _classes(self) -> list[tuple[cKDTree, Array, float]]:
        """Triangles by size, in powers of two: a tree of centroids, numbers, largest radius."""
        from scipy.spatial import cKDTree

        middle = self.surface.corners.mean(axis=1)
        radius = np.linalg.norm(self.surface.corners - middle[:, None], axis=2).max(axis=1)
        level = np.floor(np.log2(radius)).astype(int)
        return [
            (
                cKDTree(middle[level == k]),
                np.flatnonzero(level == k),
                float(radius[level == k].max()),
            )
            for k in np.unique(level)
        ]

    @cached_property
    def _grid(self) -> tuple[Array, Array, Array]:
        """Lower corner, sides of a cell, and number of cells along each axis."""
        lower, upper = self.surface.box
        extent = upper - lower
        most = np.clip(np.sqrt(len(self.surface.triangles)), FEWEST, MOST)
        shape = np.maximum(1, np.ceil(most * extent / extent.max())).astype(int)
        # A rim of cells around the box lies outside.
        step = extent * (1 + 1e-9) / shape
        return lower - step * (1 + 1e-9), step, shape + 2

    def ranges(self) -> tuple[Array, Array]:
        """Return the first and last cell that each triangle reaches, shape (m, 3) each."""
        lower, step, shape = self._grid
        ends = (self.surface.corners.min(axis=1), self.surface.corners.max(axis=1))
        first, last = (np.floor((end - lower) / step).astype(int) for end in ends)
        return np.clip(first, 0, shape - 1), np.clip(last, 0, shape - 1)

    @cached_property
    def _columns(self) -> tuple[Array, Array]:
        """Triangles over each column of cells, one column after another, and where each starts."""
        first, last = self.ranges()
        _, _, shape = self._grid
        triangle, cell = filled(first[:, :2], last[:, :2])
        column = cell[:, 0] * shape[1] + cell[:, 1]
        order = np.argsort(column, kind="stable")
        counts = np.bincount(column, minlength=shape[0] * shape[1])
        return triangle[order], np.concatenate([[0], np.cumsum(counts)])

    @cached_property
    def _kinds(self) -> Array:
        """Whether each cell is outside, inside, or cut."""
        from scipy.ndimage import label

        lower, step, shape = self._grid
        triangle, cell = filled(*self.ranges())
        # A cell is not cut by a triangle whose plane passes it by.
        normal = self._normals[triangle]
        center = lower + step * (cell + 0.5) - self.surface.corners[triangle, 0]
        reach = np.abs(normal) @ (step / 2) * (1 + 1e-9)
        near = np.abs(np.einsum("ij,ij->i", center, normal)) <= reach
        cut = np.zeros(shape, dtype=bool)
        cut[tuple(cell[near].T)] = True
        regions, count = label(~cut)
        kinds = np.full(shape, CUT, dtype=np.int8)
        # One cell of each connected region speaks for all of it.
        numbers, first = np.unique(regions.ravel(), return_index=True)
        probe = first[numbers > 0]
        centers = lower + step * (np.stack(np.unravel_index(probe, shape), axis=1) + 0.5)
        state = np.zeros(count + 1, dtype=np.int8)
        state[1:] = np.where(self._above(centers), INSIDE, OUTSIDE)
        kinds[~cut] = state[regions[~cut]]
        return kinds


def filled(first: Array, last: Array) -> tuple[Array, Array]:
    """Return all cells of integer boxes: the number of the box, and the cell, shape (k, d)."""
    sides = last - first + 1
    counts = sides.prod(axis=1)
    box = np.repeat(np.arange(len(first)), counts)
    rest = np.arange(len(box)) - np.repeat(np.cumsum(counts) - counts, counts)
    columns = []
    for i in reversed(range(first.shape[1])):
        rest, column = np.divmod(rest, sides[box, i])
        columns.append(first[box, i] + column)
    return box, np.stack(columns[::-1], axis=1)
