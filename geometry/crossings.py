"""Where a piece of one boundary lies outside, inside or along the boundary of another shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sciml.framework.errors import GeometryError

from .geometry import Geometry
from .pieces import PlanePiece

Array = np.ndarray
Distance = Callable[[Array], Array]

# Distances below this share of the size of both shapes count as zero.
ON = 1e-12
# Cells a piece is cut into at first, and from which number on a cell may count as shared.
CELLS, SHARED_CELLS = 64, 1024
# Undecided cells up to which each is cut into more than two: there a call costs more than points.
FEW_CELLS, SPLITS = 64, 8
# Undecided cells of a piece before a search ends: with an error above the share `FINE` of the
# piece, below which the boundaries touch (at a tangent the number of cells grows without end).
MOST_CELLS, MOST_FINE_CELLS, FINE = 2**18, 2**12, 2.0**-20
# Uneven places in a cell, so that no even pattern of crossings passes for a shared boundary.
PROBES = np.array([0.0557, 0.1783, 0.3091, 0.4509, 0.6180, 0.7727, 0.9271])
# Points whose distances are taken at once.
BLOCK = 4096
# Share of a shared stretch from its ends in which d may be as large as twice its bound inside.
EDGE = 0.125
# Divisions of an interval down to rounding, each into as many parts.
DIVISIONS, PARTS = 11, 32
# Steps to the nearest point of a piece, and the points they start from.
STEPS, STARTS = 5, 256
# Reach of a vertex that ends a shared stretch, as a share of the size: where the boundaries part
# at a tangent, the end is not seen to rounding.
REACH = 1e-5
# Steps off a shared boundary, as shares of its size, from which its sides are told.
SIDE_STEPS = (1e-3, 1e-5, 1e-7, 1e-9)


@dataclass(frozen=True)
class Stretch:
    """What the other shape does along an interval of a piece.

    Parameters
    ----------
    first, last
        Unit parameters of the ends.
    sides
        On the outer and on the inner side of the piece: 1 outside the other shape, -1 inside.
        They differ where the boundaries coincide.
    """

    first: float
    last: float
    sides: tuple[int, int]


def stretches(piece: PlanePiece, other: Geometry, size: float) -> list[Stretch]:
    """Return the piece cut where it enters, leaves or begins to share the other boundary.

    The distance d to the other shape changes by at most the length walked. So between two points
    of the piece with d of one sign, a length l apart, there is no crossing if the sum of both |d|
    exceeds l; a cell where it does not is cut further, down to rounding.

    Parameters
    ----------
    piece
        Piece of positive length.
    other
        Shape whose signed distance has the right sign and slope one at most.
    size
        Largest coordinate of both shapes [m], to which distances are rounded.

    Raises
    ------
    GeometryError
        If both boundaries run side by side so closely that crossings cannot be told.
    """
    on = ON * size

    def distance(u: Array) -> Array:
        points = piece.frame(u[:, None])[0]
        blocks = np.split(points, range(BLOCK, len(points), BLOCK))
        return np.concatenate([other.signed_distance(block) for block in blocks])

    knots, values = _knots(piece, distance, on)
    runs = _runs(distance, knots, values, on)
    if not runs:  # so short that all of it counts as one zero
        return [Stretch(0.0, 1.0, _sides(piece, other, 0.5, on))]
    reach = REACH * size / piece.measure
    seams = _seams(piece, other, on) if any(run.state == 0 for run in runs) else np.zeros(0)
    cuts = [0.0]
    for before, after in pairwise(runs):
        if before.state and after.state:
            cuts.append(_change(lambda d: d > 0, distance, before.last, after.first))
        else:
            low = before.last - EDGE * (before.last - before.first) * (before.state == 0)
            high = after.first + EDGE * (after.last - after.first) * (after.state == 0)
            cut = _change(lambda d: np.abs(d) <= on / 4, distance, low, high)
            cuts.append(_snapped(cut, seams, reach))
    cuts.append(1.0)
    found = []
    for (a, b), run in zip(pairwise(cuts), runs, strict=True):
        inner = seams[(seams > a + reach) & (seams < b - reach)].tolist() if run.state == 0 else []
        for first, last in pairwise([a, *inner, b]):
            middle = (first + last) / 2
            sides = (run.state,) * 2 if run.state else _sides(piece, other, middle, on)
            found.append(Stretch(first, last, sides))
    return _joined(found)


def _knots(piece: PlanePiece, distance: Distance, on: float) -> tuple[Array, Array]:
    """Return parameters between which no crossing hides, in order, and their distances."""
    u = np.linspace(0.0, 1.0, CELLS + 1)
    d = distance(u)
    all_u, all_d = [u], [d]
    a, b, at_a, at_b, count = u[:-1], u[1:], d[:-1], d[1:], CELLS
    while len(a):
        length = piece.measure / count
        clear = (at_a * at_b > 0) & (np.abs(at_a) + np.abs(at_b) > length + 2 * on)
        if count >= SHARED_CELLS:
            near = np.flatnonzero(~clear & (np.maximum(np.abs(at_a), np.abs(at_b)) <= on / 4))
            probes = a[near, None] + (b - a)[near, None] * PROBES
            zero = np.abs(distance(probes.ravel())).reshape(probes.shape) <= on / 4
            clear[near[zero.all(axis=1)]] = True
        a, b, at_a, at_b = (values[~clear] for values in (a, b, at_a, at_b))
        if length <= 4 * on or (count * FINE >= 1 and len(a) > MOST_FINE_CELLS):
            break
        if len(a) > MOST_CELLS:
            place = tuple(piece.frame(a[len(a) // 2 :][:1, None])[0][0].tolist())
            gap = float(np.abs(at_a[len(a) // 2]))
            raise GeometryError(
                f"two boundaries run side by side near {place}, {gap:.3g} apart, and crossings "
                "between them cannot be told; make them coincide or move them apart"
            )
        splits = SPLITS if len(a) <= FEW_CELLS else 2
        inner = a[:, None] + (b - a)[:, None] * (np.arange(1, splits) / splits)
        at_inner = distance(inner.ravel()).reshape(inner.shape)
        all_u.append(inner.ravel())
        all_d.append(at_inner.ravel())
        a, b = np.column_stack([a, inner]).ravel(), np.column_stack([inner, b]).ravel()
        at_a, at_b = (
            np.column_stack([at_a, at_inner]).ravel(),
            np.column_stack([at_inner, at_b]).ravel(),
        )
        count *= splits
    u, d = np.concatenate(all_u), np.concatenate(all_d)
    order = np.argsort(u)
    return u[order], d[order]


@dataclass(frozen=True)
class _Run:
    """Neighbouring knots where d is positive (1), negative (-1) or zero all along (0)."""

    first: float
    last: float
    state: int


def _runs(distance: Distance, knots: Array, values: Array, on: float) -> list[_Run]:
    """Return the runs of knots of one state, without the zeros of crossings and touches."""
    states = np.where(np.abs(values) <= on, 0, np.sign(values)).astype(int)
    breaks = np.flatnonzero(np.diff(states)) + 1
    found: list[_Run] = []
    for low, high in pairwise([0, *breaks.tolist(), len(states)]):
        run = _Run(float(knots[low]), float(knots[high - 1]), int(states[low]))
        if run.state == 0 and not _shared(distance, run.first, run.last, on):
            continue
        if found and found[-1].state == run.state:
            run = _Run(found.pop().first, run.last, run.state)
        found.append(run)
    return found


def _shared(distance: Distance, a: float, b: float, on: float) -> bool:
    """Return whether d is zero all along, rather than small around a zero.

    Where it has a zero of order four at most, it is above a quarter of its bound near one end.
    """
    probes = a + (b - a) * np.array([EDGE, *PROBES[1:-1], 1 - EDGE])
    return bool(b > a and np.all(np.abs(distance(probes)) <= on / 4))


def _change(holds: Callable[[Array], Array], distance: Distance, low: float, high: float) -> float:
    """Return where a property of d changes between two parameters."""
    at_low = bool(holds(distance(np.array([low])))[0])
    for _ in range(DIVISIONS):
        if not low < (low + high) / 2 < high:
            break
        u = np.linspace(low, high, PARTS + 1)
        changed = np.append(holds(distance(u[1:-1])) != at_low, True)
        first = 1 + int(np.argmax(changed))
        low, high = float(u[first - 1]), float(u[first])
    return (low + high) / 2


def _seams(piece: PlanePiece, other: Geometry, on: float) -> Array:
    """Return the parameters of the piece where pieces of the other boundary end on it."""
    both = np.array([[0.0], [1.0]])
    ends = np.concatenate([p.frame(both)[0] for p in other.pieces.values() if p.measure > 0])
    grid = np.linspace(0.0, 1.0, STARTS + 1)
    gaps = np.linalg.norm(piece.frame(grid[:, None])[0] - ends[:, None], axis=2)
    u = grid[gaps.argmin(axis=1)]
    for _ in range(STEPS):
        points, normals, _ = piece.frame(u[:, None])
        away = ends - points
        along = normals[:, 0] * away[:, 1] - normals[:, 1] * away[:, 0]
        u = np.clip(u + along / piece.measure, 0.0, 1.0)
    near = np.linalg.norm(piece.frame(u[:, None])[0] - ends, axis=1) <= on
    return np.unique(u[near])


def _snapped(cut: float, seams: Array, reach: float) -> float:
    """Return the nearest seam within reach of a cut, or the cut itself."""
    near = seams[np.abs(seams - cut) <= reach]
    return float(near[np.abs(near - cut).argmin()]) if len(near) else cut


def _sides(piece: PlanePiece, other: Geometry, middle: float, on: float) -> tuple[int, int]:
    """Return on which side of the other boundary both sides of a shared one lie."""
    points, normals, _ = piece.frame(np.array([[middle]]))
    for share in SIDE_STEPS:
        step = share * min(piece.measure, other.measure**0.5)
        out, into = (float(other.signed_distance(points + s * normals)[0]) for s in (step, -step))
        if step > 8 * on and min(abs(out), abs(into)) > 0.9 * step:
            return (1 if out > 0 else -1), (1 if into > 0 else -1)
    place = tuple(points[0].tolist())
    raise GeometryError(
        f"two boundaries coincide at {place}, with a feature too thin beside them to tell the "
        "inside from the outside; make it wider, or move the shapes apart"
    )


def _joined(found: list[Stretch]) -> list[Stretch]:
    """Return the stretches with neighbours of equal sides made one."""
    result = found[:1]
    for stretch in found[1:]:
        if result[-1].sides == stretch.sides:
            result[-1] = Stretch(result[-1].first, stretch.last, stretch.sides)
        else:
            result.append(stretch)
    return result
