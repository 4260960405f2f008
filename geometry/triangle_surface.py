"""Closed surfaces of triangles: their checks, areas, volume and distance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from sciml.framework.errors import GeometryError

Array = np.ndarray

# Triangles thinner than this share of the size of the surface have no normal.
THIN = 1e-12
# Faulty triangles that a message lists.
LISTED = 5


@final
@dataclass(frozen=True, eq=False)
class TriangleSurface:
    """A surface of triangles that encloses a solid, with normals outwards.

    Parameters
    ----------
    vertices
        Shape (n, 3) [m].
    triangles
        Indices of three vertices each, counter-clockwise seen from outside, shape (m, 3).

    Raises
    ------
    GeometryError
        If a vertex is not finite, a triangle has no area, an edge does not belong to exactly two
        triangles, or these run along it in the same sense. Where all normals point inwards, all
        triangles are turned.
    """

    vertices: Array
    triangles: Array

    def __post_init__(self) -> None:
        vertices = np.asarray(self.vertices, dtype=float)
        triangles = np.asarray(self.triangles)
        if vertices.ndim != 2 or vertices.shape[1] != 3 or not len(vertices):
            raise GeometryError(f"Mesh: vertices must have shape (n, 3), got {vertices.shape}")
        if triangles.ndim != 2 or triangles.shape[1] != 3 or not len(triangles):
            raise GeometryError(f"Mesh: triangles must have shape (m, 3), got {triangles.shape}")
        if not np.isfinite(vertices).all():
            rows = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
            raise GeometryError(f"Mesh: {len(rows)} vertices are not finite: {_listed(rows)}")
        # Files of single triangles repeat the vertices; equal ones are one.
        vertices, same = np.unique(vertices, axis=0, return_inverse=True)
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "triangles", same.reshape(-1)[triangles])
        self._check_areas()
        self._check_edges()
        if self.volume < 0:
            object.__setattr__(self, "triangles", self.triangles[:, ::-1].copy())
            for name in ("corners", "_cross", "volume"):
                self.__dict__.pop(name, None)

    @cached_property
    def corners(self) -> Array:
        """Corners of each triangle, shape (m, 3, 3) [m]."""
        return np.asarray(self.vertices[self.triangles])

    @property
    def areas(self) -> Array:
        """Area of each triangle, shape (m,) [m^2]."""
        return np.asarray(np.linalg.norm(self._cross, axis=1) / 2)

    @property
    def normals(self) -> Array:
        """Outward unit normal of each triangle, shape (m, 3)."""
        return np.asarray(self._cross / np.linalg.norm(self._cross, axis=1, keepdims=True))

    @cached_property
    def volume(self) -> float:
        """Volume inside, a third of the flux of x - c [m^3]."""
        middle = self.corners.mean(axis=1)
        return float(np.sum((middle - middle.mean(axis=0)) * self._cross) / 6)

    @property
    def box(self) -> tuple[Array, Array]:
        """Lower and upper corner of the smallest box around the surface [m]."""
        return self.vertices.min(axis=0), self.vertices.max(axis=0)

    @cached_property
    def _cross(self) -> Array:
        a, b, c = (self.corners[:, i] for i in range(3))
        return np.cross(b - a, c - a)

    def _check_areas(self) -> None:
        longest = np.linalg.norm(self.corners - np.roll(self.corners, -1, axis=1), axis=2).max(1)
        size = float(np.ptp(self.vertices, axis=0).max())
        height = np.linalg.norm(self._cross, axis=1) / np.maximum(longest, np.finfo(float).tiny)
        flat = np.flatnonzero(height <= THIN * size)
        if len(flat):
            raise GeometryError(
                f"Mesh: {len(flat)} triangles have no area: {_listed(flat)}; the first has the "
                f"corners {self.corners[flat[0]].tolist()}; remove them and join their neighbours"
            )

    def _check_edges(self) -> None:
        """Refuse edges that are not walked exactly once in each sense."""
        start = self.triangles.ravel()
        end = np.roll(self.triangles, -1, axis=1).ravel()
        owner = np.repeat(np.arange(len(self.triangles)), 3)
        low, high = np.minimum(start, end), np.maximum(start, end)
        code = low * len(self.vertices) + high
        kinds, edge = np.unique(code, return_inverse=True)
        count = np.bincount(edge, minlength=len(kinds))
        turn = np.bincount(edge, np.where(start < end, 1, -1), len(kinds))
        for wrong, told, advice in (
            (count == 1, "belong to one triangle alone, so the surface is not closed",
             "fill the hole"),
            (count > 2, "belong to more than two triangles", "separate the sheets that meet there"),
            ((count == 2) & (turn != 0), "are walked in the same sense by both triangles",
             "turn one of them, so that all normals point outwards"),
        ):  # fmt: skip
            bad = np.flatnonzero(wrong)
            if len(bad):
                first = np.flatnonzero(edge == bad[0])
                ends = self.vertices[[low[first[0]], high[first[0]]]].tolist()
                raise GeometryError(
                    f"Mesh: {len(bad)} edges {told}; the first leads from {ends[0]} to {ends[1]} "
                    f"(triangles {_listed(owner[first])}); {advice}"
                )


def _listed(numbers: Array) -> str:
    more = ", ..." if len(numbers) > LISTED else ""
    return ", ".join(str(int(i)) for i in numbers[:LISTED]) + more


def squared_distances(X: Array, corners: Array) -> Array:
    """Return the squared distance of each point to its own triangle.

    Parameters
    ----------
    X
        Points, shape (n, 3) [m].
    corners
        Corners of n triangles, shape (n, 3, 3) [m].

    References
    ----------
    Ericson (2005), Real-Time Collision Detection, section 5.1.5.
    """
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    square = np.full(len(X), np.inf)
    within = np.ones(len(X), dtype=bool)
    for i in range(3):
        a, b = corners[:, i], corners[:, (i + 1) % 3]
        edge, away = b - a, X - a
        share = np.clip(_dot(away, edge) / _dot(edge, edge), 0.0, 1.0)
        rest = away - share[:, None] * edge
        square = np.minimum(square, _dot(rest, rest))
        within &= _dot(np.cross(edge, away), normal) >= 0
    height = _dot(X - corners[:, 0], normal)
    return np.where(within, np.minimum(square, height**2 / _dot(normal, normal)), square)


def _dot(u: Array, v: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->i", u, v))
