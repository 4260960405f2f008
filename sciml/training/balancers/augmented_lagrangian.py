"""Weights as the multipliers of a constrained minimisation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from sciml.framework.errors import ConfigError
from sciml.problem.constraint import Array, Constraint

from ..optimisers.base import require
from .base import Balancer, Weighing, check_names
from .view import View


@final
@dataclass(frozen=True)
class AugmentedLagrangian(Balancer):
    """Equations are minimised subject to the other constraints, each with its own penalty.

    With the mean squared residual L of a constraint, the loss is that of the equations plus
    multiplier L + penalty L^2 / 2, whose gradient is that of L with the weight multiplier +
    penalty L. At an update v <- forgetting v + (1 - forgetting) L^2, penalty = rate /
    (sqrt(v) + epsilon), multiplier <- multiplier + penalty L, from multiplier = 1 and v = 0 on.

    Parameters
    ----------
    every : int
        Steps of a first-order method between two updates, >= 1.
    rate : float
        Growth of a multiplier at each update, at most about ``rate / sqrt(1 - forgetting)``, > 0.
    forgetting : float
        Share of the past in the running square, in [0, 1).
    epsilon : float
        Losses below this no longer raise multipliers much [-], > 0.
    objective : tuple of str
        Names of what is minimised, with a weight of one; none means the equations in the domain.
    factors : Mapping of str to float
        What found weights are multiplied by, by name of the constraint, 1 where none is given.

    References
    ----------
    Basir and Senocak (2023), An adaptive augmented Lagrangian method for training physics and
    equality constrained artificial neural networks, algorithm 1.
    """

    every: int = 10
    rate: float = 0.01
    forgetting: float = 0.99
    epsilon: float = 1e-8
    objective: tuple[str, ...] = ()

    def check_settings(self) -> None:
        """Refuse numbers out of range."""
        name = "AugmentedLagrangian"
        require(self.rate > 0.0, name, "rate > 0", rate=self.rate)
        require(0.0 <= self.forgetting < 1.0, name, "forgetting in [0, 1)",
                forgetting=self.forgetting)  # fmt: skip
        require(self.epsilon > 0.0, name, "epsilon > 0", epsilon=self.epsilon)

    @property
    def by_point(self) -> bool:
        return False

    def check(self, constraints: Sequence[Constraint]) -> None:
        """Refuse names of no constraint, and a loss without an objective or without the rest."""
        check_names("AugmentedLagrangian", self.objective, constraints)
        free = [c.name for c in constraints if self._minimised(c)]
        if not free or len(free) == len(constraints):
            known = ", ".join(repr(c.name) for c in constraints)
            raise ConfigError(
                "AugmentedLagrangian: something must be minimised and something else constrained; "
                f"of {known} it would minimise {', '.join(map(repr, free)) or 'none'}; give "
                "objective, or impose conditions softly (hard=False)"
            )

    def update(self, view: View, before: Weighing | None) -> Weighing:
        losses = view.losses
        old = before.memory if before else {"multipliers": np.ones_like(losses),
                                            "squares": np.zeros_like(losses)}  # fmt: skip
        squares = self.forgetting * old["squares"] + (1.0 - self.forgetting) * losses**2
        penalties = self.rate / (np.sqrt(squares) + self.epsilon)
        multipliers = old["multipliers"] + penalties * losses
        weights: list[Array] = [
            np.ones(()) if self._minimised(c) else np.asarray(w)
            for c, w in zip(view.constraints, multipliers + penalties * losses, strict=True)
        ]
        return Weighing(tuple(weights), {"multipliers": multipliers, "squares": squares})

    def _minimised(self, constraint: Constraint) -> bool:
        if self.objective:
            return constraint.name in self.objective
        return constraint.supply is not None and constraint.supply.inside
