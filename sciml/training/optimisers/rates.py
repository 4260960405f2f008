"""Learning rates as functions of the step."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from .base import require


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
