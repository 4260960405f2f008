"""The clamped rectangular plate under uniform load: Ritz's method with orthogonal polynomials."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.polynomial import legendre

from ..library.kirchhoff_plate import KirchhoffPlate
from .solution import Array, ExactSolution, checked, from_derivatives, positive

_TERMS = 26


@final
@dataclass(frozen=True)
class UniformClampedPlate(ExactSolution):
    """Deflection on (0, a) x (0, b), clamped on all edges, under uniform load q.

    w is the minimum of the strain energy among sums of p_i(2x/a - 1) p_j(2y/b - 1), where p_i are
    even polynomials with double zeros at -1 and 1, and p_i'' is Legendre's polynomial of degree
    2 i + 2.

    Parameters
    ----------
    width, height
        a, b [m]; ratio between 1/4 and 4.
    load
        q [N/m^2].
    rigidity
        D [N m].
    poisson_ratio
        nu [-].

    Notes
    -----
    26 polynomials along each side. Errors in units of q, a and D, for ratios from 1/4 to 4: of w
    below 1e-11; of moments below 1e-9 in the inside and 1e-6 on the edges; of shear forces below
    1e-7 in the inside and 1e-3 on the edges, since the solution is singular at the corners.

    References
    ----------
    Shen (1994), Efficient spectral-Galerkin method I (the basis).
    """

    width: float = 1.0
    height: float = 1.0
    load: float = 1.0
    rigidity: float = 1.0
    poisson_ratio: float = 0.3

    def __post_init__(self) -> None:
        positive("UniformClampedPlate", width=self.width, height=self.height)
        positive("UniformClampedPlate", rigidity=self.rigidity)

    @property
    def pde(self) -> KirchhoffPlate:
        return KirchhoffPlate(self.rigidity, self.poisson_ratio, self.load)

    def __call__(self, X: Array) -> dict[str, Array]:
        X = checked(X, 2)
        rows = _solve(self.height / self.width)
        scale = self.load * self.width**4 / self.rigidity
        xi, eta = 2 * X[:, 0] / self.width - 1, 2 * X[:, 1] / self.height - 1

        def derivative(p: int, q: int) -> Array:
            value = np.einsum("ni,ij,nj->n", _values(xi, p), rows, _values(eta, q), optimize=True)
            return np.asarray(scale * (2 / self.width) ** p * (2 / self.height) ** q * value)

        return from_derivatives(self.pde, derivative, X)


@functools.cache
def _basis() -> Array:
    """Return Legendre coefficients of the polynomials, by integrating P_n twice."""
    basis = np.zeros((_TERMS, 2 * _TERMS + 3))
    for i in range(_TERMS):
        n = 2 * i + 2
        basis[i, n + 2] = 1 / ((2 * n + 1) * (2 * n + 3))
        basis[i, n] = -2 / ((2 * n - 1) * (2 * n + 3))
        basis[i, n - 2] = 1 / ((2 * n - 1) * (2 * n + 1))
        basis[i] *= np.sqrt(n + 0.5)  # so that the second derivatives have norm one
    return basis


@functools.lru_cache(maxsize=16)
def _solve(ratio: float) -> Array:
    """Return the coefficients for a = 1, b = ratio and q/D = 1."""
    basis = _basis()
    norms = 2 / (2 * np.arange(basis.shape[1]) + 1)
    mass = basis * norms @ basis.T
    second = legendre.legder(basis, 2, axis=1)
    slope = -(basis[:, : second.shape[1]] * norms[: second.shape[1]]) @ second.T
    one = np.eye(_TERMS)
    sx, sy = 2.0**2, (2 / ratio) ** 2
    matrix = sx**2 * np.kron(one, mass) + sy**2 * np.kron(mass, one)
    matrix += 2 * sx * sy * np.kron(slope, slope)
    mean = 2 * basis[:, 0]
    return np.linalg.solve(matrix, np.kron(mean, mean)).reshape(_TERMS, _TERMS)


def _values(xi: Array, order: int) -> Array:
    """Return derivatives of the polynomials at points, shape (n, terms)."""
    coefficients = legendre.legder(_basis(), order, axis=1)
    return np.asarray(legendre.legvander(xi, coefficients.shape[1] - 1) @ coefficients.T)
