"""Curved pieces of a plane boundary, walked at even speed: elliptic arcs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np

from . import sizes
from .motion import Motion
from .pieces import PlanePiece
from .quadrature import gauss_legendre

if TYPE_CHECKING:
    import sympy

Array = np.ndarray

# Panels of the table of arc lengths, and Gauss points in each.
PANELS, NODES = 128, 12
# Newton steps to the parameter of an arc length, from the chord of a panel; three reach rounding.
# After a step below this share of a panel the error, its square, is rounding.
STEPS, LAST = 6, 1e-7


class Curve(PlanePiece, ABC):
    """A smooth curve p(t), first <= t <= last or backwards, with the shape on its left.

    The arc length is integrated by Gauss quadrature and inverted by Newton's method.
    """

    @property
    @abstractmethod
    def span(self) -> tuple[float, float]:
        """Parameters of the start and the end."""

    @abstractmethod
    def derivatives(self, t: Array) -> tuple[Array, Array, Array]:
        """Return p, p' and p'' at parameters, each of shape (n, 2)."""

    @final
    @property
    def measure(self) -> float:
        return float(self._table[1][-1])

    @final
    @property
    def parameters(self) -> int:
        return 1

    @final
    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        t = self.parameter(unit[:, 0])
        points, velocity, acceleration = self.derivatives(t)
        speed = np.linalg.norm(velocity, axis=1)
        normals = self._turn * np.stack([velocity[:, 1], -velocity[:, 0]], axis=1) / speed[:, None]
        cross = velocity[:, 0] * acceleration[:, 1] - velocity[:, 1] * acceleration[:, 0]
        return points, normals, self._turn * cross / speed**3

    @final
    def swept(self, center: Array) -> float:
        points, velocity = self._nodes
        x, y = (points - center).T
        rates = x * velocity[:, 1] - y * velocity[:, 0]
        step = (self.span[1] - self.span[0]) / PANELS
        return step * float(rates @ np.tile(gauss_legendre(NODES, 0.0, 1.0)[1], PANELS))

    @final
    def parameter(self, unit: Array) -> Array:
        """Return the parameters at shares of the arc length; a closed curve goes on past 1."""
        turns = np.floor(np.where(unit == 1, 0.0, unit))
        knots, lengths = self._table
        target = (unit - turns) * lengths[-1]
        panel = np.clip(np.searchsorted(lengths, target) - 1, 0, PANELS - 1)
        start, t = knots[panel], np.interp(target, lengths, knots)
        nodes, weights = gauss_legendre(NODES, 0.0, 1.0)
        shares = np.append(nodes, 1.0)  # the end as well, for its speed
        for _ in range(STEPS):
            at = start[:, None] + (t - start)[:, None] * shares
            speed = np.linalg.norm(self.derivatives(at.ravel())[1], axis=1).reshape(at.shape)
            covered = lengths[panel] + np.abs(t - start) * (speed[:, :-1] @ weights)
            move = self._turn * (target - covered) / speed[:, -1]
            t = t + move
            if np.abs(move).max(initial=0.0) <= LAST * abs(knots[1] - knots[0]):
                break
        return np.asarray(t + turns * (self.span[1] - self.span[0]))

    @final
    @property
    def _turn(self) -> float:
        """1 where the parameter rises along the way, -1 where it falls."""
        return math.copysign(1.0, self.span[1] - self.span[0])

    @final
    @cached_property
    def _nodes(self) -> tuple[Array, Array]:
        """Points and velocities at the Gauss points of all panels, shape (n, 2) each."""
        ends = np.linspace(*self.span, PANELS + 1)
        nodes, _ = gauss_legendre(NODES, 0.0, 1.0)
        points, velocity, _ = self.derivatives(
            (ends[:-1, None] + np.diff(ends)[:, None] * nodes).ravel()
        )
        return points, velocity

    @final
    @cached_property
    def _table(self) -> tuple[Array, Array]:
        """Even parameters, and the arc lengths up to them."""
        knots = np.linspace(*self.span, PANELS + 1)
        speed = np.linalg.norm(self._nodes[1], axis=1).reshape(PANELS, NODES)
        lengths = np.abs(np.diff(knots)) * (speed @ gauss_legendre(NODES, 0.0, 1.0)[1])
        return knots, np.concatenate([[0.0], np.cumsum(lengths)])


@final
@dataclass(frozen=True)
class EllipticArc(Curve):
    """An arc of the ellipse c + Q (a cos t, b sin t), with the shape on its left.

    As for `Arc`, the shape lies outside the ellipse where t falls.

    Parameters
    ----------
    center
        Centre c [m].
    radii
        Half axes (a, b) [m], positive.
    angle
        Angle of the first axis [rad], the rotation Q.
    first, last
        Parameters t of the ends [rad], at most 2 pi apart.
    """

    center: tuple[float, float]
    radii: tuple[float, float]
    angle: float = 0.0
    first: float = 0.0
    last: float = 2 * math.pi

    @property
    def span(self) -> tuple[float, float]:
        return self.first, self.last

    def derivatives(self, t: Array) -> tuple[Array, Array, Array]:
        c, s = math.cos(self.angle), math.sin(self.angle)
        (a, b), turn = self.radii, np.array([[c, s], [-s, c]])
        place = np.stack([a * np.cos(t), b * np.sin(t)], axis=1) @ turn
        velocity = np.stack([-a * np.sin(t), b * np.cos(t)], axis=1) @ turn
        return place + np.array(self.center), velocity, -place

    def between(self, first: float, last: float) -> EllipticArc:
        start, end = self.parameter(np.array([first, last]))
        return replace(self, first=float(start), last=float(end))

    def reversed(self) -> EllipticArc:
        return replace(self, first=self.last, last=self.first)

    def placed(self, motion: Motion) -> EllipticArc:
        a, b = self.radii
        first, last = (-self.last, -self.first) if motion.flips else self.span
        x, y = motion.point(self.center)
        radii = motion.scale * a, motion.scale * b
        return EllipticArc((x, y), radii, motion.turned(self.angle), first, last)

    def side(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr:
        """Return g / sqrt(g^2 + |grad g|^2) times a length, g = 1 - (x/a)^2 - (y/b)^2 on the axes.

        References
        ----------
        Rvachev and Sheiko (1995), R-functions in boundary value problems in mechanics, section 2.
        """
        import sympy

        x, y = self._local(coordinates)
        a, b = map(sizes.exact, self.radii)
        size = sympy.sqrt(a * b)
        g = size * (1 - (x / a) ** 2 - (y / b) ** 2) / 2
        square = size**2 * ((x / a**2) ** 2 + (y / b**2) ** 2)
        sense = 1 if self.last > self.first else -1
        return sense * g / sympy.sqrt((g / size) ** 2 + square)

    def trim(self, coordinates: Sequence[sympy.Expr]) -> sympy.Expr | None:
        """Return a function of the chord, scaled by the smaller half axis."""
        half, middle = abs(self.last - self.first) / 2, (self.first + self.last) / 2
        if half >= math.pi * (1 - 1e-12):
            return None
        x, y = self._local(coordinates)
        a, b = map(sizes.exact, self.radii)
        c, s, chord = map(sizes.exact, (math.cos(middle), math.sin(middle), math.cos(half)))
        return (x / a * c + y / b * s - chord) * sizes.exact(min(self.radii))

    def _local(self, coordinates: Sequence[sympy.Expr]) -> tuple[sympy.Expr, sympy.Expr]:
        axis = math.cos(self.angle), math.sin(self.angle)
        x, y = Motion.plane(axis, shift=self.center).symbols(coordinates, inverse=True)
        return x, y
