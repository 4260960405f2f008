"""What a balancer may ask about a training at its present parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

import sciml.framework as fw
from sciml.framework.core.tree import flatten
from sciml.framework.errors import NonFiniteError
from sciml.networks import Parameters
from sciml.problem.constraint import Array, Constraint, weighted_loss

from ..linearised import Linearised
from ..optimisers.base import Vector


@dataclass
class PartGradients:
    """Loss and gradient of each constraint on its own, compiled when first asked for.

    Parameters
    ----------
    constraints : sequence of Constraint
        The constraints.
    threads : int or None
        Threads of the compiled functions; None uses all cores.
    """

    constraints: Sequence[Constraint]
    threads: int | None = None
    _functions: list[Any] = field(init=False)

    def __post_init__(self) -> None:
        """Prepare the functions."""
        self._functions = [
            fw.jit(fw.grad(weighted_loss([c]), allow_unused=True), threads=self.threads)
            for c in self.constraints
        ]

    @property
    def compile_time_s(self) -> float:
        """Time spent compiling so far [s]."""
        return float(sum(f.compile_time_s for f in self._functions))

    def norm(self, number: int, parameters: Parameters, weight: Array, arrays: Any) -> float:
        """Return the Euclidean norm of the gradient of one weighted mean squared residual."""
        gradient = self._functions[number](parameters, weight, *arrays)
        leaves = flatten(gradient)[0]
        return float(np.sqrt(sum(float(np.sum(np.square(leaf, dtype=float))) for leaf in leaves)))


@dataclass(frozen=True)
class View:
    """A training at its present parameters.

    Parameters
    ----------
    constraints : tuple of Constraint
        The constraints at their present points.
    parameters : Parameters
        The present parameters.
    linearised, gradients
        The compiled functions.
    weights : tuple of arrays
        Weights that losses and gradients are taken with, as in `Weighing`.
    step : int
        Steps of the training so far.
    random : numpy random generator
        For methods that draw; of the same state whenever the same step is seen.
    """

    constraints: tuple[Constraint, ...]
    parameters: Parameters
    linearised: Linearised
    gradients: PartGradients
    weights: tuple[Array, ...]
    step: int
    random: np.random.Generator

    def weighted(self, weights: tuple[Array, ...]) -> View:
        """Return the same with other weights."""
        return replace(self, weights=weights)

    @cached_property
    def residuals(self) -> tuple[Vector, ...]:
        """The residual of each constraint over its scale, shape (points,); (1,) of an integral.

        Raises
        ------
        NonFiniteError
            If one is not a number.
        """
        found = []
        for number, c in enumerate(self.constraints):
            r = self.linearised.residual(number, self.parameters, c.arrays)
            if not np.isfinite(r).all():
                raise NonFiniteError(f"constraint {c.name!r}: the residual is not a number")
            found.append(r)
        return tuple(found)

    @property
    def losses(self) -> Vector:
        """The weighted mean squared residual of each constraint, shape (constraints,)."""
        pairs = zip(self.weights, self.residuals, strict=True)
        return np.array([np.mean(weight * r**2) for weight, r in pairs])

    @property
    def gradient_norms(self) -> Vector:
        """The norm of the gradient of each of the losses, shape (constraints,)."""
        of = self.gradients.norm
        return np.array(
            [
                of(number, self.parameters, weight.astype(c.arrays[0].dtype), c.arrays)
                for number, (c, weight) in enumerate(
                    zip(self.constraints, self.weights, strict=True)
                )
            ]
        )

    def kernel_traces(self, points: int) -> Vector:
        """Return the mean over points of |dr/dparameters|^2 for each constraint, weighted.

        Parameters
        ----------
        points : int
            Most points that a constraint is looked at, evenly spread over its row of points.
        """
        found = []
        for number, (c, weight, r) in enumerate(
            zip(self.constraints, self.weights, self.residuals, strict=True)
        ):
            whole = r.size != len(c.arrays[0])  # an integral needs all its points
            stride = 1 if whole else -(-r.size // points)
            arrays = tuple(np.ascontiguousarray(a[::stride]) for a in c.arrays)
            J, _ = self.linearised.jacobian(number, self.parameters, arrays)
            chosen = np.broadcast_to(weight, r.shape)[::stride]
            found.append(np.mean(chosen * np.sum(J**2, axis=1)))
        return np.array(found)
