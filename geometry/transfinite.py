"""Values given on several parts of a boundary: interpolation along an axis, agreement.

References
----------
Gordon and Hall (1973), Transfinite element methods, equation 2.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sciml.framework.errors import GeometryError

from . import sizes

if TYPE_CHECKING:
    import sympy

Array = np.ndarray

# Values that differ by more than this share of their size where their parts meet jump there.
JUMP = 1e-9


def along(
    g: sympy.Expr,
    axis: tuple[sympy.Symbol, float, float],
    first: sympy.Expr | None,
    last: sympy.Expr | None,
) -> sympy.Expr:
    """Return g plus the linear interpolant of what it lacks at the ends of an axis.

    It takes the given values at the ends. Where g already took values on other parts it keeps
    them, as long as those agree with the new ones where the parts meet.

    Parameters
    ----------
    g
        Function to correct.
    axis
        Coordinate t with its lower and its upper end.
    first, last
        Values at the lower and at the upper end; None where none is given.
    """
    t, low, high = axis[0], sizes.exact(axis[1]), sizes.exact(axis[2])
    start = None if first is None else (first - g).subs(t, low)
    end = None if last is None else (last - g).subs(t, high)
    if start is None or end is None:
        return g + sum(lack for lack in (start, end) if lack is not None)
    share = (t - low) / (high - low)
    return g + (1 - share) * start + share * end


def numbers(
    expression: sympy.Expr, coordinates: Sequence[sympy.Symbol], points: Array
) -> Array | None:
    """Return an expression at points, shape (n,); None where it is not of the coordinates alone."""
    import sympy
    from sympy.core.function import AppliedUndef

    expression = sympy.sympify(expression)
    if expression.free_symbols - set(coordinates) or expression.atoms(AppliedUndef):
        return None
    values = sympy.lambdify(tuple(coordinates), expression, "numpy")(*points.T)
    return np.broadcast_to(np.asarray(values, dtype=float), len(points))


def check_meeting(
    shape: str,
    values: Mapping[str, sympy.Expr],
    meetings: Mapping[tuple[str, str], Array],
    coordinates: Sequence[sympy.Symbol],
) -> None:
    """Refuse values that differ where their parts meet.

    Parameters
    ----------
    shape
        Name for the message.
    values
        Value on each part.
    meetings
        Points, shape (n, d), that two parts share.
    coordinates
        Symbols of the values.

    Raises
    ------
    GeometryError
        If they differ; the message says where and by how much.
    """
    for (first, second), points in meetings.items():
        u = numbers(values[first], coordinates, points)
        v = numbers(values[second], coordinates, points)
        if u is None or v is None:
            continue
        jump = u - v
        worst = int(np.argmax(np.abs(jump)))
        if abs(jump[worst]) > JUMP * (1 + np.abs([u, v]).max()):
            place = tuple(round(float(c), 6) for c in points[worst])
            raise GeometryError(
                f"{shape}: the values on {first!r} and {second!r} differ by {jump[worst]:g} at "
                f"{place}, where they meet, so no smooth function takes both; make them agree "
                "there, or impose one of them softly"
            )
