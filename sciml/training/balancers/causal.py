"""Weights that let later times train once earlier ones are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from sciml.framework.errors import ConfigError
from sciml.problem.constraint import Array, Constraint

from ..optimisers.base import Vector, require
from .base import Balancer, Weighing
from .view import View


@final
@dataclass(frozen=True)
class Causal(Balancer):
    """Weights of the equations at points in time by what is still wrong before.

    Time is cut into chunks of equal length. With the mean squared residual L_j of the equations in
    chunk j, added up over equations, points of chunk i get the weight exp(-e sum_{j<i} L_j). The
    sharpness e goes to its next value once all weights are above a threshold.

    Parameters
    ----------
    every : int
        Steps of a first-order method between two updates, >= 1.
    sharpness : tuple of float
        Values of e in order, > 0.
    chunks : int
        Number of chunks, >= 2.
    threshold : float
        Least weight at which the next sharpness is taken, in (0, 1).
    time : str
        Name of the coordinate.
    factors : Mapping of str to float
        What found weights are multiplied by, by name of the constraint, 1 where none is given;
        initial values that enter the loss usually need a large one.

    References
    ----------
    Wang, Sankaran and Perdikaris (2024), Respecting causality for training physics-informed neural
    networks, Comput. Methods Appl. Mech. Eng. 421, 116813, algorithm 1.
    """

    every: int = 10
    sharpness: tuple[float, ...] = (0.01, 0.1, 1.0, 10.0, 100.0)
    chunks: int = 32
    threshold: float = 0.99
    time: str = "t"

    def check_settings(self) -> None:
        """Refuse numbers out of range."""
        object.__setattr__(self, "sharpness", tuple(self.sharpness))
        sharp = len(self.sharpness) >= 1 and min(self.sharpness) > 0.0
        require(sharp, "Causal", "one sharpness > 0 or more", sharpness=self.sharpness)
        require(self.chunks >= 2, "Causal", "chunks >= 2", chunks=self.chunks)
        require(0.0 < self.threshold < 1.0, "Causal", "threshold in (0, 1)",
                threshold=self.threshold)  # fmt: skip

    @property
    def by_point(self) -> bool:
        return False  # weights are found anew for the points there are

    def check(self, constraints: Sequence[Constraint]) -> None:
        """Refuse equations without time."""
        if not any(self._column(c) is not None for c in constraints):
            raise ConfigError(
                f"Causal: no equation in the domain depends on {self.time!r}; take another "
                "balancer, or give time= the name of the coordinate"
            )

    def update(self, view: View, before: Weighing | None) -> Weighing:
        stage = int(before.memory["stage"]) if before else 0
        places = self._places(view.constraints)
        totals = np.zeros(self.chunks)
        for number, place in places.items():
            squares = np.bincount(place, view.residuals[number] ** 2, self.chunks)
            counts = np.bincount(place, minlength=self.chunks)
            # a chunk without points of an equation has nothing to wait for
            totals += np.divide(squares, counts, out=np.zeros(self.chunks), where=counts > 0)
        earlier = np.concatenate([[0.0], np.cumsum(totals)[:-1]])
        by_chunk = self._weights(earlier, stage)
        if by_chunk.min() > self.threshold and stage + 1 < len(self.sharpness):
            stage += 1
            by_chunk = self._weights(earlier, stage)
        weights: list[Array] = [
            by_chunk[places[number]] if number in places else np.ones(())
            for number in range(len(view.constraints))
        ]
        return Weighing(tuple(weights), {"stage": np.array(stage)})

    def _weights(self, earlier: Vector, stage: int) -> Vector:
        return np.asarray(np.exp(-self.sharpness[stage] * earlier))

    def _column(self, constraint: Constraint) -> int | None:
        supply = constraint.supply
        if supply is None or not supply.inside or self.time not in supply.coordinates:
            return None
        return supply.coordinates.index(self.time)

    def _places(self, constraints: Sequence[Constraint]) -> dict[int, Array]:
        """Return the chunk of each point, by number of the equation."""
        columns = {n: k for n, c in enumerate(constraints) if (k := self._column(c)) is not None}
        times = {n: constraints[n].arrays[0][:, k].astype(float) for n, k in columns.items()}
        first = min(t.min() for t in times.values())
        last = max(t.max() for t in times.values())
        length = (last - first) / self.chunks or 1.0
        return {
            n: np.minimum(((t - first) / length).astype(int), self.chunks - 1)
            for n, t in times.items()
        }
