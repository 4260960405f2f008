"""A line search for the strong Wolfe conditions.

phi(a) = f(x + a p) with phi'(0) < 0. A step is accepted when
phi(a) <= phi(0) + c1 a phi'(0) and |phi'(a)| <= c2 |phi'(0)|.

References
----------
Nocedal and Wright (2006), Numerical Optimization, algorithms 3.5 (bracketing) and 3.6 (zoom),
cubic interpolation by their equation (3.59).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .base import Objective, StopReason, Vector

_EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Trial:
    """A point of the line: step length, loss, slope, parameters and gradient."""

    length: float
    value: float
    slope: float
    x: Vector
    gradient: Vector

    @property
    def finite(self) -> bool:
        """Whether loss and slope are numbers."""
        return math.isfinite(self.value) and math.isfinite(self.slope)


@dataclass(frozen=True)
class Wolfe:
    """The constants of the strong Wolfe conditions, 0 < c1 < c2 < 1.

    Parameters
    ----------
    decrease : float
        c1, the part of the linear decrease to be reached.
    curvature : float
        c2, the part of the slope that may remain.
    trials : int
        Largest number of evaluations of one search.
    """

    decrease: float = 1e-4
    curvature: float = 0.9
    trials: int = 40

    def enough_decrease(self, first: Trial, trial: Trial) -> bool:
        """Return whether the first condition holds."""
        bound = first.value + self.decrease * trial.length * first.slope
        return trial.finite and trial.value <= bound

    def flat_enough(self, first: Trial, trial: Trial) -> bool:
        """Return whether the second condition holds."""
        return abs(trial.slope) <= self.curvature * abs(first.slope)


@dataclass(frozen=True)
class Found:
    """The outcome: an accepted point, or the reason there is none, and the evaluations spent."""

    trial: Trial | None
    reason: StopReason | None
    evaluations: int


def search(
    objective: Objective, x: Vector, value: float, gradient: Vector, direction: Vector,
    length: float, wolfe: Wolfe,
) -> Found:  # fmt: skip
    """Return a point along ``direction`` that meets the strong Wolfe conditions.

    Parameters
    ----------
    objective : Objective
        Loss and gradient.
    x, gradient, direction : Vector
        Where to start, the gradient there, the direction; shape (n,).
    value : float
        Loss at ``x``.
    length : float
        First step length to try, > 0.
    wolfe : Wolfe
        Constants of the conditions.

    Notes
    -----
    A trial with a loss that is not finite counts as too long, so the search steps back from it.
    """
    line = _Line(objective, x, direction, wolfe)
    first = Trial(0.0, value, float(gradient @ direction), x, gradient)
    return line.bracket(first, length)


@dataclass
class _Line:
    """One search: the line and the count of evaluations."""

    objective: Objective
    x: Vector
    direction: Vector
    wolfe: Wolfe
    evaluations: int = 0

    def at(self, length: float) -> Trial:
        x = self.x + length * self.direction
        value, gradient = self.objective(x)
        self.evaluations += 1
        return Trial(length, value, float(gradient @ self.direction), x, gradient)

    def found(self, trial: Trial) -> Found:
        return Found(trial, None, self.evaluations)

    def failed(self, reason: StopReason) -> Found:
        return Found(None, reason, self.evaluations)

    def bracket(self, first: Trial, length: float) -> Found:
        """Algorithm 3.5: lengthen until an interval holds an acceptable step."""
        wolfe, previous = self.wolfe, first
        while self.evaluations < wolfe.trials:
            trial = self.at(length)
            worse = self.evaluations > 1 and trial.value >= previous.value
            if not wolfe.enough_decrease(first, trial) or worse:
                return self.zoom(first, previous, trial)
            if wolfe.flat_enough(first, trial):
                return self.found(trial)
            if trial.slope >= 0.0:
                return self.zoom(first, trial, previous)
            guess = _cubic_minimum(previous, trial)
            lengthened = max(2.0 * length, guess if math.isfinite(guess) else 0.0)
            previous, length = trial, min(lengthened, 10.0 * length)
        return self.failed(StopReason.LINE_SEARCH)

    def zoom(self, first: Trial, low: Trial, high: Trial) -> Found:
        """Algorithm 3.6: shrink an interval whose better end is ``low``."""
        wolfe, shrink = self.wolfe, 0.0
        while self.evaluations < wolfe.trials:
            width = abs(high.length - low.length)
            if _beyond_precision(first, low, width):
                return self.failed(StopReason.PRECISION)
            trial = self.at(_between(low, high, halve=shrink > 0.66))
            if not wolfe.enough_decrease(first, trial) or trial.value >= low.value:
                high = trial
            else:
                if wolfe.flat_enough(first, trial):
                    return self.found(trial)
                if trial.slope * (high.length - low.length) >= 0.0:
                    high = low
                low = trial
            shrink = abs(high.length - low.length) / width
        return self.failed(StopReason.LINE_SEARCH)


def _beyond_precision(first: Trial, low: Trial, width: float) -> bool:
    """Return whether a step of this width changes the loss by less than its rounding."""
    change = width * max(abs(low.slope), abs(first.slope))
    return change <= 4.0 * _EPSILON * abs(first.value) or width <= _EPSILON * low.length


def _between(low: Trial, high: Trial, halve: bool) -> float:
    """Return the cubic's minimum, kept a twentieth of the interval away from its ends."""
    if not high.finite:
        return low.length + 0.1 * (high.length - low.length)
    guess = _cubic_minimum(low, high)
    if halve or not math.isfinite(guess):
        return 0.5 * (low.length + high.length)
    margin = 0.05 * abs(high.length - low.length)
    left, right = sorted((low.length, high.length))
    return min(max(guess, left + margin), right - margin)


def _cubic_minimum(a: Trial, b: Trial) -> float:
    """Return the minimum of the cubic through two values and slopes; NaN if it has none."""
    if not (a.finite and b.finite):
        return math.nan
    d1 = a.slope + b.slope - 3.0 * (a.value - b.value) / (a.length - b.length)
    root = d1 * d1 - a.slope * b.slope
    if not root >= 0.0:
        return math.nan
    d2 = math.copysign(math.sqrt(root), b.length - a.length)
    denominator = b.slope - a.slope + 2.0 * d2
    if denominator == 0.0:
        return math.nan
    return b.length - (b.length - a.length) * (b.slope + d2 - d1) / denominator
