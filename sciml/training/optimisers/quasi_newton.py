"""Quasi-Newton methods that keep the whole inverse Hessian: what they share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from sciml.framework.errors import ConfigError

from .base import Objective, OptimiserState, StopReason, Vector, WarmStarted, require
from .line_search import Wolfe, search

_CURVATURE_FLOOR = 1e-10
_MOST_PARAMETERS = 20_000


@dataclass(frozen=True)
class Curvature:
    """What a step tells of the Hessian, as numbers without a unit.

    Parameters
    ----------
    b : float
        s.Bs / y.s, > 0: curvature along the step by the old estimate B = H^-1 over the one seen.
    h : float
        y.Hy / y.s, > 0: the same in the inverse.
    size : int
        Number of parameters n.
    """

    b: float
    h: float
    size: int

    @property
    def a(self) -> float:
        """b h - 1, which is 0 where s and Hy are parallel and positive elsewhere [-]."""
        return max(0.0, self.b * self.h - 1.0)


@dataclass(frozen=True)
class QuasiNewton(WarmStarted):
    """Steps along -H g, where H follows the inverse Hessian by rank-two updates.

    With s = x' - x, y = g' - g, v = s / y.s - Hy / y.Hy and numbers theta and tau of the method,

        phi = (1 - theta) / (1 + a theta),
        H' = (H - Hy (Hy)^T / y.Hy + phi (y.Hy) v v^T) / tau + s s^T / y.s,

    which meets the secant equation H' y = s, is symmetric, and positive definite where H is. It
    starts from the identity; the first update scales it by tau = h / (1 + a theta).

    Parameters
    ----------
    steps : int
        Largest number of steps, >= 0.
    gradient_tolerance : float
        Stop when the Euclidean norm of the gradient is at or below this, >= 0.
    decrease, curvature : float
        Constants c1 < c2 of the strong Wolfe conditions, in (0, 1).
    line_trials : int
        Largest number of evaluations of one line search, >= 1.
    carry : bool
        Whether to go on with the H of the stage before, if that was of the same method, as after a
        change of points; it is the identity where that H is not positive definite.

    Raises
    ------
    ConfigError
        If a number is out of its range, or there are more than 20 000 parameters.

    Notes
    -----
    Memory and each checkpoint hold the upper triangle of H, n (n + 1) / 2 numbers: 16 MB for 2000
    parameters, 100 MB for 5000. Cost per step: about 8 n^2 operations and one to two evaluations;
    `LBFGS` needs 4 ``history`` n of both. When a search fails, H becomes the identity once; if
    that fails too the stage stops and says why. An update whose curvature y.s is lost in rounding
    is left out.

    References
    ----------
    Nocedal and Wright (2006), Numerical Optimization, sections 6.1 to 6.3.
    """

    steps: int = 2000
    gradient_tolerance: float = 1e-12
    decrease: float = 1e-4
    curvature: float = 0.9
    line_trials: int = 40
    carry: bool = True

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        name, tolerance = type(self).__name__, self.gradient_tolerance
        require(self.steps >= 0, name, "steps >= 0", steps=self.steps)
        require(self.line_trials >= 1, name, "line_trials >= 1", line_trials=self.line_trials)
        require(tolerance >= 0.0, name, "gradient_tolerance >= 0", gradient_tolerance=tolerance)
        require(
            0.0 < self.decrease < self.curvature < 1.0, name,
            "0 < decrease < curvature < 1", decrease=self.decrease, curvature=self.curvature,
        )  # fmt: skip

    @abstractmethod
    def factors(self, seen: Curvature) -> tuple[float, float]:
        """Return theta, > -1/a and 0 for BFGS, and tau, > 0, which divides what was known."""

    @final
    @property
    def step_limit(self) -> int:
        """The largest number of steps."""
        return self.steps

    @final
    def start(self, x: Vector, objective: Objective) -> OptimiserState:
        """Evaluate at ``x``; H is the identity."""
        return self._started(x, objective, identity(self._fitting(x.size)), 0)

    @final
    def start_from(
        self, x: Vector, objective: Objective, carried: Mapping[str, Vector]
    ) -> OptimiserState:
        """Evaluate at ``x``; H is that of the stage before, if it is positive definite."""
        inverse = carried["inverse"]
        if not (self.carry and positive_definite(inverse, x.size)):
            return self.start(x, objective)
        return self._started(x, objective, inverse, int(carried["updates"][0]))

    @final
    def carried(self, state: OptimiserState) -> Mapping[str, Vector]:
        """Return H and the number of its updates."""
        return {name: state.memory[name] for name in ("inverse", "updates")}

    @final
    def advance(self, state: OptimiserState, objective: Objective) -> OptimiserState:
        """Take one step that meets the strong Wolfe conditions, or say why there is none."""
        if (ended := self._finish(state)).stop is not None:
            return ended
        memory, gradient = state.memory, state.memory["gradient"]
        wolfe = Wolfe(self.decrease, self.curvature, self.line_trials)
        inverse, updates = memory["inverse"], int(memory["updates"][0])
        direction = -product(inverse, gradient)
        if not direction @ gradient < 0.0:
            inverse, updates, direction = identity(state.x.size), 0, -gradient
        length = 1.0 if updates else min(1.0, 1.0 / state.gradient_norm)
        found = search(objective, state.x, state.value, gradient, direction, length, wolfe)
        evaluations = state.evaluations + found.evaluations
        if found.trial is None and updates:
            bare = {**memory, "inverse": identity(state.x.size), "updates": np.zeros(1)}
            return self.advance(replace(state, memory=bare, evaluations=evaluations), objective)
        if found.trial is None:
            state = replace(state, evaluations=evaluations)
            return state.stopped(found.reason or StopReason.LINE_SEARCH)
        trial = found.trial
        s, y = trial.x - state.x, trial.gradient - gradient
        ys = float(y @ s)
        if ys > _CURVATURE_FLOOR * float(np.linalg.norm(s) * np.linalg.norm(y)):
            b = -trial.length * float(s @ gradient) / ys
            inverse, updates = self._updated(inverse, s, y, b, updates == 0), updates + 1
        moved = OptimiserState(
            trial.x, state.step + 1, trial.value, float(np.linalg.norm(trial.gradient)),
            trial.length, evaluations,
            _memory(trial.gradient, inverse, updates),
        )  # fmt: skip
        return self._finish(moved)

    def _fitting(self, n: int) -> int:
        if n > _MOST_PARAMETERS:
            raise ConfigError(
                f"{type(self).__name__}: {n} parameters need {4e-9 * n * n:.1f} GB for the inverse "
                f"Hessian; it serves up to {_MOST_PARAMETERS}. Use LBFGS"
            )
        return n

    def _started(
        self, x: Vector, objective: Objective, inverse: Vector, updates: int
    ) -> OptimiserState:
        value, gradient = objective(x)
        norm = float(np.linalg.norm(gradient))
        memory = _memory(gradient.copy(), inverse, updates)
        return self._finish(OptimiserState(x.copy(), 0, value, norm, 1.0, 1, memory))

    def _finish(self, state: OptimiserState) -> OptimiserState:
        if state.gradient_norm <= self.gradient_tolerance:
            return state.stopped(StopReason.GRADIENT_TOLERANCE)
        if state.step >= self.steps:
            return state.stopped(StopReason.STEP_LIMIT)
        return state

    def _updated(self, inverse: Vector, s: Vector, y: Vector, b: float, first: bool) -> Vector:
        """Return H' of the class docstring, in a new array."""
        rho, u = 1.0 / float(y @ s), product(inverse, y)
        yu = float(y @ u)
        seen = Curvature(b, yu * rho, s.size)
        theta, tau = self.factors(seen)
        if first:
            tau = seen.h / (1.0 + seen.a * theta)
        phi = (1.0 - theta) / (1.0 + seen.a * theta)
        return rank_two(
            inverse / tau, u, s,
            ((phi - 1.0) / (tau * yu), -phi * rho / tau, rho + phi * yu * rho**2 / tau),
        )  # fmt: skip


def identity(n: int) -> Vector:
    """Return the upper triangle of the identity by columns, shape (n (n + 1) / 2,)."""
    triangle = np.zeros(n * (n + 1) // 2)
    columns = np.arange(n)
    triangle[columns * (columns + 3) // 2] = 1.0
    return triangle


def product(triangle: Vector, x: Vector) -> Vector:
    """Return H x of shape (n,) for the upper triangle of H by columns."""
    from scipy.linalg.blas import dspmv

    return np.asarray(dspmv(x.size, 1.0, triangle, x))


def positive_definite(triangle: Vector, n: int) -> bool:
    """Return whether a matrix, given by its upper triangle, has a Cholesky factor."""
    from scipy.linalg.lapack import dpptrf

    return bool(np.isfinite(triangle).all()) and dpptrf(n, triangle)[1] == 0


def rank_two(triangle: Vector, u: Vector, s: Vector, factors: tuple[float, float, float]) -> Vector:
    """Add c1 u u^T + c2 (u s^T + s u^T) + c3 s s^T to an upper triangle, in place."""
    from scipy.linalg.blas import dspr, dspr2

    n, (c1, c2, c3) = u.size, factors
    if c1 != 0.0:
        triangle = dspr(n, c1, u, triangle, overwrite_ap=1)
    triangle = dspr2(n, c2, u, s, triangle, overwrite_ap=1)
    return np.asarray(dspr(n, c3, s, triangle, overwrite_ap=1))


def _memory(gradient: Vector, inverse: Vector, updates: int) -> dict[str, Vector]:
    return {"gradient": gradient, "inverse": inverse, "updates": np.array([float(updates)])}
