"""Chains of boundary pieces that meet at re-entrant corners, and one smooth function for each.

At a re-entrant corner the region is a union of what lies on the inner sides of two pieces. The
R-disjunction a + b + sqrt(a^2 + b^2) of their functions vanishes on that boundary and has all
derivatives away from the corner itself, where the solutions of elliptic problems have none either.

References
----------
Shapiro (2007), Semi-analytic geometry with R-functions, Acta Numerica 16, 239-303.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from . import sizes
from .pieces import PlanePiece

if TYPE_CHECKING:
    import sympy

Pieces = Mapping[str, PlanePiece]
Frame = tuple[np.ndarray, np.ndarray, np.ndarray]

# Ends this near, as a share of the size of a piece, are one point.
NEAR = 1e-9


def chains(leaves: Sequence[str], pieces: Pieces) -> list[list[str]]:
    """Return the leaves, in walking order, cut wherever they do not meet at a re-entrant corner.

    A chain that is closed, around a convex hole, starts at any of its pieces.
    """
    ends = _ends(leaves, pieces)
    after = {a: b for a in leaves for b in leaves if a != b and _turn(a, b, ends, pieces) < -NEAR}
    starts = [leaf for leaf in leaves if leaf not in after.values()]
    found: list[list[str]] = []
    taken: set[str] = set()
    for start in (*starts, *leaves):
        chain: list[str] = []
        leaf: str | None = start
        while leaf is not None and leaf not in taken:
            taken.add(leaf)
            chain.append(leaf)
            leaf = after.get(leaf)
        if chain:
            found.append(chain)
    return found


def function(
    chain: Sequence[str], pieces: Pieces, coordinates: Sequence[sympy.Symbol]
) -> sympy.Expr:
    """Return a function that vanishes on a chain and on its two ends carried on.

    It is positive on the side of the shape, with unit normal derivative on the chain. Stretches
    that turn by less than half a circle are joined first, so that pieces carried on do not meet.
    """
    ends = _ends(chain, pieces)
    size = math.fsum(pieces[leaf].measure for leaf in chain)
    stretches: list[list[sympy.Expr]] = [[]]
    turned, last = 0.0, None
    for leaf in chain:
        turned -= 0.0 if last is None else _turn(last, leaf, ends, pieces)
        if turned > math.pi * (1 - NEAR):
            stretches.append([])
            turned = 0.0
        stretches[-1].append(pieces[leaf].side(coordinates))
        last = leaf
    parts = [reduce(lambda a, b: _either(a, b, size), stretch) for stretch in stretches]
    return reduce(lambda a, b: _either(a, b, size), parts)


def _either(a: sympy.Expr, b: sympy.Expr, size: float) -> sympy.Expr:
    """Return the R-disjunction: positive where one of two functions is."""
    import sympy

    return a + b + sympy.sqrt(a**2 + b**2 + sizes.exact((sizes.TINY * size) ** 2))


def _ends(leaves: Sequence[str], pieces: Pieces) -> dict[str, Frame]:
    return {leaf: pieces[leaf].frame(np.array([[0.0], [1.0]])) for leaf in leaves}


def _turn(first: str, second: str, ends: Mapping[str, Frame], pieces: Pieces) -> float:
    """Return the angle by which the boundary turns left from one piece to the next [rad].

    Infinite where the second does not begin at the end of the first.
    """
    (points, normals, _), (next_points, next_normals, _) = ends[first], ends[second]
    near = NEAR * max(pieces[first].measure, pieces[second].measure)
    if np.abs(points[1] - next_points[0]).max() > near:
        return math.inf
    (ax, ay), (bx, by) = normals[1], next_normals[0]
    return math.atan2(ax * by - ay * bx, ax * bx + ay * by)
