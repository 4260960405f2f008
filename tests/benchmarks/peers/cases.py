"""Five problems with closed forms, written so that every library can state them.

A residual gets derivatives ``d(field, orders)``, the coordinates, and the functions ``sin``,
``cos`` and ``exp`` of the library, and is divided by its own size, so that it is of order one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Residual = Callable[[Callable[..., Any], tuple[Any, ...], Any], Any]
RATE = 20.0 - math.sqrt(400.0 + 4.0 * math.pi**2)
DIFFUSION = 0.01 / math.pi


@dataclass(frozen=True)
class Side:
    """Values on a part of the boundary of the box.

    Parameters
    ----------
    axis, end : int
        The coordinate that is fixed, and whether at its lower (0) or upper (1) end.
    field : int
        Which field.
    orders : tuple of int
        The derivative that is given; zeros for the value itself.
    """

    axis: int
    end: int
    field: int = 0
    orders: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Case:
    """A problem on a box in two coordinates.

    Parameters
    ----------
    lower, upper : tuple of float
        The box.
    residuals : list of functions
        As above.
    sides : list of Side
        Where values are given, those of the exact solution; second derivatives are zero.
    exact : function
        Returns the fields at X of shape (n, 2), shape (n, fields).
    fields : int
        How many.
    """

    lower: tuple[float, float]
    upper: tuple[float, float]
    residuals: list[Residual]
    sides: list[Side]
    exact: Callable[[np.ndarray], np.ndarray]
    fields: int = 1

    def grid(self) -> np.ndarray:
        """Return the points of comparison, 101 x 101."""
        axes = [np.linspace(a, b, 101) for a, b in zip(self.lower, self.upper, strict=True)]
        return np.stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")], axis=1)

    def error(self, values: np.ndarray) -> float:
        """Return the largest relative L2 error of a field on the grid."""
        expected = self.exact(self.grid())
        gaps = np.linalg.norm(values - expected, axis=0) / np.linalg.norm(expected, axis=0)
        return float(gaps.max())

    def values(self, side: Side, X: np.ndarray) -> np.ndarray:
        """Return what is given on a side, shape (n,)."""
        return np.zeros(len(X)) if any(side.orders) else self.exact(X)[:, side.field]


def all_sides(*fields: int) -> list[Side]:
    """Return the four sides for each field."""
    return [Side(axis, end, k) for k in fields for axis in (0, 1) for end in (0, 1)]


def burgers(X: np.ndarray) -> np.ndarray:
    """Return Cole and Hopf's solution that starts from -sin(pi x), by Gauss-Hermite quadrature."""
    z, weights = np.polynomial.hermite.hermgauss(200)
    x, t = X[:, :1], np.maximum(X[:, 1:], 1e-14)
    eta = x - z * np.sqrt(4 * DIFFUSION * t)
    power = -np.cos(np.pi * eta) / (2 * np.pi * DIFFUSION)
    f = weights * np.exp(power - power.max(axis=1, keepdims=True))
    return -np.sum(np.sin(np.pi * eta) * f, axis=1, keepdims=True) / f.sum(axis=1, keepdims=True)


def kovasznay(X: np.ndarray) -> np.ndarray:
    """Return velocity and pressure behind a grid, Re = 40."""
    x, y = X.T
    e = np.exp(RATE * x)
    u, v = 1 - e * np.cos(2 * np.pi * y), RATE / (2 * np.pi) * e * np.sin(2 * np.pi * y)
    return np.stack([u, v, (1 - e**2) / 2], axis=1)


def _momentum(k: int) -> Residual:
    def residual(d: Any, x: Any, m: Any) -> Any:
        u, v = d(0, (0, 0)), d(1, (0, 0))
        pressure = d(2, (1, 0) if k == 0 else (0, 1))
        friction = (d(k, (2, 0)) + d(k, (0, 2))) / 40
        return u * d(k, (1, 0)) + v * d(k, (0, 1)) + pressure - friction

    return residual


def _sine(a: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda X: (np.sin(np.pi * X[:, 0]) * np.sin(a * np.pi * X[:, 1]))[:, None]


PI2 = math.pi**2
CASES = {
    "Poisson": Case(
        (0.0, 0.0), (1.0, 1.0),
        [lambda d, x, m: (d(0, (2, 0)) + d(0, (0, 2))) / (2 * PI2)
         + m.sin(math.pi * x[0]) * m.sin(math.pi * x[1])],
        all_sides(0), _sine(1),
    ),
    "Helmholtz": Case(
        (-1.0, -1.0), (1.0, 1.0),
        [lambda d, x, m: (d(0, (2, 0)) + d(0, (0, 2)) + d(0, (0, 0))) / (17 * PI2)
         + (17 * PI2 - 1) / (17 * PI2) * m.sin(math.pi * x[0]) * m.sin(4 * math.pi * x[1])],
        all_sides(0), _sine(4),
    ),
    "plate": Case(
        (0.0, 0.0), (1.0, 1.0),
        [lambda d, x, m: (d(0, (4, 0)) + 2 * d(0, (2, 2)) + d(0, (0, 4))) / (4 * PI2**2)
         - m.sin(math.pi * x[0]) * m.sin(math.pi * x[1])],
        [*all_sides(0), Side(0, 0, 0, (2, 0)), Side(0, 1, 0, (2, 0)), Side(1, 0, 0, (0, 2)),
         Side(1, 1, 0, (0, 2))],
        _sine(1),
    ),
    "Burgers": Case(
        (-1.0, 0.0), (1.0, 1.0),
        [lambda d, x, m: d(0, (0, 1)) + d(0, (0, 0)) * d(0, (1, 0)) - DIFFUSION * d(0, (2, 0))],
        [Side(0, 0), Side(0, 1), Side(1, 0)], burgers,
    ),
    "Kovasznay": Case(
        (-0.5, -0.5), (1.0, 1.5),
        [_momentum(0), _momentum(1), lambda d, x, m: d(0, (1, 0)) + d(1, (0, 1))],
        [*all_sides(0, 1), Side(0, 1, 2)], kovasznay, 3,
    ),
}  # fmt: skip
