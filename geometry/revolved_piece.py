"""Surfaces of revolution: a curve of the half plane r >= 0 turned around the axis r = 0."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from . import boundary
from .boundary import BoundaryPoints
from .pieces import Piece, PlanePiece, Segment
from .quadrature import gauss_legendre

Array = np.ndarray

# Panels of the table of areas, and Gauss points in each.
PANELS, NODES = 64, 6
# Newton steps to the place of an area, from a linear radius in its panel; two reach rounding.
STEPS = 3
# Angles at which the two end circles are looked at.
RIM_ANGLES = 16


@final
@dataclass(frozen=True)
class RevolvedPiece(Piece):
    """The surface that a piece of boundary in (r, z) sweeps when it is turned around an axis.

    The first unit parameter is the share of the area from the start of the piece, the second one
    the share of the full turn.

    Parameters
    ----------
    piece
        Curve with r >= 0.
    axis
        Place (x, y) of the axis, which runs along z [m].
    """

    piece: PlanePiece
    axis: tuple[float, float]

    @property
    def measure(self) -> float:
        """Area 2 pi int r ds [m^2]."""
        return 2 * math.pi * self.piece.measure * float(self._table[-1])

    @property
    def parameters(self) -> int:
        return 2

    @cached_property
    def volume(self) -> float:
        """Flux pi int r^2 n_r ds of the field (r / 2) e_r: its share of the volume inside [m^3]."""
        knots = np.linspace(0.0, 1.0, PANELS + 1)
        nodes, weights = gauss_legendre(NODES, 0.0, 1.0 / PANELS)
        points, normals, _ = self.piece.frame((knots[:-1, None] + nodes).reshape(-1, 1))
        flux = np.tile(weights, PANELS) @ (points[:, 0] ** 2 * normals[:, 0])
        return math.pi * self.piece.measure * float(flux)

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        return self._turned(self._along(unit[:, 0]), 2 * math.pi * unit[:, 1])

    def kept(self, unit: Array) -> Array:
        return np.ones(len(unit), dtype=bool)

    def rule(self, n: int, part: str) -> BoundaryPoints:
        """Return n + 1 Gauss-Legendre points along the piece times 2 n equal angles.

        Exact for polynomials of degree 2 n - 1 on disks and cones.
        """
        gauss_legendre(n, 0.0, 1.0)  # refuses a bad count
        nodes, weights = gauss_legendre(n + 1, 0.0, 1.0)
        areas = 2 * math.pi * self.piece.measure * weights * self._radius(nodes)
        angles = np.pi / n * (np.arange(2 * n) + 0.5)
        u, angle = np.meshgrid(nodes, angles, indexing="ij")
        frame = self._turned(u.ravel(), angle.ravel())
        return boundary.make(*frame, np.repeat(areas / (2 * n), 2 * n), part)

    def rim(self) -> Array:
        """Return points of the circles that the two ends sweep."""
        angle = 2 * math.pi * np.arange(RIM_ANGLES) / RIM_ANGLES
        ends = (self._turned(np.full(RIM_ANGLES, end), angle)[0] for end in (0.0, 1.0))
        return np.concatenate(list(ends))

    def _turned(self, u: Array, angle: Array) -> tuple[Array, Array, Array]:
        """Return the frame at parameters of the piece and angles.

        The principal curvatures are that of the piece and n_r / r; at a smooth pole they agree.
        """
        points, normals, curvatures = self.piece.frame(u[:, None])
        c, s = np.cos(angle), np.sin(angle)
        r, z = points.T
        place = np.stack([self.axis[0] + r * c, self.axis[1] + r * s, z], axis=1)
        outward = np.stack([normals[:, 0] * c, normals[:, 0] * s, normals[:, 1]], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            around = np.where((r == 0) & (normals[:, 0] == 0), curvatures, normals[:, 0] / r)
        return place, outward, curvatures + around

    def _radius(self, u: Array) -> Array:
        return self.piece.frame(np.reshape(u, (-1, 1)))[0][:, 0].reshape(u.shape)

    def _along(self, share: Array) -> Array:
        """Return the parameters of the piece at shares of the area."""
        table, width = self._table, 1.0 / PANELS
        target = share * table[-1]
        panel = np.clip(np.searchsorted(table, target, side="right") - 1, 0, PANELS - 1)
        start = panel * width
        first, last = self._radius(np.stack([start, start + width]))
        # Solve first t + (last - first) t^2 / 2 = rest, in the form without cancellation.
        rest = np.maximum(target - table[panel], 0.0) / width
        root = np.sqrt(np.maximum(first**2 + 2 * (last - first) * rest, 0.0))
        t = 2 * rest / np.maximum(first + root, np.finfo(float).tiny)
        u = start + width * np.clip(t, 0.0, 1.0)
        if isinstance(self.piece, Segment):
            return np.asarray(u)
        for _ in range(STEPS):
            excess = table[panel] + self._areas(start, u) - target
            u = np.clip(u - excess / np.maximum(self._radius(u), np.finfo(float).tiny), 0.0, 1.0)
        return np.asarray(u)

    def _areas(self, start: Array, end: Array) -> Array:
        """Return int r du between parameters, shape (n,)."""
        nodes, weights = gauss_legendre(NODES, 0.0, 1.0)
        u = start[:, None] + (end - start)[:, None] * nodes
        return np.asarray((end - start) * (self._radius(u) @ weights))

    @cached_property
    def _table(self) -> Array:
        knots = np.linspace(0.0, 1.0, PANELS + 1)
        return np.concatenate([[0.0], np.cumsum(self._areas(knots[:-1], knots[1:]))])
