"""What stays of the boundaries of two shapes in a combination of both, and its corners."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sciml.framework.errors import GeometryError

from .crossings import stretches
from .geometry import Geometry
from .pieces import PlanePiece, Vertex

Array = np.ndarray
Named = tuple[str, PlanePiece]

# Ends of pieces closer than this share of the size meet; places where boundaries cross at a small
# angle, or part at a tangent, are known no better.
MEET = 1e-7
# Angle from which on a turn of the boundary is a corner [rad].
TURN = 1e-6


@dataclass(frozen=True)
class Rule:
    """Which points of a boundary stay.

    Parameters
    ----------
    kept
        Pairs of what the other shape has on the outer and on the inner side of points that stay:
        1 for its outside, -1 for its inside.
    turned
        Whether the points that stay bound what lies on their other side.
    """

    kept: frozenset[tuple[int, int]]
    turned: bool = False


def trimmed(
    pieces: Mapping[str, PlanePiece], other: Geometry, rule: Rule, size: float
) -> list[Named]:
    """Return the pieces of positive length that stay, each under the name it is cut from.

    Raises
    ------
    GeometryError
        If both boundaries run side by side so closely that crossings cannot be told.
    """
    found: list[Named] = []
    for name, piece in pieces.items():
        if piece.measure == 0:
            continue
        ends = [(s.first, s.last) for s in stretches(piece, other, size) if s.sides in rule.kept]
        around = len(ends) > 1 and ends[0][0] == 0 and ends[-1][1] == 1
        if around and piece.goes_on(ends[0][1], MEET * size):
            ends = [*ends[1:-1], (ends[-1][0], 1 + ends[0][1])]  # past the seam of a closed curve
        for first, last in ends:
            whole = piece if (first, last) == (0.0, 1.0) else piece.between(first, last)
            found.append((name, whole.reversed() if rule.turned else whole))
    return found


@dataclass(frozen=True)
class Joint:
    """A place where a piece ends and another one goes on.

    Parameters
    ----------
    before, after
        Numbers of both pieces.
    vertex
        The place, with the bisector of both normals.
    sharp
        Whether the direction changes there.
    """

    before: int
    after: int
    vertex: Vertex
    sharp: bool


def joints(pieces: Sequence[PlanePiece], size: float) -> list[Joint]:
    """Return the joint at the end of each piece.

    Where several pieces meet at a point, each is followed by the one with which it bounds a sector
    that no other piece enters.

    Raises
    ------
    GeometryError
        If the pieces form no closed curves; the message says where.
    """
    frames = [piece.frame(np.array([[0.0], [1.0]]))[:2] for piece in pieces]
    starts = np.array([points[0] for points, _ in frames])
    found: list[Joint] = []
    for i, (points, normals) in enumerate(frames):
        near = np.flatnonzero(np.abs(starts - points[1]).max(axis=1) <= MEET * size).tolist()
        if i in near:
            near = [i]  # a closed curve
        angles = [_interior_angle(normals[1], frames[j][1][0]) for j in near]
        taken = {joint.after for joint in found}
        if not near or near[int(np.argmin(angles))] in taken:
            raise GeometryError(
                f"the boundary does not close at {tuple(points[1].tolist())}; in a combination of "
                "shapes that touch there within rounding, move one of them a little"
            )
        after = near[int(np.argmin(angles))]
        outward, sharp = _bisector(normals[1], frames[after][1][0], min(angles))
        x, y = points[1].tolist()
        found.append(Joint(i, after, Vertex((x, y), outward), sharp))
    return found


def corners(
    found: Sequence[Named], operands: Sequence[Geometry], size: float
) -> list[tuple[str, int, Joint]]:
    """Return the sharp joints, each with the name of the vertex there and the number of its shape.

    A crossing has no name. A vertex on a straight line stays if both its edges do.
    """
    named = []
    for joint in joints([piece for _, piece in found], size):
        edges = {found[joint.before][0], found[joint.after][0]}
        own, others = [], [("", len(operands))]
        for i, operand in enumerate(operands):
            for name, around in operand.corners.items():
                place = operand.pieces[name].frame(np.zeros((1, 1)))[0][0]
                if np.abs(place - joint.vertex.point).max() <= MEET * size:
                    if set(around) == edges:
                        own.append((name, i))
                    else:
                        others.insert(-1, (name, i))
        if joint.sharp or own:
            named.append((*(own + others)[0], joint))
    return named


def _interior_angle(before: Array, after: Array) -> float:
    """Return the angle inside the shape between two pieces with these normals at their joint."""
    turn = math.atan2(before[0] * after[1] - before[1] * after[0], float(before @ after))
    return math.pi - turn


def _bisector(before: Array, after: Array, angle: float) -> tuple[tuple[float, float], bool]:
    """Return the outward unit bisector of two normals, and whether they differ."""
    total = before + after
    if np.linalg.norm(total) < TURN:  # a cusp: ahead, or backwards where the shape is around it
        ahead = np.array([-before[1], before[0]])
        total = ahead if angle < math.pi else -ahead
    x, y = (total / np.linalg.norm(total)).tolist()
    return (x, y), bool(np.linalg.norm(before - after) > TURN)
