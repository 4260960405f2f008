"""L-BFGS with a strong-Wolfe line search, the method that makes the result accurate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from .base import Objective, Optimiser, OptimiserState, StopReason, Vector, require
from .line_search import Wolfe, search

_CURVATURE_FLOOR = 1e-10


@dataclass(frozen=True)
class LBFGS(Optimiser):
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
        require(self.steps >= 0, "LBFGS", "steps >= 0", steps=self.steps)
        counts = self.history >= 1 and self.line_trials >= 1
        require(counts, "LBFGS", "counts >= 1", history=self.history, line_trials=self.line_trials)
        tolerance = self.gradient_tolerance
        require(tolerance >= 0.0, "LBFGS", "gradient_tolerance >= 0", gradient_tolerance=tolerance)
        require(
            0.0 < self.decrease < self.curvature < 1.0, "LBFGS",
            "0 < decrease < curvature < 1", decrease=self.decrease, curvature=self.curvature,
        )  # fmt: skip

    @property
    def step_limit(self) -> int:
        """The largest number of steps."""
        return self.steps

    def start(self, x: Vector, objective: Objective) -> OptimiserState:
        """Evaluate at ``x``; the history is empty."""
        value, gradient = objective(x)
        empty = np.zeros((0, x.size))
        memory = {"gradient": gradient.copy(), "s": empty, "y": empty, "rho": np.zeros(0)}
        norm = float(np.linalg.norm(gradient))
        state = OptimiserState(x.copy(), 0, value, norm, 1.0, 1, memory)
        return self._finish(state)

    def advance(self, state: OptimiserState, objective: Objective) -> OptimiserState:
        """Take one step that meets the strong Wolfe conditions, or say why there is none."""
        if (ended := self._finish(state)).stop is not None:
            return ended
        memory, gradient = state.memory, state.memory["gradient"]
        wolfe = Wolfe(self.decrease, self.curvature, self.line_trials)
        pairs = memory["rho"].size
        direction = -two_loop(gradient, memory["s"], memory["y"], memory["rho"])
        if not direction @ gradient < 0.0:
            pairs, direction = 0, -gradient
        length = 1.0 if pairs else min(1.0, 1.0 / state.gradient_norm)
        found = search(objective, state.x, state.value, gradient, direction, length, wolfe)
        evaluations = state.evaluations + found.evaluations
        if found.trial is None and pairs:
            bare = {**memory, **_pairs(memory, 0)}
            return self.advance(replace(state, memory=bare, evaluations=evaluations), objective)
        if found.trial is None:
            state = replace(state, evaluations=evaluations)
            return state.stopped(found.reason or StopReason.LINE_SEARCH)
        trial = found.trial
        kept = self._remember(_pairs(memory, pairs), trial.x - state.x, trial.gradient - gradient)
        norm = float(np.linalg.norm(trial.gradient))
        moved = OptimiserState(
            trial.x, state.step + 1, trial.value, norm, trial.length, evaluations,
            {"gradient": trial.gradient, **kept},
        )  # fmt: skip
        return self._finish(moved)

    def _finish(self, state: OptimiserState) -> OptimiserState:
        if state.gradient_norm <= self.gradient_tolerance:
            return state.stopped(StopReason.GRADIENT_TOLERANCE)
        if state.step >= self.steps:
            return state.stopped(StopReason.STEP_LIMIT)
        return state

    def _remember(self, pairs: dict[str, Vector], s: Vector, y: Vector) -> dict[str, Vector]:
        """Append a pair unless its curvature is lost in rounding; keep the newest ones."""
        product = float(s @ y)
        if not product > _CURVATURE_FLOOR * float(np.linalg.norm(s) * np.linalg.norm(y)):
            return pairs
        new = {"s": s[None], "y": y[None], "rho": np.array([1.0 / product])}
        return {k: np.concatenate([v, new[k]])[-self.history :] for k, v in pairs.items()}


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


def _pairs(memory: Mapping[str, Vector], count: int) -> dict[str, Vector]:
    """Return the newest ``count`` pairs of a memory."""
    return {k: memory[k][len(memory[k]) - count :] for k in ("s", "y", "rho")}
