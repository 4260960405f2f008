"""What a run tells whoever watches it, independent of how it is shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from sciml.problem.report import Attempt


@dataclass(frozen=True)
class Progress:
    """Where training stands.

    Parameters
    ----------
    step, steps : int
        Steps taken, and the largest number there may be.
    stage : str
        Name of the optimiser.
    loss : float
        Last known loss [-].
    rate : float
        Learning rate, or length of the last accepted step.
    elapsed_s : float
        Time in steps so far [s].
    stage_ended : bool
        Whether this step ended its stage.
    points : int
        Points at which a step evaluates residuals.
    """

    step: int
    steps: int
    stage: str
    loss: float
    rate: float
    elapsed_s: float
    stage_ended: bool = False
    points: int = 0

    @property
    def points_per_s(self) -> float:
        """Points per second of the steps so far, 0 before the first."""
        return self.points * self.step / self.elapsed_s if self.elapsed_s > 0.0 else 0.0

    @property
    def left_s(self) -> float:
        """Time that the rest takes at most, if steps go on as they did [s]."""
        return self.elapsed_s * (self.steps - self.step) / self.step if self.step > 0 else 0.0


@dataclass(frozen=True)
class Table:
    """A titled table of text."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Reporter(ABC):
    """Receives what happens during a run."""

    @abstractmethod
    def say(self, text: str) -> None:
        """Take one line of information."""

    @abstractmethod
    def begin(self, steps: int, done: int) -> None:
        """Training starts or goes on, with ``done`` of at most ``steps`` steps taken."""

    @abstractmethod
    def update(self, progress: Progress) -> None:
        """One more step was taken."""

    @abstractmethod
    def attempt(self, attempt: Attempt) -> None:
        """One more solution was found in a search."""

    @abstractmethod
    def end(self) -> None:
        """Training ended, whichever way."""

    @abstractmethod
    def table(self, table: Table) -> None:
        """Take a table of results."""


class Quiet(Reporter):
    """Says nothing."""

    def say(self, text: str) -> None:
        """Drop the line."""

    def begin(self, steps: int, done: int) -> None:
        """Start nothing."""

    def update(self, progress: Progress) -> None:
        """Show nothing."""

    def attempt(self, attempt: Attempt) -> None:
        """Drop it."""

    def end(self) -> None:
        """End nothing."""

    def table(self, table: Table) -> None:
        """Show nothing."""
