"""Losses that are sums of squares, and the least squares problems of their steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.linalg

from sciml.framework.errors import ConfigError

from .base import Objective, Optimiser, OptimiserState, StopReason, Vector

Matrix: TypeAlias = npt.NDArray[np.float64]

_REFINEMENTS = 3


class SumOfSquares(ABC):
    """A loss r . r with its residuals r, weights included, and their Jacobian."""

    @abstractmethod
    def __call__(self, x: Vector) -> tuple[float, Vector]:
        """Return the loss and its gradient of shape (n,)."""

    @abstractmethod
    def residuals(self, x: Vector) -> Vector:
        """Return r, shape (m,)."""

    @abstractmethod
    def linearise(self, x: Vector) -> tuple[Vector, Matrix]:
        """Return r of shape (m,) and its Jacobian of shape (m, n)."""


def sum_of_squares(objective: Objective, method: str) -> SumOfSquares:
    """Return an objective as what second-order methods need.

    Raises
    ------
    ConfigError
        If it knows its value and gradient only.
    """
    if not isinstance(objective, SumOfSquares):
        raise ConfigError(
            f"{method} needs the residuals of a sum of squares, got a loss and its gradient only; "
            "use LBFGS or Adam"
        )
    return objective


class SecondOrder(Optimiser):
    """A method whose steps solve for the linearised residuals; the loss of its state is that at x.

    Attributes
    ----------
    steps : int
        Largest number of steps, >= 0.
    """

    steps: int

    @property
    def step_limit(self) -> int:
        """The largest number of steps."""
        return self.steps

    @property
    def name(self) -> str:
        """The name of the class, for messages."""
        return type(self).__name__

    @abstractmethod
    def memory(self, x: Vector) -> dict[str, Vector]:
        """Return what the method carries before its first step."""

    def start(self, x: Vector, objective: Objective) -> OptimiserState:
        """Linearise at ``x``."""
        r, J = sum_of_squares(objective, self.name).linearise(x)
        norm = float(np.linalg.norm(2.0 * (J.T @ r)))
        state = OptimiserState(x.copy(), 0, float(r @ r), norm, 1.0, 1, self.memory(x))
        return state.stopped(StopReason.STEP_LIMIT) if self.steps == 0 else state


@dataclass(frozen=True)
class LeastSquaresStep:
    """The solution s of a linear least squares problem.

    Parameters
    ----------
    step : Vector
        s, shape (n,).
    rank : int
        Number of directions that the data determine.
    predicted : float
        The sum of squares that is left in the linear model.
    """

    step: Vector
    rank: int
    predicted: float


def truncated(J: Matrix, r: Vector, cutoff: float) -> LeastSquaresStep:
    """Return the s of least norm that minimises |J s + r|, by singular values.

    The columns are divided by their norms first, and singular values below `cutoff` times the
    largest are taken for zero. The condition of J enters once; normal equations would square it.

    Parameters
    ----------
    J : Matrix
        Shape (m, n).
    r : Vector
        Shape (m,).
    cutoff : float
        In (0, 1).

    References
    ----------
    Golub and Van Loan (2013), Matrix Computations, sections 5.3.3 and 5.5.
    """
    norms = np.linalg.norm(J, axis=0)
    norms[norms == 0.0] = 1.0
    scaled, _, rank, _ = scipy.linalg.lstsq(
        J / norms, -r, cond=cutoff, lapack_driver="gelsd", overwrite_a=True, check_finite=False
    )
    step: Vector = scaled / norms
    return LeastSquaresStep(step, int(rank), float(np.sum((J @ step + r) ** 2)))


def damped(J: Matrix, r: Vector, damping: float) -> LeastSquaresStep:
    """Return the s that minimises |J s + r|^2 + mu |s|^2, mu = damping max_i (J^T J)_ii.

    The smaller of two symmetric systems is factorised: (J^T J + mu) s = -J^T r, or, with fewer
    residuals than parameters, s = -J^T (J J^T + mu)^-1 r. Either squares the condition of J, which
    refinement with J itself takes back; where the factorisation fails in rounding, singular values
    of J give the same s.

    Parameters
    ----------
    J : Matrix
        Shape (m, n).
    r : Vector
        Shape (m,).
    damping : float
        > 0.

    References
    ----------
    Nocedal and Wright (2006), section 10.3, for the first; Guzman-Cordero, Dangel, Goldshlager and
    Zeinhofer (2025), arXiv:2505.12149, section 3, for the second; Bjorck (1996), Numerical Methods
    for Least Squares Problems, section 6.6.5, for the refinement.
    """
    m, n = J.shape
    mu = damping * float(np.max(np.einsum("ij,ij->j", J, J)))
    system = J.T @ J if n <= m else J @ J.T
    system[np.diag_indices(min(m, n))] += mu
    try:
        factor = scipy.linalg.cho_factor(system, overwrite_a=True, check_finite=False)
    except scipy.linalg.LinAlgError:
        step = _by_singular_values(J, r, mu)
        return LeastSquaresStep(step, min(m, n), float(np.sum((J @ step + r) ** 2)))
    step = np.zeros(n)
    for _ in range(_REFINEMENTS):
        left = J @ step + r
        if n <= m:
            step -= scipy.linalg.cho_solve(factor, J.T @ left + mu * step, check_finite=False)
        else:
            # the s in the range of J^T: s = J^T y with (J J^T + mu) y = -r
            step -= J.T @ scipy.linalg.cho_solve(factor, left, check_finite=False)
            break
    return LeastSquaresStep(step, min(m, n), float(np.sum((J @ step + r) ** 2)))


def _by_singular_values(J: Matrix, r: Vector, mu: float) -> Vector:
    u, s, vt = scipy.linalg.svd(J, full_matrices=False, check_finite=False)
    step: Vector = -vt.T @ (s / (s * s + mu) * (u.T @ r))
    return step
