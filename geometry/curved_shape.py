"""Regions bounded by one closed curve of smooth pieces, and the nearest points of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from .distances import length
from .path_piece import PathPiece
from .pieces import PlanePiece
from .plane_shape import PlaneShape, area, cover
from .quadrature import Quadrature
from .trimming import Joint, joints

Array = np.ndarray

# Even points of a piece from which nearest points are looked for, and how many blocks they form on
# all pieces together, at least; of each block one point starts Newton's method.
STARTS, BLOCKS = 512, 16
# Newton steps to a nearest point; each squares the error, a share of 1/512 at first.
STEPS = 5


@final
@dataclass(frozen=True)
class CurvedShape(PlaneShape):
    """The region inside a closed curve, given by its pieces in walking order.

    Parts are those of the pieces, and ``corners.i`` where piece i, from zero, begins in another
    direction than the one before it ends.

    Parameters
    ----------
    curves
        Pieces by name, counter-clockwise; each begins where the one before it ends.

    Raises
    ------
    GeometryError
        If the curve is open, walked clockwise or meets itself. Crossings are looked for between
        512 chords of each piece.
    """

    curves: Mapping[str, PathPiece]

    def __post_init__(self) -> None:
        object.__setattr__(self, "curves", dict(self.curves))
        _ = self._joints  # refuses an open curve
        self._check_simple()
        _ = self._tables, self._ends  # now, since arrays made while tracing are none
        if self.measure <= 0:
            raise GeometryError(
                f"a closed curve must be walked counter-clockwise, got the area {self.measure:g}"
            )

    def __hash__(self) -> int:
        return hash(tuple(self.curves.items()))

    @cached_property
    def measure(self) -> float:
        return area(self.curves.values())

    @cached_property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The box around 512 points of each piece, moved on to where the tangent is along it."""
        found, axis = [], np.array([0, 1, 0, 1])
        for (t, points), piece in zip(self._tables, self.curves.values(), strict=True):
            step = abs(piece.last - piece.first) / STARTS
            low, high = sorted(piece.span)
            s = t[np.concatenate([points.argmin(axis=0), points.argmax(axis=0)])]
            for _ in range(STEPS):
                _, velocity, acceleration = piece.derivatives(s)
                bend = acceleration[np.arange(4), axis]
                move = -velocity[np.arange(4), axis] / np.where(bend == 0, 1.0, bend)
                s = np.clip(s + np.clip(move, -step, step), low, high)
            found += [points, piece.derivatives(np.append(s, piece.span))[0]]
        points = np.concatenate(found)
        return tuple(points.min(axis=0).tolist()), tuple(points.max(axis=0).tolist())

    @cached_property
    def pieces(self) -> Mapping[str, PlanePiece]:
        vertices = {f"corners.{j.after}": j.vertex for j in self._joints if j.sharp}
        return {**self.curves, **vertices}

    @cached_property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        names = list(self.curves)
        return {
            f"corners.{j.after}": (names[j.before], names[j.after]) for j in self._joints if j.sharp
        }

    def signed_distance(self, X: Any) -> Any:
        """Return the distance to the nearest point found by Newton's method, shape (n,).

        It starts from the nearest of 512 points on each of 16 stretches of the curve, or of four
        on each piece of many, and is exact to rounding but where two points of one such stretch
        are equally near, to 1e-5 of the size of the shape: there it may take the farther one.
        """
        squares, values = [], []
        blocks = 2 ** max(2, math.ceil(math.log2(BLOCKS / len(self.curves))))
        for piece, table, ends in zip(self.curves.values(), self._tables, self._ends, strict=True):
            square, value = _nearest(X, piece, table, ends, blocks)
            squares.append(square)
            values.append(value)
        square, value = (framework.concatenate(c, axis=1) for c in (squares, values))
        chosen = square <= framework.min(square, axis=1)[:, None]
        count = framework.sum(framework.where(chosen, 1.0, 0.0), axis=1)
        return framework.sum(framework.where(chosen, value, 0.0), axis=1) / count

    def from_unit_cube(self, unit: Array) -> Array:
        """Cover the bounding box."""
        return cover(self.bounding_box, unit)

    def quadrature(self, n: int) -> Quadrature:
        """Refuse: the shape is known by its boundary only."""
        raise GeometryError(
            "no Gauss rule is known for the inside of a curve; use 'sample_interior' or boundary "
            f"integrals (asked for n = {n})"
        )

    @cached_property
    def _joints(self) -> list[Joint]:
        pieces = list(self.curves.values())
        size = max(np.abs(piece.frame(np.zeros((1, 1)))[0]).max() + piece.measure
                   for piece in pieces)  # fmt: skip
        found = joints(pieces, float(size))
        if any(joint.after != (joint.before + 1) % len(pieces) for joint in found):
            raise GeometryError("the pieces of a closed curve must be given in walking order")
        return found

    @cached_property
    def _tables(self) -> list[tuple[Array, Array]]:
        """Parameters of even points of each piece, from its start, and the points."""
        return [(t[1::2], points[1::2]) for t, points in self._even]

    @cached_property
    def _even(self) -> list[tuple[Array, Array]]:
        """Twice as many, the first of them at the start of the piece."""
        even = np.arange(2 * STARTS) / (2 * STARTS)
        pieces = self.curves.values()
        return [(t, p.derivatives(t)[0]) for p in pieces for t in [p.parameter(even)]]

    @cached_property
    def _ends(self) -> list[tuple[Array, Array] | None]:
        """Normals at the start and the end of each piece; none of a closed one without corner."""
        ends: list[tuple[Array, Array] | None] = []
        normals = {joint.after: np.array(joint.vertex.normal) for joint in self._joints}
        for i in range(len(self.curves)):
            closed = len(self.curves) == 1 and not self._joints[0].sharp
            ends.append(None if closed else (normals[i], normals[(i + 1) % len(self.curves)]))
        return ends

    def _check_simple(self) -> None:
        """Refuse a curve that crosses itself, by the chords between even points."""
        points = np.concatenate([points[::2] for _, points in self._even])
        a, b = points, np.roll(points, -1, axis=0)

        def side(p: Array, q: Array) -> Array:
            """On which side of each chord from p to q each point a lies."""
            (dx, dy), (px, py), (x, y) = (q - p).T[..., None], p.T[..., None], a.T
            return np.asarray(np.sign(dx * (y - py) - dy * (x - px)))

        starts = side(a, b)
        ends = np.roll(starts, -1, axis=1)
        parted = starts * ends < 0
        crossing = parted & parted.T
        if crossing.any():
            i = int(np.argwhere(crossing)[0][0])
            raise GeometryError(
                f"the curve crosses itself near {tuple(a[i].tolist())}; a shape needs one that "
                "does not, or a union of several"
            )


def _nearest(
    X: Any,
    piece: PathPiece,
    table: tuple[Array, Array],
    ends: tuple[Array, Array] | None,
    blocks: int,
) -> tuple[Any, Any]:
    """Return squared and signed distances to one stationary point for each block of a piece."""
    x, y = X[:, 0][:, None], X[:, 1][:, None]
    step = abs(piece.last - piece.first) / STARTS
    low, high = sorted(piece.span)
    starts = []
    for block, points in zip(*(np.split(values, blocks) for values in table), strict=True):
        square = (x - points[None, :, 0]) ** 2 + (y - points[None, :, 1]) ** 2
        nearest = square <= framework.min(square, axis=1)[:, None]
        starts.append(framework.max(framework.where(nearest, block[None], low - step), axis=1))
    t = framework.stack(starts, axis=1)
    for _ in range(STEPS):
        p, v, a = piece.jet(t)
        dx, dy = x - p[0], y - p[1]
        slope = dx * v[0] + dy * v[1]
        speed = v[0] * v[0] + v[1] * v[1]
        bend = speed - dx * a[0] - dy * a[1]
        # Beyond the centre of curvature a Newton step would lead to the farthest point.
        move = slope / framework.where(bend > 0.05 * speed, bend, speed)
        t = t + framework.minimum(framework.maximum(move, -step), step)
        if ends is not None:
            t = framework.minimum(framework.maximum(t, low), high)
    p, v, _ = piece.jet(t)
    dx, dy = x - p[0], y - p[1]
    turn = 1.0 if piece.last > piece.first else -1.0
    square = dx * dx + dy * dy
    across = turn * (dx * v[1] - dy * v[0]) / framework.sqrt(v[0] * v[0] + v[1] * v[1])
    if ends is not None:
        for at, (nx, ny) in zip(piece.span, ends, strict=True):
            sign = framework.where(dx * nx + dy * ny > 0, 1.0, -1.0)
            end = (t <= low) if at == low else (t >= high)
            across = framework.where(end, sign * length(square), across)
    return square, across
