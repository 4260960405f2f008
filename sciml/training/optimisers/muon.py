"""Muon: steps along orthogonal matrices."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from .adam import Moments
from .base import Objective, Vector, require
from .first_order import Memory, check_factors
from .matrixwise import Matrixwise
from .rates import Rate

_COEFFICIENTS = (3.4445, -4.7750, 2.0315)
_ITERATIONS = 5


@final
@dataclass(frozen=True)
class Muon(Matrixwise):
    """Matrices move along the momentum with its singular values made nearly one, others by Adam.

    m <- mu m + g, W <- W - rate sqrt(max(1, outputs / inputs)) O(g + mu m), where O(U S V^T) is
    about U V^T by five iterations of Newton and Schulz. W has a row for each input.

    Parameters
    ----------
    momentum : float
        mu, in [0, 1).
    others : float
        Rate of Adam for what is no matrix, over the rate of matrices, > 0.
    beta1, beta2, epsilon : float
        Of that Adam.

    Raises
    ------
    ConfigError
        If a number is out of its range, or the loss knows no matrices.

    Notes
    -----
    The reference leaves the first and last layer to Adam. A vector of parameters does not say which
    these are, so here every matrix of two rows and columns or more moves as one.

    References
    ----------
    Jordan et al. (2024), Muon: an optimizer for hidden layers in neural networks.
    """

    rate: Rate | float = 2e-3
    momentum: float = 0.95
    others: float = 0.5
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8

    @property
    def moments(self) -> Moments:
        """The running mean and square of what is no matrix."""
        return Moments(self.beta1, self.beta2, self.epsilon)

    def check(self) -> None:
        check_factors("Muon", momentum=self.momentum)
        self.moments.check("Muon")
        require(self.others > 0.0, "Muon", "others > 0", others=self.others)

    def empty(self, x: Vector, objective: Objective) -> Memory:
        own = {**self.moments.empty(x), **self.blocks(x, objective)}
        return {**own, "momentum": np.zeros_like(x)}

    def direction(
        self, x: Vector, gradient: Vector, memory: Memory, t: int
    ) -> tuple[Vector, Memory]:
        adam, moments = self.moments.direction(gradient, memory, t)
        momentum = self.momentum * memory["momentum"] + gradient
        ahead, found = gradient + self.momentum * momentum, self.others * adam
        for place, shape in self.matrices(memory):
            scale = math.sqrt(max(1.0, shape[1] / shape[0]))
            found[place] = scale * orthogonalised(ahead[place].reshape(shape)).ravel()
        return found, {**moments, "momentum": momentum, **self.kept(memory)}


def orthogonalised(matrix: Vector) -> Vector:
    """Return about U V^T for a matrix G = U S V^T of shape (m, n).

    X <- a X + (b X X^T + c (X X^T)^2) X from X = G / |G|, five times. Singular values above 0.002
    of the Frobenius norm |G| come between 0.68 and 1.21; a zero matrix stays.
    """
    a, b, c = _COEFFICIENTS
    wide = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix
    size = float(np.linalg.norm(wide))
    if size == 0.0:
        return matrix
    wide = wide / size
    for _ in range(_ITERATIONS):
        square = wide @ wide.T
        wide = a * wide + (b * square + c * square @ square) @ wide
    return wide.T if matrix.shape[0] > matrix.shape[1] else wide
