"""Coordinates as a network sees them: periodic ones as points of a circle."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy

import sciml.framework as framework


@dataclass(frozen=True)
class Embedding:
    """The map of x to (cos(2 pi x / L), sin(2 pi x / L)) for each periodic coordinate x.

    A function of the image has the period L with all its derivatives.

    Parameters
    ----------
    coordinates
        All coordinates in order.
    periods
        L by coordinate [unit of the coordinate]; others stay as they are.

    References
    ----------
    Dong and Ni (2021), A method for representing periodic functions and enforcing exactly periodic
    boundary conditions with deep neural networks.

    Examples
    --------
    >>> import numpy as np
    >>> x, y = sympy.symbols("x y")
    >>> Embedding((x, y), {x: 2.0})(np.array([[0.5, 7.0]])).round(12)
    array([[0., 1., 7.]])
    """

    coordinates: Sequence[sympy.Symbol]
    periods: Mapping[sympy.Symbol, float] = field(default_factory=dict)

    def __call__(self, X: Any) -> Any:
        """Return the images, shape (n, d + number of periods), of X, shape (n, d)."""
        if not self.periods:
            return X
        columns = []
        for i, c in enumerate(self.coordinates):
            if c in self.periods:
                angle = X[:, i] * (2 * math.pi / self.periods[c])
                columns += [framework.cos(angle), framework.sin(angle)]
            else:
                columns.append(X[:, i])
        return framework.stack(columns, axis=1)

    def box(
        self, lower: Sequence[float], upper: Sequence[float]
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the corners of a box around the image of a box."""
        low: list[float] = []
        high: list[float] = []
        for c, a, b in zip(self.coordinates, lower, upper, strict=True):
            low += [-1.0, -1.0] if c in self.periods else [a]
            high += [1.0, 1.0] if c in self.periods else [b]
        return tuple(low), tuple(high)
