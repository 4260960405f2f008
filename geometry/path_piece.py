"""Pieces of a plane boundary given by functions of a parameter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from .curve import Curve
from .motion import Motion

if TYPE_CHECKING:
    import sympy

Array = np.ndarray
Path = Callable[[Any], tuple[Any, Any]]


@final
@dataclass(frozen=True)
class PathPiece(Curve):
    """The curve p(t) = (x(t), y(t)), first <= t <= last or backwards, with the shape on its left.

    Parameters
    ----------
    path
        Function of t that returns x and y [m], made of functions of `sciml.framework`; of the same
        shape as t, and smooth, with a velocity that is nowhere zero.
    first, last
        Parameters of the ends.
    """

    path: Path
    first: float
    last: float

    @property
    def span(self) -> tuple[float, float]:
        return self.first, self.last

    def derivatives(self, t: Array) -> tuple[Array, Array, Array]:
        place, velocity, acceleration = (np.stack(pair, axis=-1) for pair in self.jet(t))
        return place, velocity, acceleration

    def jet(self, t: Any) -> tuple[tuple[Any, Any], tuple[Any, Any], tuple[Any, Any]]:
        """Return p, p' and p'' as pairs; of NumPy arrays or traced tensors of any shape."""

        def stacked(t: Any) -> Any:
            x, y = self.path(t)
            return framework.stack([t * 0.0 + x, t * 0.0 + y], axis=0)

        value, (first, second) = framework.jet(stacked, (t,), ((t * 0.0 + 1.0, t * 0.0),))
        return (value[0], value[1]), (first[0], first[1]), (second[0], second[1])

    def between(self, first: float, last: float) -> PathPiece:
        start, end = self.parameter(np.array([first, last]))
        return replace(self, first=float(start), last=float(end))

    def reversed(self) -> PathPiece:
        return replace(self, first=self.last, last=self.first)

    def placed(self, motion: Motion) -> PathPiece:
        ends = (self.last, self.first) if motion.flips else self.span
        return PathPiece(_MovedPath(self.path, motion), *ends)

    def side(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr:
        """Refuse: there is no equation of the curve in x and y."""
        x, y = (float(c) for c in self.frame(np.array([[0.5]]))[0][0])
        raise GeometryError(
            f"the curve through ({x:g}, {y:g}) is given by its points, and has no smooth function "
            "that vanishes on it; impose conditions there softly"
        )

    def trim(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr | None:
        return None


@final
@dataclass(frozen=True)
class _MovedPath:
    """The image of a path under a motion."""

    path: Path
    motion: Motion

    def __call__(self, t: Any) -> tuple[Any, Any]:
        x, y = self.path(t)
        (a, b), (c, d) = self.motion.matrix
        s, (tx, ty) = self.motion.scale, self.motion.shift
        return s * (a * x + b * y) + tx, s * (c * x + d * y) + ty
