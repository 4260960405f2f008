"""What networks that are linear in their parameters share."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw

from .base import BoxNetwork, Parameters
from .enrichment import Enrichment


class LinearNetwork(BoxNetwork):
    """A sum of fixed functions with coefficients, y = f(X) C + e(X) C_e.

    Only C is a parameter, and starts from zero: a linear problem is one least squares problem,
    which `GaussNewton` solves to rounding. A subclass is a frozen dataclass with a field
    `enrichment` for the functions e, such as those of a corner; they see the coordinates as they
    are.
    """

    enrichment: tuple[Enrichment, ...]

    @property
    @abstractmethod
    def own_count(self) -> int:
        """The number of functions without the enrichment."""

    @abstractmethod
    def functions(self, X: Any) -> Any:
        """Return the functions without the enrichment, shape (points, own_count)."""

    @property
    def count(self) -> int:
        """The number of functions."""
        return self.own_count + sum(e.count for e in self.enrichment)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return ``C`` of shape (count, outputs), all zero."""
        return {"C": np.zeros((self.count, self.outputs), dtype=dtype)}

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        columns = [self.functions(X), *(e(X) for e in self.enrichment)]
        return fw.concatenate(columns, axis=1) @ parameters["C"]
