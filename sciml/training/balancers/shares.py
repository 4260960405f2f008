"""Weights that give constraints equal shares, smoothed over updates."""

from __future__ import annotations

import numpy as np

from sciml.problem.constraint import Array

from ..optimisers.base import Vector
from .base import Weighing


def equal_shares(sizes: Vector, before: Weighing | None, memory: float) -> tuple[Array, ...]:
    """Return smoothed weights with ``weight_k size_k`` the same for all, the sum of the sizes.

    A constraint of size zero keeps its weight, one at first: there is nothing to balance.

    Parameters
    ----------
    sizes : Vector
        What is to be balanced, shape (constraints,), >= 0.
    before : Weighing or None
        The last weights; without them the new ones count alone.
    memory : float
        Share of the last weights, in [0, 1).
    """
    old = np.ones_like(sizes) if before is None else np.array(before.weights, dtype=float)
    fresh = np.divide(sizes.sum(), sizes, out=old.copy(), where=sizes > 0.0)
    share = 0.0 if before is None else memory
    return tuple(np.asarray(w) for w in share * old + (1.0 - share) * fresh)
