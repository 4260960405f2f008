"""Vector calculus on expressions, once for every space dimension."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from sciml.framework.errors import EquationError

Vector = tuple[sympy.Expr, ...]


def D(f: sympy.Expr, coordinate: sympy.Symbol, order: int = 1) -> sympy.Expr:
    """Return the derivative of f in one coordinate, the same as ``f.diff(coordinate, order)``."""
    if order < 0:
        raise EquationError(f"D: the order must not be negative, got {order}")
    return sympy.diff(f, coordinate, order)


def grad(f: sympy.Expr, coordinates: Sequence[sympy.Symbol]) -> Vector:
    """Return the gradient (df/dx_1, ..., df/dx_d)."""
    return tuple(sympy.diff(f, x) for x in coordinates)


def div(v: Sequence[sympy.Expr], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
    """Return the divergence, the sum of dv_i/dx_i.

    Raises
    ------
    EquationError
        If the vector has another length than the coordinates.
    """
    _same_length("div", v, coordinates)
    return sympy.Add(*(sympy.diff(c, x) for c, x in zip(v, coordinates, strict=True)))


def dot(a: Sequence[sympy.Expr], b: Sequence[sympy.Expr]) -> sympy.Expr:
    """Return the scalar product, the sum of a_i b_i.

    Raises
    ------
    EquationError
        If the vectors differ in length.
    """
    _same_length("dot", a, b)
    return sympy.Add(*(p * q for p, q in zip(a, b, strict=True)))


def laplacian(f: sympy.Expr, coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
    """Return the Laplacian, the sum of d^2 f/dx_i^2.

    Examples
    --------
    >>> x, y = sympy.symbols("x y")
    >>> laplacian(x**3 + y**2, (x, y))
    6*x + 2
    """
    return sympy.Add(*(sympy.diff(f, x, 2) for x in coordinates))


def biharmonic(f: sympy.Expr, coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
    """Return the Laplacian of the Laplacian, for example f_xxxx + 2 f_xxyy + f_yyyy."""
    return sympy.expand(laplacian(laplacian(f, coordinates), coordinates))


def _same_length(name: str, a: Sequence[object], b: Sequence[object]) -> None:
    if len(a) != len(b):
        raise EquationError(
            f"{name}: the arguments must have the same number of components, "
            f"got {len(a)} and {len(b)}"
        )
