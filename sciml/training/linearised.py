"""The constraints of a training as one vector of residuals with its Jacobian."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import sciml.framework as fw
from sciml.framework.core.tree import flatten
from sciml.networks import Parameters
from sciml.problem.constraint import Array, Constraint

from .optimisers import Vector
from .optimisers.squares import Matrix


@dataclass
class Linearised:
    """Residuals r of constraints with loss = r . r, and the rows of their Jacobian.

    A constraint of weight w at n points has the rows sqrt(w / n) r(points).

    Parameters
    ----------
    constraints : sequence of Constraint
        In the order of the rows.
    threads : int or None
        Threads of the compiled functions; None uses all cores.
    """

    constraints: Sequence[Constraint]
    threads: int | None = None
    _residuals: list[Any] = field(init=False)
    _rows: list[Any] = field(init=False)

    def __post_init__(self) -> None:
        """Prepare the functions; they compile when first called."""
        self._residuals = [fw.jit(_flat(c), threads=self.threads) for c in self.constraints]
        self._rows = [fw.jit(_rows(c), threads=self.threads) for c in self.constraints]

    @property
    def compile_time_s(self) -> float:
        """Time spent compiling so far [s]."""
        return float(sum(f.compile_time_s for f in (*self._residuals, *self._rows)))

    def residual(self, number: int, parameters: Parameters, arrays: Any) -> Vector:
        """Return the residual of one constraint, without weight, shape (points,), in float64."""
        return np.asarray(self._residuals[number](parameters, *arrays), dtype=np.float64)

    def jacobian(self, number: int, parameters: Parameters, arrays: Any) -> tuple[Matrix, Vector]:
        """Return the Jacobian of one constraint's residual, (points, n), and it, in float64."""
        J, r = self._rows[number](parameters, *arrays)
        return np.asarray(J, dtype=np.float64), np.asarray(r, dtype=np.float64)

    def residuals(self, parameters: Parameters, weights: Sequence[Any], arrays: Any) -> Vector:
        """Return r, shape (m,), in float64; a weight is a number or one for each point."""
        parts = []
        for number, (weight, own) in enumerate(zip(weights, arrays, strict=True)):
            r = self.residual(number, parameters, own)
            parts.append(np.sqrt(weight / r.size) * r)
        return np.concatenate(parts)

    def linearise(
        self, parameters: Parameters, weights: Sequence[Any], arrays: Any
    ) -> tuple[Vector, Matrix]:
        """Return r, shape (m,), and its Jacobian, shape (m, n), in float64."""
        parts, blocks = [], []
        for number, (weight, own) in enumerate(zip(weights, arrays, strict=True)):
            J, r = self.jacobian(number, parameters, own)
            factor = np.sqrt(weight / r.size)
            blocks.append(factor[..., np.newaxis] * J)
            parts.append(factor * r)
        return np.concatenate(parts), np.concatenate(blocks)


def _flat(constraint: Constraint) -> Callable[..., Any]:
    """Return the residual as a row, of one entry for an integral."""

    def residual(parameters: Parameters, *arrays: Array) -> Any:
        r = constraint.residual(parameters, *arrays)
        return r if len(r.shape) else fw.reshape(r, (1,))

    return residual


def _jacobian(constraint: Constraint) -> Any:
    # data need not depend on what stands in the equation alone, and the other way round
    return fw.point_jacobian(constraint.residual, allow_unused=True)


def _rows(constraint: Constraint) -> Callable[..., Any]:
    """Return the function of the Jacobian, shape (points, n), and the residual."""

    def rows(parameters: Parameters, *arrays: Array) -> Any:
        r = constraint.residual(parameters, *arrays)
        if len(r.shape):
            return _jacobian(constraint).rows(parameters, *arrays), r
        leaves = flatten(fw.grad(constraint.residual, allow_unused=True)(parameters, *arrays))[0]
        row = [fw.reshape(leaf, (1, leaf.size)) for leaf in leaves]
        return fw.concatenate(row, axis=1), fw.reshape(r, (1,))

    return rows
