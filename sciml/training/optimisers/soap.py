"""SOAP: Adam in the eigenbasis of Shampoo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from .adam import Moments
from .base import Objective, Vector, require
from .first_order import Memory
from .matrixwise import Matrixwise
from .rates import Rate


@final
@dataclass(frozen=True)
class SOAP(Matrixwise):
    """Adam on gradients that are turned into the eigenbasis of their own second moments.

    For a matrix W with gradient G: L <- b L + (1 - b) G G^T, R <- b R + (1 - b) G^T G; with the
    eigenvectors P of L and Q of R, v <- b2 v + (1 - b2) (P^T G Q)^2 and
    W <- W - rate P [(P^T m Q) / (sqrt(v) + eps)] Q^T, m and v without bias. What is no matrix moves
    by Adam. A gradient is turned before it enters L and R, so the first one only sets them: that
    step moves nothing.

    Parameters
    ----------
    beta1, beta2 : float
        Forgetting factors of mean and square, in [0, 1); b is the second.
    epsilon : float
        Added to the denominator, > 0.
    every : int
        Steps between renewals of the eigenvectors, each by one step of orthogonal iteration, >= 1.

    Raises
    ------
    ConfigError
        If a number is out of its range, or the loss knows no matrices.

    References
    ----------
    Vyas et al. (2024), arXiv:2409.11321, algorithms 3 and 4; Wang,
    Bhartari, Li and Perdikaris (2025), arXiv:2502.00604, for physics-informed networks.
    """

    rate: Rate | float = 3e-3
    beta1: float = 0.95
    beta2: float = 0.95
    epsilon: float = 1e-8
    every: int = 2

    @property
    def moments(self) -> Moments:
        """The running mean and square."""
        return Moments(self.beta1, self.beta2, self.epsilon)

    def check(self) -> None:
        self.moments.check("SOAP")
        require(self.every >= 1, "SOAP", "every >= 1", every=self.every)

    def empty(self, x: Vector, objective: Objective) -> Memory:
        memory = {**self.moments.empty(x), **self.blocks(x, objective)}
        for k, (_, (m, n)) in enumerate(self.matrices(memory)):
            memory |= {f"left.{k}": np.zeros((m, m)), f"right.{k}": np.zeros((n, n))}
            memory |= {f"left.{k}.basis": np.eye(m), f"right.{k}.basis": np.eye(n)}
        return memory

    def direction(
        self, x: Vector, gradient: Vector, memory: Memory, t: int
    ) -> tuple[Vector, Memory]:
        """Turn mean and gradient, take Adam's quotient there, turn it back, renew the bases."""
        kept = {**self._bases(gradient, memory, t), **self.kept(memory)}
        if t == 1:
            moments = {name: memory[name] for name in ("mean", "square")}
            return np.zeros_like(x), {**moments, **kept}
        mean = self.beta1 * memory["mean"] + (1.0 - self.beta1) * gradient
        turned, turned_mean = gradient.copy(), mean.copy()
        for k, (place, shape) in enumerate(self.matrices(memory)):
            p, q = memory[f"left.{k}.basis"], memory[f"right.{k}.basis"]
            turned[place] = (p.T @ gradient[place].reshape(shape) @ q).ravel()
            turned_mean[place] = (p.T @ mean[place].reshape(shape) @ q).ravel()
        square = self.beta2 * memory["square"] + (1.0 - self.beta2) * turned**2
        scale = np.sqrt(square / (1.0 - self.beta2 ** (t - 1))) + self.epsilon
        found = turned_mean / (1.0 - self.beta1 ** (t - 1)) / scale
        for k, (place, shape) in enumerate(self.matrices(memory)):
            p, q = memory[f"left.{k}.basis"], memory[f"right.{k}.basis"]
            found[place] = (p @ found[place].reshape(shape) @ q.T).ravel()
        return found, {"mean": mean, "square": square, **kept}

    def _bases(self, gradient: Vector, memory: Memory, t: int) -> dict[str, Vector]:
        """Return second moments and eigenvectors of both sides of all matrices, as memory."""
        found: dict[str, Vector] = {}
        for k, (place, shape) in enumerate(self.matrices(memory)):
            g = gradient[place].reshape(shape)
            for name, product in ((f"left.{k}", g @ g.T), (f"right.{k}", g.T @ g)):
                moment = self.beta2 * memory[name] + (1.0 - self.beta2) * product
                basis = memory[f"{name}.basis"]
                if t == 1:
                    # from the largest eigenvalue on, the order that orthogonal iteration keeps
                    basis = np.linalg.eigh(moment)[1][:, ::-1].copy()
                elif (t - 1) % self.every == 0:
                    basis = np.linalg.qr(moment @ basis)[0]
                found |= {name: moment, f"{name}.basis": basis}
        return found
