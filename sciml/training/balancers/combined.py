"""Several balancers at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from sciml.problem.constraint import Array, Constraint

from ..optimisers.base import require
from .base import Balancer, Weighing, even
from .view import View


@final
@dataclass(frozen=True)
class Combined(Balancer):
    """The product of the weights of several balancers.

    Each sees losses and gradients with the weights of those before it, so that
    ``Combined(balancers=(Causal(), GradNorm()))`` balances the gradients of causal losses.

    Parameters
    ----------
    balancers : tuple of Balancer
        In order, at least one; their own ``every`` and ``factors`` do not count.
    every : int
        Steps of a first-order method between two updates of all, >= 1.
    factors : Mapping of str to float
        What found weights are multiplied by, by name of the constraint, 1 where none is given.
    """

    every: int = 100
    balancers: tuple[Balancer, ...] = ()

    def check_settings(self) -> None:
        """Take lists for tuples, and refuse none."""
        object.__setattr__(self, "balancers", tuple(self.balancers))
        require(len(self.balancers) >= 1, "Combined", "a balancer or more",
                balancers=self.balancers)  # fmt: skip
        given = [type(b).__name__ for b in self.balancers if b.factors]
        require(not given, "Combined", "factors of its own only", members_with_factors=given)

    @property
    def by_point(self) -> bool:
        return any(balancer.by_point for balancer in self.balancers)

    def check(self, constraints: Sequence[Constraint]) -> None:
        for balancer in self.balancers:
            balancer.check(constraints)

    def update(self, view: View, before: Weighing | None) -> Weighing:
        product = even(view.constraints)
        memory: dict[str, Array] = {}
        for number, balancer in enumerate(self.balancers):
            found = balancer.update(view.weighted(product), self._own(number, before))
            product = tuple(np.asarray(a * b) for a, b in zip(product, found.weights, strict=True))
            memory |= {f"{number}.{name}": array for name, array in found.memory.items()}
            memory |= {f"{number}:{k}": array for k, array in enumerate(found.weights)}
        return Weighing(product, memory)

    def _own(self, number: int, before: Weighing | None) -> Weighing | None:
        """Return what a member has returned last, from the common memory."""
        if before is None:
            return None
        mark = f"{number}."
        memory = {k.removeprefix(mark): v for k, v in before.memory.items() if k.startswith(mark)}
        count = len(before.weights)
        return Weighing(tuple(before.memory[f"{number}:{k}"] for k in range(count)), memory)
