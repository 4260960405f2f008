"""Smooth fields to put into an equation where it is tested."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sympy
from sympy.core.function import AppliedUndef


def smooth(fields: Sequence[AppliedUndef], positive: Collection[str] = ()) -> dict[str, sympy.Expr]:
    """Return a different smooth expression for each field.

    Each is the sum of two waves in different directions, u = sin(a . x) + cos(b . x) / 2, so that
    neither a derivative nor a product of derivatives vanishes everywhere. A positive field is
    3 + u / 2, between 2 and 4.

    Parameters
    ----------
    fields
        Applied functions such as ``u(x, t)``.
    positive
        Names of the fields that must be positive.

    Examples
    --------
    >>> x, t = sympy.symbols("x t")
    >>> smooth([sympy.Function("u")(x, t)])
    {'u': sin(t/2 + x) + cos(2*t/3 - 2*x)/2}
    """
    found = {}
    for number, field in enumerate(fields, start=1):
        first, second = sympy.Integer(0), sympy.Integer(0)
        for i, coordinate in enumerate(field.args, start=1):
            first += sympy.Rational(number, i) * coordinate
            second += (-1) ** i * sympy.Rational(2, number + 2 * i - 2) * coordinate
        waves = sympy.sin(first) + sympy.cos(second) / 2
        name = field.func.__name__
        found[name] = 3 + waves / 2 if name in positive else waves
    return found
