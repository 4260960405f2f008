"""Arrays at which the generic tests exercise primitives."""

from __future__ import annotations

import numpy as np

__all__ = ["BLOCK", "GRID", "INTEGERS", "OTHER"]

GRID = np.array([[-1.7, -0.4, 0.3], [0.9, 1.6, 2.3]])
OTHER = np.array([[0.7, -1.1, 1.9], [-0.6, 2.2, 0.35]])
INTEGERS = np.array([[-3, 0, 2], [5, -1, 7]])
BLOCK = np.arange(24.0).reshape(2, 3, 4) / 7 - 1.3
