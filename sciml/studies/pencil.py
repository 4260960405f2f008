"""Rectangular eigenproblems: functions with A c = lambda B c at many points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
import scipy.linalg

from sciml.problem.constraint import Array

# Functions whose values are below this part of the largest are left out of the first guess.
_RESOLVED = 1e-11
# How far functions of the first guess may miss the conditions, over their own size.
_MISSED = 1e-6
# Eigenvalues closer than this, relatively, are refined together.
_CLUSTER = 1e-4
_REFINEMENTS = 3
# Weight of the rows that fix the size of eigenvectors.
_FIXING = 10.0


@final
@dataclass(frozen=True)
class Cluster:
    """Eigenvalues that are equal or nearly so.

    Parameters
    ----------
    values : Array
        lambda, shape (k,).
    vectors : Array
        Coefficients of one function for each, shape (n, k).
    residual : float
        Largest root mean square of A c - lambda B c over that of B c times |lambda|, or times
        the size of the smallest eigenvalue where that is larger.
    """

    values: Array
    vectors: Array
    residual: float


@final
@dataclass(frozen=True)
class Pencil:
    """Least squares for (A - lambda B) c = 0 with C c = 0, for functions of size |E c| = 1.

    Parameters
    ----------
    A, B : Array
        Rows of the equations with an eigenvalue, shape (m, n), m > n.
    C : Array
        Rows of the equations without one, shape (any, n).
    E : Array
        Values of the functions at points, over the root of their number, shape (any, n).

    Notes
    -----
    Of the functions that values at the points can tell apart, those are taken that satisfy
    C c = 0 up to a small part of their size (by singular values, after Betcke and Trefethen); on
    them the pencil is solved by least squares, which gives first guesses. Each is refined with all
    functions by Newton's method for c and lambda together, whose steps are least squares problems;
    those keep the accuracy that coefficients of very different sizes would cost.

    References
    ----------
    Betcke and Trefethen (2005), SIAM Rev. 47, 469; Driscoll and Hale (2016), IMA J. Numer. Anal.
    36, 108; Ruhe (1973), SIAM J. Numer. Anal. 10, 674, for Newton's method.
    """

    A: Array
    B: Array
    C: Array
    E: Array

    def clusters(self) -> Iterator[Cluster]:
        """Yield refined eigenvalues by rising |lambda|."""
        values, vectors = self._guesses
        first = 0
        while first < len(values):
            last = first + 1
            while last < len(values) and self._near(values[first], values[last]):
                last += 1
            yield self._refined(values[first:last], vectors[:, first:last])
            first = last

    def _near(self, a: complex, b: complex) -> bool:
        return bool(abs(a - b) <= _CLUSTER * max(abs(a), self.size))

    @cached_property
    def size(self) -> float:
        """The size of the smallest eigenvalue that is not zero."""
        sizes = np.abs(self._solved(0.0)[0])
        return float(np.min(sizes))

    @cached_property
    def _functions(self) -> Array:
        """Coefficients of functions that satisfy C c = 0 nearly, shape (n, q)."""
        _, S, Vt = scipy.linalg.svd(np.concatenate([self.C, self.E]), full_matrices=False)
        kept = _RESOLVED * S[0] < S
        basis = Vt[kept].T / S[kept]
        if not len(self.C):
            return np.asarray(basis)
        _, missed, Wt = scipy.linalg.svd(self.C @ basis, full_matrices=True)
        missed = np.concatenate([missed, np.zeros(len(Wt) - len(missed))])
        return np.asarray(basis @ Wt[missed < _MISSED].T)

    def _solved(self, shift: float) -> tuple[Array, Array]:
        """Return eigenvalues by their distance from a shift, and functions."""
        F = self._functions
        P, Q = (self.A - shift * self.B) @ F, self.B @ F
        T = scipy.linalg.lstsq(P, Q, cond=1e-13, lapack_driver="gelsd")[0]
        inverse, vectors = scipy.linalg.eig(T)
        kept = np.abs(inverse) > 1e-12 * np.max(np.abs(inverse))
        values = shift + 1.0 / inverse[kept]
        order = np.argsort(np.abs(inverse[kept]))[::-1]
        return values[order], F @ vectors[:, kept][:, order]

    @cached_property
    def _guesses(self) -> tuple[Array, Array]:
        # Beside zero, so that eigenvalues zero, of motions without strain, are found as well.
        values, vectors = self._solved(-0.5 * self.size)
        real = np.abs(values.imag) <= 1e-3 * np.abs(values)
        values, vectors = values[real], vectors[:, real]
        order = np.argsort(np.abs(values), kind="stable")
        return values[order], vectors[:, order]

    def _refined(self, values: Array, vectors: Array) -> Cluster:
        """Return a cluster after some steps of Newton's method."""
        k = len(values)
        spanning = np.concatenate([vectors.real, vectors.imag], axis=1)
        _, s, Wt = scipy.linalg.svd(self.E @ spanning, full_matrices=False)
        c = spanning @ (Wt[:k].T / s[:k])
        centre, found = float(np.mean(values.real)), values.real
        for _ in range(_REFINEMENTS):
            c, moved = self._step(centre, c)
            found, turn = scipy.linalg.eig(centre * np.eye(k) + moved)
            found = found.real
            centre = float(np.mean(found))
        c = c @ turn.real if k > 1 else c
        c = c / np.linalg.norm(self.E @ c, axis=0)
        order = np.argsort(found)
        found, c = found[order], c[:, order]
        pairs = zip(found, c.T, strict=True)
        return Cluster(found, c, max(self.residual(value, vector) for value, vector in pairs))

    def residual(self, value: float, vector: Array) -> float:
        """Return |A c - lambda B c| over |B c| times |lambda| or the smallest eigenvalue."""
        right = self.B @ vector
        size = np.linalg.norm(right) * max(abs(value), self.size)
        return float(np.linalg.norm(self.A @ vector - value * right) / size)

    def _step(self, centre: float, c: Array) -> tuple[Array, Array]:
        """Return better functions and the matrix by which lambda differs from the centre.

        Least squares for (A - lambda B) c' - B c d = 0, C c' = 0 with the components of c' along
        c fixed.
        """
        (n, k), right = c.shape, self.B @ c
        scale = 1.0 / (max(abs(centre), self.size) * np.linalg.norm(right) / np.sqrt(k))
        fixing = _FIXING * (self.E @ c).T @ self.E
        upper = np.concatenate([(self.A - centre * self.B) * scale, -right * scale], axis=1)
        rest = np.concatenate([self.C, fixing])
        lower = np.concatenate([rest, np.zeros((len(rest), k))], axis=1)
        system = np.concatenate([upper, lower])
        sought = np.zeros((len(system), k))
        sought[-k:] = _FIXING * np.eye(k)
        norms = np.linalg.norm(system, axis=0)
        norms[norms == 0.0] = 1.0
        solved = scipy.linalg.lstsq(system / norms, sought, cond=1e-15, lapack_driver="gelsd")[0]
        solved = solved / norms[:, None]
        return solved[:n], solved[n:]
