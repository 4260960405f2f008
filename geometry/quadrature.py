"""Points with weights that integrate polynomials exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sciml.framework.errors import GeometryError

Array = np.ndarray

# Points of the largest rule, some hundred megabytes of coordinates.
MOST_POINTS = 10**7


@dataclass(frozen=True)
class Quadrature:
    """Rule integral of f over the shape = sum of weights * f(points).

    Parameters
    ----------
    points
        Shape (n, d) [m], all inside the shape.
    weights
        Shape (n,) [m^d], all positive; their sum is the measure of the shape.
    """

    points: Array
    weights: Array


def gauss_legendre(count: int, lower: float, upper: float) -> tuple[Array, Array]:
    """Return Gauss-Legendre points and weights on an interval, exact to degree 2 count - 1.

    Raises
    ------
    GeometryError
        If `count` is not a positive integer.

    References
    ----------
    Davis and Rabinowitz (1984), Methods of Numerical Integration, section 2.7.
    """
    if not isinstance(count, int | np.integer) or count < 1:
        raise GeometryError(f"quadrature: n must be a positive integer, got {count!r}")
    nodes, weights = _legendre(int(count))
    half = (upper - lower) / 2
    return (lower + upper) / 2 + half * nodes, half * weights


@lru_cache(maxsize=64)
def _legendre(count: int) -> tuple[Array, Array]:
    """Return the rule on (-1, 1), kept since its eigenvalues take a time of order count^3."""
    return np.polynomial.legendre.leggauss(count)


def box_rule(n: int, lower: tuple[float, ...], upper: tuple[float, ...]) -> Quadrature:
    """Return the tensor product of Gauss-Legendre rules with n points along each axis of a box.

    Raises
    ------
    GeometryError
        If n is not a positive integer, or there would be too many points.
    """
    axes = [gauss_legendre(n, a, b) for a, b in zip(lower, upper, strict=True)]
    check_size(n, len(axes), n ** len(axes))
    points, weights = np.zeros((1, 0)), np.ones(1)
    for nodes, own in axes:
        count = len(weights)
        points = np.column_stack([np.repeat(points, n, axis=0), np.tile(nodes, count)])
        weights = np.outer(weights, own).ravel()
    return Quadrature(points, weights)


def check_size(n: int, dimension: int, count: int) -> None:
    """Refuse a rule of more than `MOST_POINTS` points."""
    if count > MOST_POINTS:
        raise GeometryError(
            f"quadrature: n = {n} in {dimension} dimensions takes {count} points, more than "
            f"{MOST_POINTS}; take a smaller n, or 'sample_interior' and 'sample_boundary'"
        )


def from_polar(center: tuple[float, float], radius: Array, angle: Array) -> Array:
    """Return the points center + radius (cos(angle), sin(angle)), shape (n, 2)."""
    return np.stack(
        [center[0] + radius * np.cos(angle), center[1] + radius * np.sin(angle)], axis=1
    )


def ring(n: int, center: tuple[float, float], inner: float, outer: float) -> Quadrature:
    """Return n Gauss-Legendre radii times 2 n equal angles between two circles.

    Exact for polynomials of degree 2 n - 2 (the factor r of the area takes one degree), and for
    odd terms by symmetry of degree 2 n - 1.
    """
    radii, weights = gauss_legendre(n, inner, outer)
    angles = np.pi / n * (np.arange(2 * n) + 0.5)
    r, angle = np.meshgrid(radii, angles, indexing="ij")
    areas = np.repeat(weights * radii * np.pi / n, 2 * n)
    return Quadrature(from_polar(center, r.ravel(), angle.ravel()), areas)
