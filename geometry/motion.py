"""Similarity maps: rotations, reflections, uniform scalings and shifts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from . import sizes

if TYPE_CHECKING:
    import sympy

Array = np.ndarray
Vector = tuple[float, ...]

# How far the columns of Q may be from orthogonal unit vectors.
ROUNDING = 1e-12


@final
@dataclass(frozen=True)
class Motion:
    """The map x -> s Q x + t of R^d with an orthogonal Q.

    Parameters
    ----------
    matrix
        Rows of Q [-].
    scale
        Factor s of lengths [-], positive.
    shift
        Translation t [m].

    Raises
    ------
    GeometryError
        If a number is not finite, Q is not orthogonal, the scale is not positive or sizes differ.

    Examples
    --------
    >>> Motion.rotation(math.pi / 2, about=(1.0, 0.0)).point((2.0, 0.0))
    (1.0, 1.0)
    """

    matrix: tuple[tuple[float, ...], ...]
    scale: float
    shift: tuple[float, ...]

    def __post_init__(self) -> None:
        d = len(self.shift)
        shift = sizes.point("Motion", "shift", self.shift, d)
        if len(self.matrix) != d:
            raise GeometryError(f"Motion: matrix must have {d} rows, got {len(self.matrix)}")
        rows = tuple(
            sizes.point("Motion", f"matrix[{i}]", row, d) for i, row in enumerate(self.matrix)
        )
        off = np.abs(np.array(rows) @ np.array(rows).T - np.eye(d)).max()
        if off > ROUNDING:
            raise GeometryError(
                f"Motion: the rows of matrix must be orthogonal unit vectors, got {rows}, off by "
                f"{off:.3g}"
            )
        object.__setattr__(self, "matrix", rows)
        object.__setattr__(self, "scale", sizes.positive("Motion", "scale", self.scale))
        object.__setattr__(self, "shift", shift)

    @classmethod
    def plane(
        cls,
        axis: tuple[float, float] = (1.0, 0.0),
        flips: bool = False,
        scale: float = 1.0,
        shift: Vector = (0.0, 0.0),
    ) -> Motion:
        """Return a motion of the plane.

        Parameters
        ----------
        axis
            Image (c, s) of the first unit vector under Q [-], of length one.
        flips
            Whether Q is a reflection: the second unit vector goes to (s, -c) instead of (-s, c).
        scale, shift
            As for `Motion`.
        """
        c, s = axis
        return cls(((c, s), (s, 0.0 - c)) if flips else ((c, 0.0 - s), (s, c)), scale, shift)

    @classmethod
    def translation(cls, shift: Vector) -> Motion:
        """Return x -> x + t."""
        return cls(_identity(len(shift)), 1.0, shift)

    @classmethod
    def scaling(cls, factor: float, about: Vector) -> Motion:
        """Return x -> p + s (x - p)."""
        return cls(_identity(len(about)), factor, (0.0,) * len(about))._about(about)

    @classmethod
    def rotation(cls, angle: float, about: Vector, axis: Vector = (0.0, 0.0, 1.0)) -> Motion:
        """Return the turn by an angle [rad] about a point, or in space about the axis through it.

        References
        ----------
        Rodrigues (1840), Des lois geometriques qui regissent les deplacements d'un systeme solide.
        """
        angle = sizes.finite("Motion", "angle", angle)
        c, s = (_near_whole(f(angle)) for f in (math.cos, math.sin))
        if len(about) == 2:
            return cls.plane((c, s))._about(about)
        if len(about) != 3:
            raise GeometryError(
                f"Motion: a rotation needs a point of 2 or 3 coordinates, got {about!r}"
            )
        unit = _unit("axis", axis, 3)
        x, y, z = unit
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        matrix = c * np.eye(3) + s * cross + (1 - c) * np.outer(unit, unit)
        return cls(tuple(map(tuple, matrix.tolist())), 1.0, (0.0,) * 3)._about(about)

    @classmethod
    def reflection(cls, normal: Vector, point: Vector) -> Motion:
        """Return the mirror image across the line or plane through a point with a normal."""
        unit = _unit("normal", normal, len(point))
        matrix = np.eye(len(unit)) - 2 * np.outer(unit, unit)
        return cls(tuple(map(tuple, matrix.tolist())), 1.0, (0.0,) * len(unit))._about(point)

    @property
    def dimension(self) -> int:
        """Dimension d of the space."""
        return len(self.shift)

    @cached_property
    def flips(self) -> bool:
        """Whether Q is a reflection."""
        return bool(np.linalg.det(np.array(self.matrix)) < 0)

    @property
    def angle(self) -> float:
        """Polar angle of the image of the first unit vector, where d = 2 [rad]."""
        return math.atan2(self.matrix[1][0], self.matrix[0][0])

    def turned(self, angle: float) -> float:
        """Return the polar angle of the image of a direction, where d = 2 [rad]."""
        return self.angle - angle if self.flips else self.angle + angle

    def vector(self, v: Vector) -> Vector:
        """Return Q v."""
        return tuple(sum(a * b for a, b in zip(row, v, strict=True)) for row in self.matrix)

    def point(self, p: Vector) -> Vector:
        """Return the image of a point [m]."""
        return tuple(self.scale * x + t for x, t in zip(self.vector(p), self.shift, strict=True))

    def points(self, X: Array) -> Array:
        """Return the images of points, shape (n, d) [m]."""
        return np.asarray(self.scale * (X @ np.array(self.matrix).T) + np.array(self.shift))

    def pull(self, X: Any) -> Any:
        """Return the points that go to X, shape (n, d); a NumPy array or a traced tensor."""
        columns = self._back([X[:, i] for i in range(self.dimension)], self.shift, self.matrix)
        return framework.stack([column / self.scale for column in columns], axis=1)

    def symbols(
        self, coordinates: Sequence[sympy.Expr], inverse: bool = False
    ) -> tuple[sympy.Expr, ...]:
        """Return the image of symbolic coordinates, or what goes to them if `inverse`."""
        rows = [tuple(map(sizes.exact, row)) for row in self.matrix]
        scale, shift = sizes.exact(self.scale), [sizes.exact(t) for t in self.shift]
        if inverse:
            return tuple(x / scale for x in self._back(list(coordinates), shift, rows))
        return tuple(
            scale * sum(a * x for a, x in zip(row, coordinates, strict=True)) + t
            for row, t in zip(rows, shift, strict=True)
        )

    def _back(self, x: Sequence[Any], shift: Sequence[Any], rows: Sequence[Any]) -> list[Any]:
        """Return the components of Q^T (x - t), without products by zero or one."""
        away = [a - t if t else a for a, t in zip(x, shift, strict=True)]
        found = []
        for column in zip(*rows, strict=True):
            terms = [a if q == 1 else q * a for q, a in zip(column, away, strict=True) if q]
            total = terms[0]
            for term in terms[1:]:
                total = total + term
            found.append(total)
        return found

    def _about(self, point: Vector) -> Motion:
        """Return the map that does the same about a point instead of the origin."""
        place = sizes.point("Motion", "about", point, self.dimension)
        image = self.point(place)
        shift = tuple(a + t - b for a, t, b in zip(place, self.shift, image, strict=True))
        return Motion(self.matrix, self.scale, shift)


def _identity(dimension: int) -> tuple[Vector, ...]:
    return tuple(map(tuple, np.eye(dimension).tolist()))


def _near_whole(value: float) -> float:
    """Return a sine or cosine, exact for quarter turns, which keep edges along the axes."""
    return float(round(value)) if abs(value - round(value)) < 1e-15 else value


def _unit(name: str, value: Vector, dimension: int) -> Array:
    vector = np.array(sizes.point("Motion", name, value, dimension))
    length = np.linalg.norm(vector)
    if length == 0:
        raise GeometryError(f"Motion: {name} must not be zero, got {value!r}")
    return np.asarray(vector / length)
