"""Telling inside from outside without distances."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray

# Points whose distances are taken at once, so that a shape of many edges needs no table of all
# points by all edges.
BLOCK = 4096


class Membership(ABC):
    """What a shape states as well if that is faster than the sign of its distance."""

    @abstractmethod
    def holds(self, X: Array) -> Array:
        """Return for each point, shape (n, d), whether it lies inside; on the boundary, either."""


def by_distance(distance: Callable[[Any], Any], X: Array) -> Array:
    """Return for each point, shape (n, d), whether its signed distance is not positive."""
    blocks = np.split(X, range(BLOCK, len(X), BLOCK))
    return np.concatenate([np.asarray(distance(block) <= 0) for block in blocks])
