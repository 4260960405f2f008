"""First-order methods that treat the matrices among the parameters as matrices."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np

from sciml.framework.errors import ConfigError

from .base import Objective, Vector, require
from .first_order import GradientMethod, Memory

Shapes: TypeAlias = tuple[tuple[int, ...], ...]
Block: TypeAlias = tuple[slice, tuple[int, int]]
_BLOCKS = "matrices"


class ShapedLoss(ABC):
    """A loss whose flat parameters are arrays in a row."""

    @abstractmethod
    def __call__(self, x: Vector) -> tuple[float, Vector]:
        """Return the loss and its gradient of shape (n,)."""

    @property
    @abstractmethod
    def shapes(self) -> Shapes:
        """The shapes of the arrays, in order."""


@dataclass(frozen=True)
class Matrixwise(GradientMethod):
    """A method that moves matrices in one way, and biases and other numbers in another."""

    @final
    def blocks(self, x: Vector, objective: Objective) -> Memory:
        """Return the place of each matrix with two rows and columns or more, as memory.

        The one array has a row for each matrix: its first index, its rows and its columns.

        Raises
        ------
        ConfigError
            If the loss does not say what its parameters are, or says wrong.
        """
        name = type(self).__name__
        if not isinstance(objective, ShapedLoss):
            raise ConfigError(
                f"{name}: this loss knows no matrices among its parameters; use a ShapedLoss, as a "
                "Solver does, or Adam"
            )
        shapes, rows, first = objective.shapes, [], 0
        for shape in shapes:
            if len(shape) == 2 and min(shape) > 1:
                rows.append((first, *shape))
            first += math.prod(shape)
        require(first == x.size, name, f"shapes of {x.size} parameters", shapes=shapes)
        return {_BLOCKS: np.array(rows, dtype=float).reshape(-1, 3)}

    @final
    def matrices(self, memory: Memory) -> Iterator[Block]:
        """Yield place and shape of each matrix."""
        for first, m, n in memory[_BLOCKS].astype(int).tolist():
            yield slice(first, first + m * n), (m, n)

    @final
    def kept(self, memory: Memory) -> Memory:
        """Return what `blocks` has found, for the memory after a step."""
        return {_BLOCKS: memory[_BLOCKS]}
