"""A polygon cut into trapezoids with vertical sides: sampling and quadrature on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .quadrature import Quadrature, gauss_legendre

Array = np.ndarray


@dataclass(frozen=True)
class Trapezoids:
    """Trapezoids left[i] <= x <= right[i] between two lines, by slab from left to right.

    Parameters
    ----------
    left, right
        Ends in x of each trapezoid, shape (n,) [m].
    low, high
        Heights of the lower and the upper line at both ends, shape (n, 2) [m].
    """

    left: Array
    right: Array
    low: Array
    high: Array

    @classmethod
    def cut(cls, rings: Sequence[Sequence[tuple[float, float]]]) -> Trapezoids:
        """Cut along the vertical line through every vertex.

        In a slab between two such lines no edges cross, so that, sorted by height, each edge with
        an odd number is the top of the trapezoid above the edge before it.
        """
        starts, ends = edges_of(rings)
        swap = starts[:, 0] > ends[:, 0]
        starts, ends = (
            np.where(swap[:, None], ends, starts),
            np.where(swap[:, None], starts, ends),
        )
        rows = []
        lines = np.unique(starts[:, 0].tolist() + ends[:, 0].tolist())
        for a, b in pairwise(lines):
            across = (starts[:, 0] <= a) & (ends[:, 0] >= b)
            p, q = starts[across], ends[across]
            share = (np.array([a, b]) - p[:, :1]) / (q[:, :1] - p[:, :1])
            heights = (1 - share) * p[:, 1:] + share * q[:, 1:]
            heights = heights[np.argsort(heights.mean(axis=1))]
            rows += [(a, b, *low, *high)
                     for low, high in zip(heights[::2], heights[1::2], strict=True)]  # fmt: skip
        table = np.array(rows)
        return cls(table[:, 0], table[:, 1], table[:, 2:4], table[:, 4:6])

    def from_unit_square(self, unit: Array) -> Array:
        """Map the unit square by the share of area left of x, then of length below y."""
        width = self.right - self.left
        size = self.high - self.low
        slabs = np.unique(self.left)
        slab = np.searchsorted(slabs, self.left)
        ends = np.stack([np.bincount(slab, size[:, k]) for k in (0, 1)], axis=1)
        widths = np.bincount(slab, width) / np.bincount(slab)
        areas = widths * ends.mean(axis=1)
        total = np.concatenate([[0.0], np.cumsum(areas)])
        target = unit[:, 0] * total[-1]
        at = np.clip(np.searchsorted(total, target, side="right") - 1, 0, len(slabs) - 1)
        # Solve e0 t + (e1 - e0) t^2 / 2 = r, in the form without cancellation.
        rest = np.clip((target - total[at]) / widths[at], 0.0, None)
        first, last = ends[at].T
        root = np.sqrt(np.maximum(first**2 + 2 * (last - first) * rest, 0.0))
        share = np.clip(2 * rest / np.maximum(first + root, np.finfo(float).tiny), 0.0, 1.0)
        x = (1 - share) * slabs[at] + share * (slabs[at] + widths[at])
        target = unit[:, 1] * (first + share * (last - first))
        y = np.empty(len(unit))
        for i, rows in _grouped(at, len(slabs)):
            here = slab == i
            low, size_at = (
                ends[:, :1] + share[rows] * (ends[:, 1:] - ends[:, :1])
                for ends in (self.low[here], size[here])
            )
            # The trapezoid in which the length below y is reached, from the lowest one up.
            below = np.cumsum(size_at, axis=0)
            stacked = np.minimum((target[rows] > below).sum(axis=0), len(low) - 1)
            column = np.arange(len(rows))
            used = below[stacked, column] - size_at[stacked, column]
            y[rows] = low[stacked, column] + target[rows] - used
        return np.stack([x, y], axis=1)

    def side(self, X: Array, near: float) -> Array:
        """Return for each point 1 inside, -1 outside, 0 where a line is nearer than ``near``.

        The distance is that along y, and to the ends of slabs along x: no less than the true one.
        """
        slabs = np.unique(self.left)
        first, last = slabs[0], self.right.max()
        found = np.full(len(X), -1)
        at = np.searchsorted(slabs, X[:, 0], side="right") - 1
        inside = (at >= 0) & (X[:, 0] <= last)
        at = np.where(inside, at, len(slabs))
        for i, rows in _grouped(at, len(slabs)):
            here = self.left == slabs[i]
            x, y = X[rows].T
            left, right = self.left[here][0], self.right[here][0]
            share = (x - left) / (right - left)
            low, high = (
                ends[:, :1] + share * (ends[:, 1:] - ends[:, :1])
                for ends in (self.low[here], self.high[here])
            )
            within = ((low <= y) & (y <= high)).any(axis=0)
            close = (np.minimum(np.abs(y - low), np.abs(y - high)) < near).any(axis=0)
            close |= np.minimum(x - left, right - x) < near
            found[rows] = np.where(close, 0, np.where(within, 1, -1))
        found[np.minimum(np.abs(X[:, 0] - first), np.abs(X[:, 0] - last)) < near] = 0
        return found

    def quadrature(self, n: int) -> Quadrature:
        """Return n + 1 Gauss points across times n up each trapezoid, exact to degree 2 n - 1."""
        s, ws = gauss_legendre(n + 1, 0.0, 1.0)
        t, wt = gauss_legendre(n, 0.0, 1.0)
        low = self.low[:, :1] + s * (self.low[:, 1:] - self.low[:, :1])
        high = self.high[:, :1] + s * (self.high[:, 1:] - self.high[:, :1])
        width = (self.right - self.left)[:, None]
        x = np.broadcast_to((self.left[:, None] + s * width)[..., None], (*low.shape, n))
        y = low[..., None] + t * (high - low)[..., None]
        weights = (ws * width * (high - low))[..., None] * wt
        return Quadrature(np.stack([x.ravel(), y.ravel()], axis=1), weights.ravel())


def _grouped(labels: Array, count: int) -> Iterator[tuple[int, Array]]:
    """Yield each label below ``count`` that occurs, with the rows that have it."""
    order = np.argsort(labels, kind="stable")
    ends = np.searchsorted(labels[order], np.arange(count + 1))
    for i in range(count):
        if ends[i] < ends[i + 1]:
            yield i, order[ends[i] : ends[i + 1]]


def edges_of(rings: Sequence[Sequence[tuple[float, float]]]) -> tuple[Array, Array]:
    """Return starts and ends of all edges of closed rings, shape (n, 2) each."""
    starts = np.concatenate([np.array(ring) for ring in rings])
    ends = np.concatenate([np.roll(np.array(ring), -1, axis=0) for ring in rings])
    return starts, ends
