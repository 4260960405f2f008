"""Gauss-Newton: one least squares problem per step, solved by singular values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .base import Objective, OptimiserState, StopReason, Vector, require
from .squares import SecondOrder, SumOfSquares, sum_of_squares, truncated


@dataclass(frozen=True)
class GaussNewton(SecondOrder):
    """Steps that minimise the linearised residuals, for coefficients of features above all.

    s = argmin |J s + r| of least norm, x <- x + a s with the largest a of 1, 1/2, 1/4, ... that
    lowers the loss r . r.

    A linear problem is solved by the first step; the next ones take back its rounding and stop.

    Parameters
    ----------
    steps : int
        Largest number of steps, >= 0.
    cutoff : float
        Singular values below this part of the largest count as zero, in (0, 1).
    decrease : float
        Stop when a step leaves more than this part of the loss, in (0, 1].
    halvings : int
        Largest number of halvings of one step, >= 0.

    Raises
    ------
    ConfigError
        If a number is out of its range, or the loss is no sum of squares.

    Notes
    -----
    The Jacobian of m residuals by n parameters is held whole (8 m n bytes); a step costs about
    4 m n^2 + 8 n^3 operations.

    References
    ----------
    Nocedal and Wright (2006), Numerical Optimization, section 10.3.
    """

    steps: int = 20
    cutoff: float = 1e-15
    decrease: float = 0.5
    halvings: int = 20

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        require(self.steps >= 0, "GaussNewton", "steps >= 0", steps=self.steps)
        require(0.0 < self.cutoff < 1.0, "GaussNewton", "cutoff in (0, 1)", cutoff=self.cutoff)
        require(0.0 < self.decrease <= 1.0, "GaussNewton", "decrease in (0, 1]",
                decrease=self.decrease)  # fmt: skip
        require(self.halvings >= 0, "GaussNewton", "halvings >= 0", halvings=self.halvings)

    def memory(self, x: Vector) -> dict[str, Vector]:
        """Nothing is carried."""
        return {}

    def advance(self, state: OptimiserState, objective: Objective) -> OptimiserState:
        """Take one step that lowers the loss, or say that there is none."""
        if state.step >= self.steps:
            return state.stopped(StopReason.STEP_LIMIT)
        squares = sum_of_squares(objective, "GaussNewton")
        r, J = squares.linearise(state.x)
        gradient_norm = float(np.linalg.norm(2.0 * (J.T @ r)))
        step = truncated(J, r, self.cutoff).step
        moved = self._shortened(squares, replace(state, gradient_norm=gradient_norm), step)
        if moved.stop is None and moved.value > self.decrease * state.value:
            return moved.stopped(StopReason.PRECISION)
        if moved.stop is None and moved.step >= self.steps:
            return moved.stopped(StopReason.STEP_LIMIT)
        return moved

    def _shortened(
        self, squares: SumOfSquares, state: OptimiserState, step: Vector
    ) -> OptimiserState:
        """Return the state after the longest part of a step that lowers the loss."""
        for k in range(self.halvings + 1):
            length = 0.5**k
            x = state.x + length * step
            r = squares.residuals(x)
            value, evaluations = float(r @ r), state.evaluations + k + 1
            if value < state.value:
                return OptimiserState(
                    x, state.step + 1, value, state.gradient_norm, length, evaluations, {}
                )
        evaluations = state.evaluations + self.halvings + 1
        return replace(state, evaluations=evaluations).stopped(StopReason.PRECISION)
