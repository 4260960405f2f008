"""Learning rates as functions of the step."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import final

import numpy as np

from .base import Vector, require


class Rate(ABC):
    """A learning rate that may change from step to step."""

    @abstractmethod
    def at(self, step: int, steps: int) -> float:
        """Return the rate of step number ``step`` (from 0) out of ``steps``."""


@dataclass(frozen=True)
class ConstantRate(Rate):
    """The same rate at every step, > 0."""

    value: float = 1e-3

    def __post_init__(self) -> None:
        """Refuse a rate out of range."""
        require(self.value > 0.0, "ConstantRate", "value > 0", value=self.value)

    def at(self, step: int, steps: int) -> float:
        """Return the rate."""
        return self.value


@dataclass(frozen=True)
class ExponentialRate(Rate):
    """``start * decay ** (step / every)``.

    Parameters
    ----------
    start : float
        Rate of the first step, > 0.
    decay : float
        Factor after each ``every`` steps, in (0, 1].
    every : int
        Steps per factor, > 0.
    """

    start: float = 1e-3
    decay: float = 0.95
    every: int = 100

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        require(
            self.start > 0.0 and 0.0 < self.decay <= 1.0 and self.every > 0, "ExponentialRate",
            "start > 0, decay in (0, 1] and every > 0",
            start=self.start, decay=self.decay, every=self.every,
        )  # fmt: skip

    def at(self, step: int, steps: int) -> float:
        """Return the rate of a step."""
        return float(self.start * self.decay ** (step / self.every))


@dataclass(frozen=True)
class CosineRate(Rate):
    """From ``start`` to ``end`` along half a cosine over the whole stage.

    Parameters
    ----------
    start : float
        Rate of the first step, > 0.
    end : float
        Rate of the last step, >= 0.

    References
    ----------
    Loshchilov and Hutter (2017), SGDR, equation (5), without restarts.
    """

    start: float = 1e-3
    end: float = 0.0

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        require(
            self.start > 0.0 and self.end >= 0.0, "CosineRate", "start > 0 and end >= 0",
            start=self.start, end=self.end,
        )  # fmt: skip

    def at(self, step: int, steps: int) -> float:
        """Return the rate of a step."""
        fraction = min(1.0, step / max(1, steps - 1))
        return self.end + 0.5 * (self.start - self.end) * (1.0 + math.cos(math.pi * fraction))


@final
@dataclass(frozen=True)
class WarmUp(Rate):
    """A straight rise over the first steps, then another rate.

    rate(k) = then(0) (k + 1) / steps for k < ``steps``; from there on ``then`` as if the stage
    began.

    Parameters
    ----------
    steps : int
        Steps of the rise, >= 1.
    then : Rate
        The rate after it, which must be one that sees no losses.

    References
    ----------
    Goyal et al. (2017), Accurate, large minibatch SGD, section 2.2.
    """

    steps: int
    then: Rate = field(default_factory=ConstantRate)

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        require(self.steps >= 1, "WarmUp", "steps >= 1", steps=self.steps)
        blind = not isinstance(self.then, ObservingRate)
        require(blind, "WarmUp", "a rate that sees no losses", then=self.then)

    def at(self, step: int, steps: int) -> float:
        """Return the rate of a step."""
        rest = max(1, steps - self.steps)
        if step < self.steps:
            return self.then.at(0, rest) * (step + 1) / self.steps
        return self.then.at(step - self.steps, rest)


@final
@dataclass(frozen=True)
class OneCycle(Rate):
    """Up to a peak and down again, along half a cosine each.

    Parameters
    ----------
    peak : float
        Largest rate, > 0.
    rise : float
        Part of the stage after which it is reached, in (0, 1).
    start, end : float
        First and last rate over the peak, in (0, 1].

    References
    ----------
    Smith and Topin (2019), Super-convergence, Proc. SPIE 11006, with cosines for lines.
    """

    peak: float = 1e-2
    rise: float = 0.3
    start: float = 0.04
    end: float = 1e-4

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        holds = self.peak > 0.0 and 0.0 < self.rise < 1.0
        holds = holds and 0.0 < self.start <= 1.0 and 0.0 < self.end <= 1.0
        require(
            holds, "OneCycle", "peak > 0, rise in (0, 1), start and end in (0, 1]",
            peak=self.peak, rise=self.rise, start=self.start, end=self.end,
        )  # fmt: skip

    def at(self, step: int, steps: int) -> float:
        """Return the rate of a step."""
        fraction = min(1.0, step / max(1, steps - 1))
        if fraction < self.rise:
            low, distance = self.start, 1.0 - fraction / self.rise
        else:
            low, distance = self.end, (fraction - self.rise) / (1.0 - self.rise)
        return self.peak * (low + 0.5 * (1.0 - low) * (1.0 + math.cos(math.pi * distance)))


class ObservingRate(Rate):
    """A learning rate that is multiplied by a factor which follows the losses."""

    @abstractmethod
    def unseen(self) -> Vector:
        """Return what is remembered before the first loss."""

    @abstractmethod
    def observe(self, seen: Vector, value: float) -> Vector:
        """Return what is remembered after one more loss."""

    @abstractmethod
    def factor(self, seen: Vector) -> float:
        """Return the factor of the rate."""


@final
@dataclass(frozen=True)
class PlateauRate(ObservingRate):
    """A rate that falls by a factor each time the loss stalls.

    Parameters
    ----------
    start : float
        First rate, > 0.
    reduction : float
        Factor when the loss stalls, in (0, 1).
    patience : int
        Steps without a new lowest loss until it counts as stalled, >= 1.
    gain : float
        Part of the lowest loss by which a new one must be lower, in [0, 1).
    lowest : float
        The rate goes no lower, >= 0.

    Examples
    --------
    >>> rate = PlateauRate(1e-2, patience=2)
    >>> seen = rate.unseen()
    >>> for loss in (3.0, 2.0, 2.0, 2.0):
    ...     seen = rate.observe(seen, loss)
    >>> rate.factor(seen)
    0.5
    """

    start: float = 1e-3
    reduction: float = 0.5
    patience: int = 100
    gain: float = 1e-4
    lowest: float = 0.0

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        holds = self.start > 0.0 and 0.0 < self.reduction < 1.0 and self.patience >= 1
        holds = holds and 0.0 <= self.gain < 1.0 and 0.0 <= self.lowest <= self.start
        require(
            holds, "PlateauRate",
            "start > 0, reduction in (0, 1), patience >= 1, gain in [0, 1), lowest in [0, start]",
            start=self.start, reduction=self.reduction, patience=self.patience, gain=self.gain,
            lowest=self.lowest,
        )  # fmt: skip

    def at(self, step: int, steps: int) -> float:
        """Return the first rate."""
        return self.start

    def unseen(self) -> Vector:
        """Return the lowest loss, the steps since then, and the factor, shape (3,)."""
        return np.array([math.inf, 0.0, 1.0])

    def observe(self, seen: Vector, value: float) -> Vector:
        """Count, and reduce the factor after ``patience`` steps."""
        best, waited, factor = seen
        if value < best * (1.0 - self.gain):
            return np.array([value, 0.0, factor])
        if waited + 1 < self.patience:
            return np.array([best, waited + 1, factor])
        return np.array([best, 0.0, max(factor * self.reduction, self.lowest / self.start)])

    def factor(self, seen: Vector) -> float:
        """Return the third number."""
        return float(seen[2])
