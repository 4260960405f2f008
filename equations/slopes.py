"""Trial functions whose normal derivative on parts of the boundary is right for every network.

References
----------
Sukumar and Srivastava (2022), Exact imposition of boundary conditions with distance functions in
physics-informed deep neural networks; Rvachev and Sheiko (1995), R-functions in boundary
value problems in mechanics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sympy

from .operators import dot, grad


@dataclass(frozen=True)
class SlopePart:
    """A piece of boundary with n . grad(u) + c u = h.

    Parameters
    ----------
    leaf
        Its name.
    factor
        phi, zero on it with a gradient of length one.
    ratio
        c [1/m].
    value
        h [unit of u per m].
    """

    leaf: str
    factor: sympy.Expr
    ratio: sympy.Expr
    value: sympy.Expr


@dataclass(frozen=True)
class Held:
    """A piece of boundary on which a trial function must stay as it is.

    Parameters
    ----------
    factor
        phi, zero on it.
    order
        1 if the value must stay, 2 if the normal derivative must as well.
    """

    factor: sympy.Expr
    order: int


def with_slopes(
    base: sympy.Expr,
    free: sympy.Expr,
    slopes: Sequence[SlopePart],
    held: Mapping[str, Held],
    touching: frozenset[frozenset[str]],
    coordinates: Sequence[sympy.Symbol],
) -> tuple[sympy.Expr, sympy.Expr]:
    """Return base and free part of a trial function that has the slopes asked for.

    To F = base + free it adds sum psi_i (c_i F - grad(phi_i) . grad(F) - h_i). On piece i psi_i is
    zero and falls by one along the outward normal; on pieces apart from it psi_i vanishes to the
    order in which these must stay as they are. Pieces that meet are taken one after the other,
    which is right where they meet at a right angle. There what the base adds is taken at the foot
    of the perpendicular to a straight piece, so that it is zero at the ends where values fit.

    Parameters
    ----------
    base
        What does not depend on the network, such as boundary values.
    free
        What does, zero where values are prescribed.
    slopes
        Pieces with their conditions.
    held
        Other pieces, by leaf.
    touching
        Pairs of leaves that meet.
    coordinates
        The coordinates.
    """
    for family in _families(slopes, touching):
        more_base, more_free = sympy.Integer(0), sympy.Integer(0)
        for part in family:
            weight = _weight(part, slopes, held, touching)
            missing = part.ratio * base - _along(part, base, coordinates) - part.value
            more_base += weight * _at_foot(missing, part.factor, coordinates)
            more_free += weight * (part.ratio * free - _along(part, free, coordinates))
        base, free = base + more_base, free + more_free
    return base, free


def _along(
    part: SlopePart, function: sympy.Expr, coordinates: Sequence[sympy.Symbol]
) -> sympy.Expr:
    return dot(grad(part.factor, coordinates), grad(function, coordinates))


def _weight(
    part: SlopePart,
    slopes: Sequence[SlopePart],
    held: Mapping[str, Held],
    touching: frozenset[frozenset[str]],
) -> sympy.Expr:
    """Return psi of a piece."""
    others = dict(held) | {s.leaf: Held(s.factor, 2) for s in slopes if s is not part}
    apart = [h for leaf, h in others.items() if frozenset((leaf, part.leaf)) not in touching]
    shares = [(h.factor / sympy.expand(h.factor + part.factor)) ** h.order for h in apart]
    return part.factor * sympy.prod(shares)


def _at_foot(
    function: sympy.Expr, factor: sympy.Expr, coordinates: Sequence[sympy.Symbol]
) -> sympy.Expr:
    """Return a function at the foot of the perpendicular to a straight piece."""
    slope = grad(factor, coordinates)
    if any(s.has(*coordinates) for s in slope):
        return function
    feet = {c: sympy.expand(c - factor * s) for c, s in zip(coordinates, slope, strict=True) if s}
    return function.doit().subs(feet, simultaneous=True)


def _families(
    slopes: Sequence[SlopePart], touching: frozenset[frozenset[str]]
) -> list[list[SlopePart]]:
    """Return groups of pieces of which no two meet."""
    families: list[list[SlopePart]] = []
    for part in slopes:
        for family in families:
            if all(frozenset((part.leaf, other.leaf)) not in touching for other in family):
                family.append(part)
                break
        else:
            families.append([part])
    return families
