"""Even maps of the unit interval and square to many edges and triangles, and rules on these."""

from __future__ import annotations

import numpy as np

from .quadrature import gauss_legendre

Array = np.ndarray


def located(measures: Array, unit: Array) -> tuple[Array, Array]:
    """Return the strip that holds each unit number, and the share of it that lies below.

    Parameters
    ----------
    measures
        Measures of the pieces; strips of the unit interval are as wide as their shares, shape (k,).
    unit
        Numbers in [0, 1], shape (n,).
    """
    ends = np.cumsum(measures)
    target = unit * ends[-1]
    at = np.minimum(np.searchsorted(ends, target, side="right"), len(ends) - 1)
    return at, np.clip((target - ends[at] + measures[at]) / measures[at], 0.0, 1.0)


def in_triangles(corners: Array, share: Array, across: Array) -> Array:
    """Map two unit numbers evenly to each triangle: the share of area from a corner, and across.

    Parameters
    ----------
    corners
        Corners of n triangles, shape (n, 3, d) [m].
    share, across
        Shape (n,).
    """
    root, a = np.sqrt(share)[:, None], across[:, None]
    return np.asarray(
        (1 - root) * corners[:, 0] + root * ((1 - a) * corners[:, 1] + a * corners[:, 2])
    )


def triangle_rule(n: int) -> tuple[Array, Array, Array]:
    """Return unit numbers for `in_triangles` and shares of a rule exact to degree 2 n - 1.

    There are n + 1 Gauss-Legendre points from the first corner, and n across.

    References
    ----------
    Stroud (1971), Approximate Calculation of Multiple Integrals, section 2.4.
    """
    across, shares = gauss_legendre(n, 0.0, 1.0)
    root, weights = gauss_legendre(n + 1, 0.0, 1.0)
    s, t = np.meshgrid(root, across, indexing="ij")
    return s.ravel() ** 2, t.ravel(), np.outer(2 * root * weights, shares).ravel()
