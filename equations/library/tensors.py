"""Calculus of vector and tensor fields on expressions, once for every space dimension."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from ..operators import Vector, div, dot, grad

Tensor = tuple[Vector, ...]


def advection(
    velocity: Sequence[sympy.Expr], f: sympy.Expr, coordinates: Sequence[sympy.Symbol]
) -> sympy.Expr:
    """Return velocity . grad(f)."""
    return dot(velocity, grad(f, coordinates))


def diffusion(
    f: sympy.Expr, conductivity: sympy.Expr, coordinates: Sequence[sympy.Symbol]
) -> sympy.Expr:
    """Return div(conductivity grad(f))."""
    return div([conductivity * g for g in grad(f, coordinates)], coordinates)


def tensor_divergence(
    tensor: Sequence[Sequence[sympy.Expr]], coordinates: Sequence[sympy.Symbol]
) -> Vector:
    """Return the divergence by rows, the sum of dT_ij/dx_j over j."""
    return tuple(div(row, coordinates) for row in tensor)


def strain(v: Sequence[sympy.Expr], coordinates: Sequence[sympy.Symbol]) -> Tensor:
    """Return the symmetric gradient (dv_i/dx_j + dv_j/dx_i) / 2.

    Examples
    --------
    >>> x, y = sympy.symbols("x y")
    >>> strain((x * y, 0 * x), (x, y))
    ((y, x/2), (x/2, 0))
    """
    pairs = tuple(zip(v, coordinates, strict=True))
    return tuple(tuple((a.diff(y) + b.diff(x)) / 2 for b, y in pairs) for a, x in pairs)


def contraction(a: Sequence[Sequence[sympy.Expr]], b: Sequence[Sequence[sympy.Expr]]) -> sympy.Expr:
    """Return a : b, the sum of a_ij b_ij."""
    return sympy.Add(*(dot(row, other) for row, other in zip(a, b, strict=True)))


def upper(name: str, tensor: Tensor, coordinates: Sequence[sympy.Symbol]) -> dict[str, sympy.Expr]:
    """Return the components of a symmetric tensor by name, once each: name_xx, name_xy, ...

    Examples
    --------
    >>> upper("e", strain(sympy.symbols("x y"), sympy.symbols("x y")), sympy.symbols("x y"))
    {'e_xx': 1, 'e_xy': 0, 'e_yy': 1}
    """
    return {
        f"{name}_{x}{y}": tensor[i][j]
        for i, x in enumerate(coordinates)
        for j, y in enumerate(coordinates)
        if i <= j
    }


def lame(modulus: sympy.Expr, poisson_ratio: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """Return lambda = E nu/((1 + nu) (1 - 2 nu)) and mu = E/(2 (1 + nu)).

    References
    ----------
    Timoshenko and Goodier (1970), Theory of Elasticity.
    """
    E, nu = modulus, poisson_ratio
    return E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))


def isotropic_stress(
    v: Sequence[sympy.Expr],
    bulk: sympy.Expr,
    shear: sympy.Expr,
    coordinates: Sequence[sympy.Symbol],
) -> Tensor:
    """Return bulk div(v) I + 2 shear strain(v).

    Parameters
    ----------
    v
        Displacement of a solid, or velocity of a fluid.
    bulk, shear
        The Lame parameters lambda and mu, or the second and the dynamic viscosity.
    coordinates
        One per component.
    """
    pressure = bulk * div(v, coordinates)
    return tuple(
        tuple(2 * shear * e + (pressure if i == j else 0) for j, e in enumerate(row))
        for i, row in enumerate(strain(v, coordinates))
    )
