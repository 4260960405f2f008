"""Smooth functions that vanish on chosen pieces of a plane boundary, and blends of values on them.

References
----------
Sukumar and Srivastava (2022), Exact imposition of boundary conditions with distance functions in
physics-informed deep neural networks, sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from sciml.framework.errors import GeometryError

from . import sizes
from .chains import NEAR, chains, function
from .pieces import PlanePiece

if TYPE_CHECKING:
    import sympy

Array = np.ndarray
Pieces = Mapping[str, PlanePiece]

# Where a piece is met by the rest of the boundary, its function is looked at on these points.
PROBES = np.linspace(0.0, 1.0, 43)[1:-1, None]
# More functions than these are joined rather than multiplied: a product of many spans too many
# orders of magnitude between the middle of a shape and its boundary.
MULTIPLIED = 8


def factor(
    leaves: Sequence[str], pieces: Pieces, measure: float, coordinates: Sequence[sympy.Symbol]
) -> sympy.Expr:
    """Return a function that is zero on the leaves and positive elsewhere on the shape.

    It is made of one function for each chain of `chains`, or of the trimmed `distance` of each
    piece where a chain carried on comes back into the shape or covers itself, put `together` with
    the square root of the area as length.
    """
    single: list[sympy.Expr] = []
    for chain in chains(leaves, pieces):
        whole = function(chain, pieces, coordinates)
        sharing = [leaf for leaf in leaves if pieces[leaf].side(coordinates) in (*single, whole)]
        off = _keeps_off(whole, {*chain, *sharing}, pieces, coordinates)
        if off and _vanishes(whole, chain, pieces, coordinates):
            # Pieces of one line have one function, which counts once.
            single += [] if whole in single else [whole]
        else:
            single += [distance(leaf, pieces, coordinates) for leaf in chain]
    return together(single, measure**0.5)


def together(single: Sequence[sympy.Expr], size: float) -> sympy.Expr:
    """Return a function that is zero where one of several is.

    A few functions are multiplied, and scaled by powers of a length `size`, so that the product is
    as smooth as a solution at convex corners. Many are joined by the R-equivalence a b / (a + b),
    which keeps unit normal derivatives and the size of one distance.
    """
    import sympy

    if not single:
        return sympy.Integer(1)
    if len(single) <= MULTIPLIED:
        return sympy.prod(single) / sizes.exact(size ** (len(single) - 1))
    return _joined(single, size)


def distance(leaf: str, pieces: Pieces, coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
    """Return the approximate distance to one piece, zero on it alone.

    It is the function f of the piece's line or curve where the rest of the boundary keeps off
    that; otherwise f is trimmed by t to sqrt(f^2 + ((sqrt(t^2 + f^4 / L^2) - t) / 2)^2), with the
    length L of the piece. A trimmed one has no derivative on the piece itself.
    """

    piece = pieces[leaf]
    f, t = piece.side(coordinates), piece.trim(coordinates)
    if t is None or _keeps_off(f, {leaf}, pieces, coordinates):
        return f
    gap = (_root(t**2 + f**4 / sizes.exact(piece.measure) ** 2, piece.measure) - t) / 2
    return _root(f**2 + gap**2, piece.measure)


def extension(
    values: Mapping[str, sympy.Expr], pieces: Pieces, coordinates: Sequence[sympy.Symbol]
) -> sympy.Expr:
    """Return the transfinite interpolant of the values with inverse distance weights.

    At a vertex the pieces that meet there share the weight.

    Raises
    ------
    GeometryError
        If two values differ where their pieces meet.
    """
    _check_ends(values, pieces, coordinates)
    size = max(pieces[leaf].measure for leaf in values)
    single = [distance(leaf, pieces, coordinates) for leaf in values]
    return blend(single, list(values.values()), size)


def blend(distances: Sequence[sympy.Expr], values: Sequence[sympy.Expr], size: float) -> sympy.Expr:
    """Return the mean of values with the inverse of the distance to each as its weight.

    Each distance is made larger by a tiny share of a length `size`, so that no weight is infinite.
    """
    weights = _others(_above_zero(distances, size))
    return sum(w * g for w, g in zip(weights, values, strict=True)) / sum(weights)


def _root(square: sympy.Expr, size: float) -> sympy.Expr:
    """Return the root of a square, at least a tiny share of a length, with finite derivatives."""
    import sympy

    return sympy.sqrt(square + sizes.exact((sizes.TINY * size) ** 2))


def _above_zero(functions: Sequence[sympy.Expr], size: float) -> list[sympy.Expr]:
    """Return functions whose zeros are raised to a tiny length, others to rounding the same."""
    # Under a root, since sympy would add a plain length to a constant of the function and lose it.
    return [_root(phi**2, size) for phi in functions]


def _joined(functions: Sequence[sympy.Expr], size: float) -> sympy.Expr:
    """Return 1 / (1/phi_1 + ... + 1/phi_n), two by two, so that no power of a length is left."""
    if len(functions) == 1:
        return functions[0]
    half = len(functions) // 2
    a, b = (_joined(part, size) for part in (functions[:half], functions[half:]))
    return a * b / sum(_above_zero([a, b], size))


def _others(functions: Sequence[sympy.Expr]) -> list[sympy.Expr]:
    """Return for each function the product of all others."""
    import sympy

    count = len(functions)
    return [sympy.prod(functions[i] for i in range(count) if i != j) for j in range(count)]


def _keeps_off(
    f: sympy.Expr, leaves: Set[str], pieces: Pieces, coordinates: Sequence[sympy.Symbol]
) -> bool:
    """Return whether f is positive on the rest of the boundary."""
    import sympy

    evaluate = sympy.lambdify(coordinates, f)
    others = [p for name, p in pieces.items() if name not in leaves and p.measure > 0]
    return all(bool(np.all(evaluate(*p.frame(PROBES)[0].T) > NEAR * p.measure)) for p in others)


def _vanishes(
    f: sympy.Expr, leaves: Sequence[str], pieces: Pieces, coordinates: Sequence[sympy.Symbol]
) -> bool:
    """Return whether f is zero on leaves."""
    import sympy

    evaluate = sympy.lambdify(coordinates, f)
    frames = [(pieces[leaf].frame(PROBES)[0], pieces[leaf].measure) for leaf in leaves]
    return all(bool(np.all(abs(evaluate(*points.T)) <= NEAR * size)) for points, size in frames)


def _check_ends(
    values: Mapping[str, sympy.Expr], pieces: Pieces, coordinates: Sequence[sympy.Symbol]
) -> None:
    ends = np.array([[0.0], [1.0]])
    for first, second in permutations(values, 2):
        place, start = pieces[first].frame(ends)[0][1], pieces[second].frame(ends)[0][0]
        if np.abs(place - start).max() > NEAR * pieces[first].measure:
            continue
        point = dict(zip(coordinates, map(sizes.exact, place), strict=True))
        jump = (values[first] - values[second]).subs(point)
        if jump.is_number and abs(float(jump)) > NEAR:
            raise GeometryError(
                f"the values on {first!r} and {second!r} differ by {float(jump):g} at their common "
                f"end {tuple(map(float, place))}, so no smooth function takes both; make them "
                "agree there, or impose one of them softly"
            )
