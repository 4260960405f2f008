"""Legendre's chi function, the sum over odd m of z^m / m^k, near and inside the unit circle."""

from __future__ import annotations

import functools
import math

import numpy as np
import sympy

Array = np.ndarray

_TERMS = 64
_FAR = 0.7


def chi(k: int, mu: Array) -> Array:
    """Return the sum over odd m of exp(-m mu) / m^k.

    Parameters
    ----------
    k
        Order, at least 1.
    mu
        Complex, 0 <= Re mu, |Im mu| <= pi/2.

    Returns
    -------
    Array
        Complex, of the shape of mu, with an error near 1e-16. For k = 1 the value at mu = 0,
        which is infinite, is given as 0.

    Notes
    -----
    Where Re mu is large the sum itself; else Li_k(exp(-mu)) - 2^-k Li_k(exp(-2 mu)) by the
    expansion of the polylogarithm in powers of mu, which converges for |2 mu| < 2 pi.

    References
    ----------
    NIST Digital Library of Mathematical Functions, 25.12.12.

    Examples
    --------
    >>> chi(2, np.array([0j])).real * 8 / math.pi**2
    array([1.])
    """
    mu = np.asarray(mu, dtype=complex)
    far = mu.real >= _FAR
    result = np.empty_like(mu)
    odd = np.arange(1, 2 * math.ceil(40 / (2 * _FAR)), 2)
    result[far] = np.exp(-np.outer(mu[far], odd)) @ (1.0 / odd**k)
    near = mu[~far]
    result[~far] = _polylogarithm(k, -near) - 0.5**k * _polylogarithm(k, -2 * near)
    return result


def _polylogarithm(k: int, z: Array) -> Array:
    """Return Li_k(exp(z)) for |z| < 2 pi and Re z <= 0; zero in place of infinity."""
    powers = z[:, None] ** np.arange(_TERMS)
    regular = powers @ _coefficients(k)
    start = z == 0
    logarithm = np.log(np.where(start, 1, -z))
    harmonic = math.fsum(1 / j for j in range(1, k))
    singular = z ** (k - 1) / math.factorial(k - 1) * (harmonic - logarithm)
    return np.asarray(regular + np.where(start, 0, singular))


@functools.cache
def _coefficients(k: int) -> Array:
    """Return zeta(k - j) / j! for each j, zero for j = k - 1."""
    values = [
        0.0 if j == k - 1 else float(sympy.zeta(k - j) / sympy.factorial(j)) for j in range(_TERMS)
    ]
    return np.array(values)
