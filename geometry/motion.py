"""Similarity maps of the plane: rotations, reflections, uniform scalings and shifts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import sciml.framework as framework

from . import sizes

if TYPE_CHECKING:
    import sympy

Array = np.ndarray


@dataclass(frozen=True)
class Motion:
    """The map x -> s Q x + t with an orthogonal Q.

    Parameters
    ----------
    axis
        Image (c, s) of the first unit vector under Q [-], of length one.
    flips
        Whether Q is a reflection: the second unit vector goes to (s, -c) instead of (-s, c).
    scale
        Factor s of lengths [-], positive.
    shift
        Translation t [m].
    """

    axis: tuple[float, float] = (1.0, 0.0)
    flips: bool = False
    scale: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)

    @property
    def angle(self) -> float:
        """Polar angle of the image of the first unit vector [rad]."""
        return math.atan2(self.axis[1], self.axis[0])

    @property
    def matrix(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The rows of Q."""
        c, s = self.axis
        return ((c, s), (s, -c)) if self.flips else ((c, -s), (s, c))

    def turned(self, angle: float) -> float:
        """Return the polar angle of the image of a direction [rad]."""
        return self.angle - angle if self.flips else self.angle + angle

    def vector(self, v: tuple[float, ...]) -> tuple[float, float]:
        """Return Q v."""
        (a, b), (c, d) = self.matrix
        return a * v[0] + b * v[1], c * v[0] + d * v[1]

    def point(self, p: tuple[float, ...]) -> tuple[float, float]:
        """Return the image of a point [m]."""
        x, y = self.vector(p)
        return self.scale * x + self.shift[0], self.scale * y + self.shift[1]

    def points(self, X: Array) -> Array:
        """Return the images of points, shape (n, 2) [m]."""
        return np.asarray(self.scale * (X @ np.array(self.matrix).T) + np.array(self.shift))

    def pull(self, X: Any) -> Any:
        """Return the points that go to X, shape (n, 2); a NumPy array or a traced tensor."""
        (a, b), (c, d) = self.matrix
        x, y = X[:, 0] - self.shift[0], X[:, 1] - self.shift[1]
        return framework.stack([(a * x + c * y) / self.scale, (b * x + d * y) / self.scale], axis=1)

    def symbols(
        self, coordinates: tuple[sympy.Expr, ...], inverse: bool = False
    ) -> tuple[sympy.Expr, sympy.Expr]:
        """Return the image of symbolic coordinates, or what goes to them if `inverse`."""
        (a, b), (c, d) = (tuple(map(sizes.exact, row)) for row in self.matrix)
        scale, (tx, ty) = sizes.exact(self.scale), map(sizes.exact, self.shift)
        x, y = coordinates
        if inverse:
            x, y = (x - tx) / scale, (y - ty) / scale
            return a * x + c * y, b * x + d * y
        return scale * (a * x + b * y) + tx, scale * (c * x + d * y) + ty
