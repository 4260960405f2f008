"""Methods that learn the curvature of the loss and search along a line at every step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, final

import numpy as np

from .base import Objective, Optimiser, OptimiserState, StopReason, Vector, require
from .line_search import Wolfe, search

_CURVATURE_FLOOR = 1e-10

Learnt: TypeAlias = Mapping[str, Vector]
"""What a method knows of the inverse Hessian H, in arrays of its own."""


@dataclass(frozen=True)
class Change:
    """What a step changed.

    Parameters
    ----------
    s, y : Vector
        Changes of parameters and of gradient, shape (n,).
    ys : float
        y.s, > 0.
    b : float
        s.Bs / y.s with B = H^-1 before the step [-].
    """

    s: Vector
    y: Vector
    ys: float
    b: float


class LineSearched(Optimiser):
    """Steps along -H g to points that meet the strong Wolfe conditions.

    When a search fails, or -H g leads upwards, H becomes the identity once; if that fails too the
    stage stops and says why. A change whose curvature y.s is lost in rounding teaches nothing.
    A subclass is a frozen dataclass with the fields below.

    Attributes
    ----------
    steps : int
        Largest number of steps, >= 0.
    gradient_tolerance : float
        Stop when the Euclidean norm of the gradient is at or below this, >= 0.
    decrease, curvature : float
        Constants c1 < c2 of the strong Wolfe conditions, in (0, 1).
    line_trials : int
        Largest number of evaluations of one line search, >= 1.
    """

    steps: int
    gradient_tolerance: float
    decrease: float
    curvature: float
    line_trials: int

    @abstractmethod
    def untaught(self, n: int) -> Learnt:
        """Return what is known of n parameters before the first step: H is the identity."""

    @abstractmethod
    def taught(self, learnt: Learnt) -> bool:
        """Return whether H is anything else than the identity."""

    @abstractmethod
    def applied(self, learnt: Learnt, gradient: Vector) -> Vector:
        """Return H g of shape (n,)."""

    @abstractmethod
    def updated(self, learnt: Learnt, change: Change) -> Learnt:
        """Return what is known after a change."""

    @final
    def check_search(self) -> None:
        """Refuse numbers out of range."""
        name, tolerance = type(self).__name__, self.gradient_tolerance
        require(self.steps >= 0, name, "steps >= 0", steps=self.steps)
        require(self.line_trials >= 1, name, "line_trials >= 1", line_trials=self.line_trials)
        require(tolerance >= 0.0, name, "gradient_tolerance >= 0", gradient_tolerance=tolerance)
        require(
            0.0 < self.decrease < self.curvature < 1.0, name,
            "0 < decrease < curvature < 1", decrease=self.decrease, curvature=self.curvature,
        )  # fmt: skip

    @final
    @property
    def step_limit(self) -> int:
        """The largest number of steps."""
        return self.steps

    @final
    def started(self, x: Vector, objective: Objective, learnt: Learnt) -> OptimiserState:
        """Evaluate at ``x``, with what is known already."""
        value, gradient = objective(x)
        norm = float(np.linalg.norm(gradient))
        memory = {"gradient": gradient.copy(), **learnt}
        return self._finish(OptimiserState(x.copy(), 0, value, norm, 1.0, 1, memory))

    @final
    def advance(self, state: OptimiserState, objective: Objective) -> OptimiserState:
        """Take one step that meets the strong Wolfe conditions, or say why there is none."""
        if (ended := self._finish(state)).stop is not None:
            return ended
        learnt = {name: value for name, value in state.memory.items() if name != "gradient"}
        gradient = state.memory["gradient"]
        direction = -self.applied(learnt, gradient)
        if not direction @ gradient < 0.0:
            learnt, direction = dict(self.untaught(state.x.size)), -gradient
        taught = self.taught(learnt)
        length = 1.0 if taught else min(1.0, 1.0 / state.gradient_norm)
        wolfe = Wolfe(self.decrease, self.curvature, self.line_trials)
        found = search(objective, state.x, state.value, gradient, direction, length, wolfe)
        evaluations = state.evaluations + found.evaluations
        if found.trial is None and taught:
            bare = {"gradient": gradient, **self.untaught(state.x.size)}
            return self.advance(replace(state, memory=bare, evaluations=evaluations), objective)
        if found.trial is None:
            state = replace(state, evaluations=evaluations)
            return state.stopped(found.reason or StopReason.LINE_SEARCH)
        trial = found.trial
        s, y = trial.x - state.x, trial.gradient - gradient
        ys = float(y @ s)
        if ys > _CURVATURE_FLOOR * float(np.linalg.norm(s) * np.linalg.norm(y)):
            b = -trial.length * float(s @ gradient) / ys
            learnt = dict(self.updated(learnt, Change(s, y, ys, b)))
        moved = OptimiserState(
            trial.x, state.step + 1, trial.value, float(np.linalg.norm(trial.gradient)),
            trial.length, evaluations, {"gradient": trial.gradient, **learnt},
        )  # fmt: skip
        return self._finish(moved)

    def _finish(self, state: OptimiserState) -> OptimiserState:
        if state.gradient_norm <= self.gradient_tolerance:
            return state.stopped(StopReason.GRADIENT_TOLERANCE)
        if state.step >= self.steps:
            return state.stopped(StopReason.STEP_LIMIT)
        return state
