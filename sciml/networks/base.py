"""What the solver asks of a network."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from sciml.framework.core.tree import flatten

Parameters: TypeAlias = Any
"""Nested lists, tuples and dictionaries of arrays."""


class Network(ABC):
    """A function of parameters and points, written with `sciml.framework` operations."""

    @abstractmethod
    def on_box(self, lower: Sequence[float], upper: Sequence[float], outputs: int) -> Self:
        """Return the network for coordinates in a box and a number of fields.

        Parameters
        ----------
        lower, upper : sequence of float
            Corners of the bounding box [coordinate units], one entry per coordinate.
        outputs : int
            Number of fields.
        """

    @abstractmethod
    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return fresh parameters; the same seed gives the same bits in every dtype's rounding."""

    @abstractmethod
    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, coordinates)."""


def parameter_count(parameters: Parameters) -> int:
    """Return the number of scalars in nested parameters.

    Examples
    --------
    >>> parameter_count([(np.zeros((2, 3)), np.zeros(3))])
    9
    """
    return sum(int(np.asarray(leaf).size) for leaf in flatten(parameters)[0])
