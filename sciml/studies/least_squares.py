"""What a linear least squares problem says of the spread of its solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self, final

import numpy as np
import scipy.linalg

from sciml.framework.errors import ConfigError
from sciml.problem.constraint import Array

# Singular values of the scaled matrix below this part of the largest count as zero.
CUTOFF = 1e-13


@final
@dataclass(frozen=True)
class LeastSquares:
    """The matrix J of min |J s + r| by singular values, J diag(1 / norms) = U diag(S) V^T.

    Parameters
    ----------
    norms : Array
        Norms of the columns, shape (n,); 1 for those that are zero.
    U : Array
        Shape (m, rank).
    S : Array
        Singular values that count, shape (rank,).
    V : Array
        Shape (n, rank).
    unseen : Array
        The other directions, in which J is zero, shape (n, n - rank).

    References
    ----------
    Golub and Van Loan (2013), Array Computations, sections 5.3.3 and 5.5.

    Examples
    --------
    >>> line = LeastSquares.of(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]))
    >>> root = line.posterior(1.0)
    >>> (root @ root.T).round(3)
    array([[ 0.833, -0.5  ],
           [-0.5  ,  0.5  ]])
    """

    norms: Array
    U: Array
    S: Array
    V: Array
    unseen: Array

    @classmethod
    def of(cls, J: Array) -> Self:
        """Return the decomposition of J of shape (m, n) with m >= n."""
        norms = np.linalg.norm(J, axis=0)
        norms[norms == 0.0] = 1.0
        U, S, Vt = scipy.linalg.svd(J / norms, full_matrices=False, check_finite=False)
        rank = int(np.sum(CUTOFF * S[0] < S))
        return cls(norms, U[:, :rank], S[:rank], Vt[:rank].T, Vt[rank:].T)

    @property
    def inverse(self) -> Array:
        """F of shape (n, rank) with (J^T J)^+ = F F^T, zero in unseen directions."""
        return np.asarray((self.V / self.S) / self.norms[:, None])

    def posterior(self, deviation: float) -> Array:
        """Return F with covariance F F^T = deviation^2 (J^T J)^+."""
        return self.inverse * deviation

    def sampling(self, rows: Array, deviations: Array) -> Array:
        """Return F with the covariance F F^T of s, where r varies in some rows independently.

        Parameters
        ----------
        rows : array of int
            These rows, shape (k,).
        deviations : Array
            Their standard deviations, shape (k,).
        """
        return np.asarray(self.inverse @ (self.U[rows].T * deviations))

    def deviation(self, r: Array, rows: Array) -> float:
        """Return the standard deviation of some rows of r, from what s leaves of them.

        With H the rows and columns of U U^T, the sum of squares of what is left has the mean
        sigma^2 tr((I - H)^2).

        Raises
        ------
        ConfigError
            If s fits these rows with less than one degree of freedom left.
        """
        H = self.U[rows] @ self.U[rows].T
        freedom = len(rows) - 2.0 * float(np.trace(H)) + float(np.sum(H * H))
        if freedom < 1.0:
            raise ConfigError(
                f"laplace: {len(rows)} measured values leave {freedom:.2g} degrees of freedom, "
                "too few to estimate their noise; give noise=... or more data"
            )
        return float(np.sqrt(np.sum(r[rows] ** 2) / freedom))

    def distance(self, r: Array) -> float:
        """Return how far |J s + r| falls by the best s: the norm of the part of r in the range."""
        return float(np.linalg.norm(self.U.T @ r))

    def undetermined(self, gradients: Array) -> float:
        """Return the largest share of gradients, shape (k, n), in directions J does not see."""
        scaled = gradients / self.norms
        sizes = np.linalg.norm(scaled, axis=1)
        lost = np.linalg.norm(scaled @ self.unseen, axis=1)
        return float(np.max(lost / np.where(sizes > 0.0, sizes, 1.0), initial=0.0))
