"""L-BFGS with a strong-Wolfe line search, the method that makes the result accurate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .base import Objective, OptimiserState, Vector, require
from .line_searched import Change, Learnt, LineSearched


@dataclass(frozen=True)
class LBFGS(LineSearched):
    """Quasi-Newton steps from the last ``history`` changes of parameters and gradient.

    Direction -H g, where H is built from pairs s = x' - x, y = g' - g by the two-loop recursion
    and starts from (s.y / y.y) times the identity.

    Parameters
    ----------
    steps : int
        Largest number of steps, >= 0.
    history : int
        Number of pairs kept, >= 1.
    gradient_tolerance : float
        Stop when the Euclidean norm of the gradient is at or below this, >= 0.
    decrease, curvature : float
        Constants c1 < c2 of the strong Wolfe conditions, in (0, 1).
    line_trials : int
        Largest number of evaluations of one line search, >= 1.

    Raises
    ------
    ConfigError
        If a number is out of its range.

    Notes
    -----
    When a search fails the history is dropped once and the steepest descent is tried; if that
    fails too the stage stops and says why. Cost per step: about 4 ``history`` n operations and
    one to two evaluations.

    References
    ----------
    Nocedal and Wright (2006), Numerical Optimization, algorithms 7.4 and 7.5.
    """

    steps: int = 2000
    history: int = 50
    gradient_tolerance: float = 1e-12
    decrease: float = 1e-4
    curvature: float = 0.9
    line_trials: int = 40

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        counts = self.history >= 1 and self.line_trials >= 1
        require(counts, "LBFGS", "counts >= 1", history=self.history, line_trials=self.line_trials)
        self.check_search()

    def start(self, x: Vector, objective: Objective) -> OptimiserState:
        """Evaluate at ``x``; the history is empty."""
        return self.started(x, objective, self.untaught(x.size))

    def untaught(self, n: int) -> Learnt:
        """Return an empty history."""
        return {"s": np.zeros((0, n)), "y": np.zeros((0, n)), "rho": np.zeros(0)}

    def taught(self, learnt: Learnt) -> bool:
        """Return whether there are pairs."""
        return learnt["rho"].size > 0

    def applied(self, learnt: Learnt, gradient: Vector) -> Vector:
        """Return H g by the two-loop recursion."""
        return two_loop(gradient, learnt["s"], learnt["y"], learnt["rho"])

    def updated(self, learnt: Learnt, change: Change) -> Learnt:
        """Append a pair and keep the newest ones."""
        new = {"s": change.s[None], "y": change.y[None], "rho": np.array([1.0 / change.ys])}
        return {k: np.concatenate([v, new[k]])[-self.history :] for k, v in learnt.items()}


def two_loop(gradient: Vector, s: Vector, y: Vector, rho: Vector) -> Vector:
    """Return H g.

    Parameters
    ----------
    gradient : Vector
        g, shape (n,).
    s, y : Vector
        Changes of parameters and of gradient, oldest first, shape (pairs, n).
    rho : Vector
        1 / (s.y) of each pair, shape (pairs,).
    """
    q = gradient.copy()
    alpha = np.zeros(rho.size)
    for i in range(rho.size - 1, -1, -1):
        alpha[i] = rho[i] * float(s[i] @ q)
        q -= alpha[i] * y[i]
    if rho.size:
        q *= 1.0 / (rho[-1] * float(y[-1] @ y[-1]))
    for i in range(rho.size):
        q += (alpha[i] - rho[i] * float(y[i] @ q)) * s[i]
    return q
