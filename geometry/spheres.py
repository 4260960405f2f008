"""The unit sphere in d dimensions: an even map of the unit cube to it, and product rules on it."""

from __future__ import annotations

import math

import numpy as np

from .quadrature import check_size, gauss_legendre

Array = np.ndarray


def area(dimension: int) -> float:
    """Return the area 2 pi^(d/2) / Gamma(d/2) of the unit sphere in R^d."""
    return 2 * math.exp(dimension / 2 * math.log(math.pi) - math.lgamma(dimension / 2))


def directions(unit: Array) -> Array:
    """Map points of the unit cube, shape (n, d - 1), evenly to the unit sphere, shape (n, d).

    The coordinates are taken in pairs, as complex numbers with even angles; the squares of their
    sizes share the unit length as the gaps between even points of an interval do. Where d is odd,
    one coordinate x comes first, with (1 + x) / 2 of the distribution Beta((d - 1) / 2,
    (d - 1) / 2); for d = 3 that is the equal-area map of Lambert.

    References
    ----------
    Fang, Kotz and Ng (1990), Symmetric Multivariate and Related Distributions, section 1.4.
    """
    dimension = unit.shape[1] + 1
    if dimension % 2:
        share = unit[:, 0] if dimension == 3 else _beta_quantile((dimension - 1) / 2, unit[:, 0])
        around = 2 * np.sqrt(share * (1 - share))
        return np.column_stack([2 * share - 1, around[:, None] * directions(unit[:, 1:])])
    pairs = dimension // 2
    left, columns = np.ones(len(unit)), []
    for k in range(pairs):
        after = left * unit[:, k] ** (1 / (pairs - 1 - k)) if k < pairs - 1 else np.zeros(len(unit))
        size, angle = np.sqrt(left - after), 2 * math.pi * unit[:, pairs - 1 + k]
        columns += [size * np.cos(angle), size * np.sin(angle)]
        left = after
    return np.stack(columns, axis=1)


def rule(n: int, dimension: int) -> tuple[Array, Array]:
    """Return directions (m, d) and their shares (m,) of the sphere, exact to degree 2 n - 1.

    Gauss-Gegenbauer points along all axes but the last two, times 2 n equal angles around them.

    Raises
    ------
    GeometryError
        If n is not a positive integer, or there would be too many points.

    References
    ----------
    Stroud (1971), Approximate Calculation of Multiple Integrals, section 2.7.
    """
    from scipy.special import roots_gegenbauer

    gauss_legendre(n, 0.0, 1.0)  # refuses a bad count
    check_size(n, dimension, 2 * n ** (dimension - 1))
    angle = math.pi / n * (np.arange(2 * n) + 0.5)
    found = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    shares = np.full(2 * n, 0.5 / n)
    for d in range(3, dimension + 1):
        nodes, weights = roots_gegenbauer(n, (d - 2) / 2)
        first = np.repeat(nodes, len(found))
        rest = np.sqrt(1 - first**2)[:, None] * np.tile(found, (n, 1))
        found = np.column_stack([first, rest])
        shares = np.outer(weights / weights.sum(), shares).ravel()
    return found, shares


def _beta_quantile(a: float, share: Array) -> Array:
    from scipy.special import betaincinv

    return np.asarray(betaincinv(a, a, share))
