"""Levenberg-Marquardt: damped Gauss-Newton for trained networks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .base import Objective, OptimiserState, StopReason, Vector, require
from .squares import SecondOrder, damped, sum_of_squares

# A damping from which on no step is worth trying.
_LARGEST = 1e16


@dataclass(frozen=True)
class LevenbergMarquardt(SecondOrder):
    """Gauss-Newton steps whose length a damping keeps where the linear model holds.

    s = argmin |J s + r|^2 + mu d |s|^2 with d the largest diagonal entry of J^T J; accepted if the
    loss r . r falls, then mu is divided by `down` where the model predicted it well, else mu is
    multiplied by `up` and the step is solved for again.

    Parameters
    ----------
    steps : int
        Largest number of accepted steps, >= 0.
    damping : float
        First mu, > 0.
    down, up : float
        Factors of mu, > 1.
    smallest : float
        mu never falls below, > 0.
    tolerance : float
        Stop when the loss is at or below this, >= 0.

    Raises
    ------
    ConfigError
        If a number is out of its range, or the loss is no sum of squares.

    Notes
    -----
    The Jacobian of m residuals by n parameters is held whole (8 m n bytes); a step costs about
    2 n^2 (m + n) operations, or m^2 n with fewer residuals than parameters. It works on r and not
    on r . r, so that it goes on where quasi-Newton methods meet the rounding of the loss.

    References
    ----------
    Levenberg (1944); Marquardt (1963); Nielsen (1999), Damping parameter in Marquardt's method.
    """

    steps: int = 500
    damping: float = 1e-3
    down: float = 3.0
    up: float = 4.0
    smallest: float = 1e-18
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        require(self.steps >= 0, "LevenbergMarquardt", "steps >= 0", steps=self.steps)
        require(
            self.damping > 0.0 and self.smallest > 0.0, "LevenbergMarquardt",
            "damping and smallest > 0", damping=self.damping, smallest=self.smallest,
        )  # fmt: skip
        require(self.down > 1.0 and self.up > 1.0, "LevenbergMarquardt", "factors > 1",
                down=self.down, up=self.up)  # fmt: skip
        require(self.tolerance >= 0.0, "LevenbergMarquardt", "tolerance >= 0",
                tolerance=self.tolerance)  # fmt: skip

    def memory(self, x: Vector) -> dict[str, Vector]:
        """Return the first damping."""
        return {"damping": np.array([self.damping])}

    def advance(self, state: OptimiserState, objective: Objective) -> OptimiserState:
        """Take one step that lowers the loss, or say that there is none."""
        if state.stop is not None or self._finish(state).stop is not None:
            return self._finish(state)
        squares = sum_of_squares(objective, "LevenbergMarquardt")
        r, J = squares.linearise(state.x)
        gradient_norm = float(np.linalg.norm(2.0 * (J.T @ r)))
        mu, evaluations = float(state.memory["damping"][0]), state.evaluations
        while mu < _LARGEST:
            found = damped(J, r, mu)
            x = state.x + found.step
            trial = squares.residuals(x)
            value, evaluations = float(trial @ trial), evaluations + 1
            if value < state.value:
                # In rounding the model may promise nothing, and the loss fall all the same.
                good = state.value - value > 0.25 * (state.value - found.predicted)
                mu = max(mu / self.down if good else mu, self.smallest)
                moved = OptimiserState(
                    x, state.step + 1, value, gradient_norm, float(np.linalg.norm(found.step)),
                    evaluations, {"damping": np.array([mu])},
                )  # fmt: skip
                return self._finish(moved)
            if np.linalg.norm(found.step) <= np.finfo(float).eps * np.linalg.norm(state.x):
                break
            mu *= self.up
        ended = replace(state, evaluations=evaluations, gradient_norm=gradient_norm)
        return ended.stopped(StopReason.PRECISION)

    def _finish(self, state: OptimiserState) -> OptimiserState:
        if state.value <= self.tolerance:
            return state.stopped(StopReason.LOSS_TOLERANCE)
        if state.step >= self.steps:
            return state.stopped(StopReason.STEP_LIMIT)
        return state
