"""Telling inside from outside without distances."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

Array = np.ndarray


class Membership(ABC):
    """What a shape states as well if that is faster than the sign of its distance."""

    @abstractmethod
    def holds(self, X: Array) -> Array:
        """Return for each point, shape (n, d), whether it lies inside; on the boundary, either."""
