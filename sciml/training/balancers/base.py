"""What every loss balancer offers: new weights from what the training looks like now."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np

from sciml.framework.errors import ConfigError
from sciml.problem.constraint import Array, Constraint, check_weights

from ..optimisers.base import require
from .view import View


@dataclass(frozen=True)
class Weighing:
    """The weights in force, and what a balancer remembers.

    Parameters
    ----------
    weights : tuple of arrays
        For each constraint a factor of the mean squared residual, shape (), or of the square at
        each point, shape (points,) [-].
    memory : Mapping of str to arrays
        What the balancer carries to its next update.
    """

    weights: tuple[Array, ...]
    memory: Mapping[str, Array] = field(default_factory=dict)


@dataclass(frozen=True)
class Balancer(ABC):
    """Weights of the constraints in the loss that follow the training.

    The loss is the sum over constraints of ``factor mean(weight r^2)``, with the residual r over
    its scale. Weights are found at the start of each stage, and every few steps of a first-order
    method; a method that learns curvature keeps those of its start, since it needs one loss.

    Parameters
    ----------
    every : int
        Steps of a first-order method between two updates, >= 1.
    factors : Mapping of str to float
        What found weights are multiplied by, by name of the constraint, 1 where none is given.
    """

    every: int = 1
    factors: Mapping[str, float] = field(default_factory=dict)

    @property
    @abstractmethod
    def by_point(self) -> bool:
        """Whether what is remembered belongs to points, which then must stay."""

    @abstractmethod
    def update(self, view: View, before: Weighing | None) -> Weighing:
        """Return the weights from now on.

        Parameters
        ----------
        view : View
            The training at its present parameters.
        before : Weighing or None
            What the last update returned; None before the first.
        """

    @abstractmethod
    def check(self, constraints: Sequence[Constraint]) -> None:
        """Refuse constraints that the method has no weights for."""

    @final
    def check_constraints(self, constraints: Sequence[Constraint], moving: bool) -> None:
        """Refuse names of no constraint, and moving points where weights belong to them.

        Parameters
        ----------
        constraints : sequence of Constraint
            All constraints of the loss.
        moving : bool
            Whether the schedule moves points.

        Raises
        ------
        ConfigError
            If a factor names no constraint or is not positive, or points move that must not.
        """
        check_weights(self.factors, [c.name for c in constraints])
        if moving and self.by_point:
            raise ConfigError(
                f"{type(self).__name__}: its weights belong to points, and the schedule moves "
                "these; leave out stages such as RAD, or take weights by constraint, as GradNorm"
            )
        self.check(constraints)

    @final
    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        require(self.every >= 1, type(self).__name__, "every >= 1", every=self.every)
        self.check_settings()

    @abstractmethod
    def check_settings(self) -> None:
        """Refuse settings of the method that mean nothing."""


def check_names(method: str, names: Sequence[str], constraints: Sequence[Constraint]) -> None:
    """Refuse names of a method's settings that no constraint has."""
    if isinstance(names, str):
        raise ConfigError(f"{method}: constraints are a row of names; give ({names!r},)")
    known = [c.name for c in constraints]
    for name in names:
        if name not in known:
            raise ConfigError(
                f"{method}: {name!r} is no constraint; these are {', '.join(map(repr, known))}"
            )


def even(constraints: Sequence[Constraint]) -> tuple[Array, ...]:
    """Return a weight of one for each constraint."""
    return tuple(np.ones(()) for _ in constraints)
