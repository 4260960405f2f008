"""Functions of (r, z) as functions of (x, y, z) that are smooth on the axis r = 0.

References
----------
Rvachev and Sheiko (1995), R-functions in boundary value problems in mechanics, section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sciml.framework.errors import GeometryError

from . import sizes
from .transfinite import numbers

if TYPE_CHECKING:
    import sympy

Array = np.ndarray

# Differences below this share of the size of a function are rounding.
SAME = 1e-12


def in_space(
    f: sympy.Expr, plane: Sequence[sympy.Symbol], square: sympy.Expr, probes: Array
) -> sympy.Expr:
    """Return a function with the zeros of f(r, z) for r >= 0 and its slope there, even in r.

    With g(r, z) = f(-r, z) it is f where both agree, f + g - sqrt(f^2 + g^2) where f is the
    smaller one, and f + g + sqrt(f^2 + g^2) where it is the larger one.

    Parameters
    ----------
    f
        Function of r and z.
    plane
        The symbols r and z.
    square
        r^2 as an expression in x and y.
    probes
        Points of the profile, shape (n, 2), where f and g are compared.

    Raises
    ------
    GeometryError
        If neither f nor g is the smaller one everywhere, and f is negative somewhere.
    """
    import sympy

    r, _ = plane
    mirrored = f.subs(r, -r)
    here, there = numbers(f, plane, probes), numbers(mirrored, plane, probes)
    assert here is not None  # f has no other symbols
    assert there is not None
    gap, size = there - here, SAME * float(np.abs(here).max() + np.abs(there).max())
    if np.abs(gap).max() <= size:
        return _substituted(f, r, square)
    root = sympy.sqrt(sympy.expand(f**2 + mirrored**2) + sizes.exact(size**2))
    both = _substituted(sympy.expand(f + mirrored), r, square)
    if gap.max() <= size:
        return both + _substituted(root, r, square)
    if gap.min() >= -size or min(here.min(), there.min()) >= 0:
        return both - _substituted(root, r, square)
    raise GeometryError(
        f"no smooth function about the axis has the zeros of {f}; impose the condition softly"
    )


def _substituted(f: sympy.Expr, r: sympy.Symbol, square: sympy.Expr) -> sympy.Expr:
    """Return f with r^2 replaced; where odd powers are left, r is kept above a tiny length."""
    import sympy

    plain = sympy.expand(f).subs(r, sympy.sqrt(square))
    if not plain.has(sympy.sqrt(square)):
        return plain
    return f.subs(r, sympy.sqrt(square + sizes.exact(sizes.TINY**2)))
