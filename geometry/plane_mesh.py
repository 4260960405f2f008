"""Regions of the plane that a mesh of triangles fills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from sciml.framework.errors import GeometryError

from . import boundary, mesh_file, strips
from .boundary import BoundaryPoints
from .distances import to_edges
from .formless_shape import FormlessShape
from .pieces import Piece
from .quadrature import Quadrature, gauss_legendre

Array = np.ndarray

# Triangles and edges thinner than this share of the size of the mesh have no direction.
THIN = 1e-12
# Step off a boundary edge, as a share of its length.
STEP = 1e-7
# Boundary edges compared with all others at once.
BLOCK = 512


@final
@dataclass(frozen=True, eq=False)
class EdgesPiece(Piece):
    """Straight edges with the region on their left, mapped to one after another.

    Parameters
    ----------
    starts, ends
        Shape (k, 2) each [m].
    """

    starts: Array
    ends: Array

    @cached_property
    def measure(self) -> float:
        return float(self._lengths.sum())

    @property
    def parameters(self) -> int:
        return 1

    @property
    def joined(self) -> bool:
        return False

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        return self._on(*strips.located(self._lengths, unit[:, 0]))

    def kept(self, unit: Array) -> Array:
        return np.ones(len(unit), dtype=bool)

    def rule(self, n: int, part: str) -> BoundaryPoints:
        """Return n Gauss-Legendre points on each edge, exact to degree 2 n - 1."""
        nodes, shares = gauss_legendre(n, 0.0, 1.0)
        count = len(self.starts)
        frame = self._on(np.repeat(np.arange(count), n), np.tile(nodes, count))
        return boundary.make(*frame, np.outer(self._lengths, shares).ravel(), part)

    def rim(self) -> Array:
        """Return the points where the edges end, or the first start where they close."""
        points, counts = np.unique(
            np.concatenate([self.starts, self.ends]), axis=0, return_counts=True
        )
        return points[counts == 1] if (counts == 1).any() else self.starts[:1]

    def _on(self, at: Array, share: Array) -> tuple[Array, Array, Array]:
        start, end, s = self.starts[at], self.ends[at], share[:, None]
        # A coordinate shared by both ends is exact: rounding must not move points off the edge.
        points = np.where(start == end, start, (1 - s) * start + s * end)
        along = (end - start) / self._lengths[at][:, None]
        normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
        return points, normals, np.zeros(len(at))

    @cached_property
    def _lengths(self) -> Array:
        return np.asarray(np.linalg.norm(self.ends - self.starts, axis=1))


@final
@dataclass(frozen=True)
class PlaneMesh(FormlessShape):
    """The region of the plane that the triangles of a mesh fill, read from a file.

    The parts are the physical groups of lines on the boundary, and ``rest`` for edges in no group;
    or ``edges`` where the file names none.

    Parameters
    ----------
    path
        File that meshio reads, such as MSH, with triangles at one height z [m].

    Raises
    ------
    GeometryError
        If the file is missing or holds no triangles, these do not lie at one height, have no area,
        overlap each other or are joined three at an edge, or the boundary crosses itself; if
        physical groups of lines overlap.
    MissingPackageError
        If meshio is not installed: ``pip install 'sciml[mesh]'``.

    Notes
    -----
    There are no factors in closed form, so that conditions are imposed softly.
    """

    path: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", str(self.path))
        self._check_crossings()
        self._check_sheets()
        _ = self.pieces  # refuses groups that overlap

    @property
    def dimension(self) -> int:
        return 2

    @property
    def measure(self) -> float:
        return float(self._areas.sum())

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        used = self._corners.reshape(-1, 2)
        return tuple(map(float, used.min(axis=0))), tuple(map(float, used.max(axis=0)))

    @cached_property
    def pieces(self) -> Mapping[str, Piece]:
        edges, _ = self._boundary
        known = {tuple(sorted(edge)): i for i, edge in enumerate(edges.tolist())}
        groups: dict[str, Array] = {}
        for name, rows in self._file.line_groups.items():
            lines = [tuple(sorted(line)) for line in self._file.lines[rows].tolist()]
            numbers = [known[line] for line in lines if line in known]
            if numbers:
                groups[name] = np.array(numbers)
        named = mesh_file.parts(groups, len(edges), "edges")
        points = self._points
        return {
            name: EdgesPiece(points[edges[rows, 0]], points[edges[rows, 1]])
            for name, rows in named.items()
        }

    @property
    def told(self) -> str:
        return f"PlaneMesh: {self.path!r} has"

    def signed_distance(self, X: Any) -> Any:
        """Return the exact distance to the boundary edges, shape (n,)."""
        edges, _ = self._boundary
        return to_edges(X, self._points[edges[:, 0]], self._points[edges[:, 1]])

    def from_unit_cube(self, unit: Array) -> Array:
        """Map strips of the square, as wide as the share of each triangle, to the triangles."""
        at, share = strips.located(self._areas, unit[:, 0])
        return strips.in_triangles(self._corners[at], share, unit[:, 1])

    def quadrature(self, n: int) -> Quadrature:
        """Return the rule of `strips.triangle_rule` on each triangle."""
        share, across, own = strips.triangle_rule(n)
        count = len(self._areas)
        at = np.repeat(np.arange(count), len(own))
        points = strips.in_triangles(
            self._corners[at], np.tile(share, count), np.tile(across, count)
        )
        return Quadrature(points, (self._areas[:, None] * own).ravel())

    @cached_property
    def _file(self) -> mesh_file.MeshFile:
        return mesh_file.read(self.path)

    @cached_property
    def _points(self) -> Array:
        """Vertices of the plane, shape (n, 2)."""
        vertices = self._file.vertices
        used = vertices[np.unique(self._file.triangles)]
        if not np.isfinite(used).all():
            raise GeometryError(f"PlaneMesh: {self.path!r} has vertices that are not finite")
        if vertices.shape[1] == 3 and np.ptp(used[:, 2]) > THIN * np.ptp(used, axis=0).max():
            raise GeometryError(
                f"PlaneMesh: the triangles of {self.path!r} lie between z = {used[:, 2].min()} and "
                f"{used[:, 2].max()}; give a mesh of the plane, or read a closed surface as a Mesh"
            )
        return np.asarray(vertices[:, :2])

    @cached_property
    def _triangles(self) -> Array:
        """Indices of the corners, counter-clockwise, shape (m, 3)."""
        index = self._file.triangles
        a, b, c = (self._points[index[:, i]] for i in range(3))
        cross = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
        size = float(np.ptp(self._points[np.unique(index)], axis=0).max())
        flat = np.flatnonzero(np.abs(cross) <= THIN * size**2)
        if len(flat):
            raise GeometryError(
                f"PlaneMesh: {len(flat)} triangles have no area, the first is number {flat[0]} "
                f"with the corners {self._points[index[flat[0]]].tolist()}; remove them"
            )
        return np.where(cross[:, None] > 0, index, index[:, ::-1])

    @cached_property
    def _corners(self) -> Array:
        return np.asarray(self._points[self._triangles])

    @cached_property
    def _areas(self) -> Array:
        a, b, c = (self._corners[:, i] for i in range(3))
        return np.asarray(((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2)

    @cached_property
    def _boundary(self) -> tuple[Array, Array]:
        """Edges of one triangle alone, with the region on their left, and that triangle."""
        start, end = self._triangles.ravel(), np.roll(self._triangles, -1, axis=1).ravel()
        owner = np.repeat(np.arange(len(self._triangles)), 3)
        count = len(self._points)
        one, other = start * count + end, end * count + start
        _, first, times = np.unique(one, return_index=True, return_counts=True)
        if (times > 1).any():
            row = first[np.argmax(times > 1)]
            ends = self._points[[start[row], end[row]]].tolist()
            raise GeometryError(
                f"PlaneMesh: several triangles lie on the same side of the edge from {ends[0]} to "
                f"{ends[1]}, among them number {owner[row]}; they overlap, remove one of them"
            )
        alone = ~np.isin(one, other)
        return np.stack([start[alone], end[alone]], axis=1), owner[alone]

    def _check_crossings(self) -> None:
        """Refuse boundary edges that cross, as they do where parts of the mesh overlap."""
        edges, owners = self._boundary
        p, q = self._points[edges[:, 0]], self._points[edges[:, 1]]
        for begin in range(0, len(edges), BLOCK):
            rows = slice(begin, begin + BLOCK)
            a, b = p[rows, None], q[rows, None]
            sides = [_side(a, b, p), _side(a, b, q), _side(p, q, a), _side(p, q, b)]
            crossed = (sides[0] * sides[1] < 0) & (sides[2] * sides[3] < 0)
            if crossed.any():
                i, j = np.argwhere(crossed)[0]
                raise GeometryError(
                    f"PlaneMesh: the boundary edges from {p[begin + i].tolist()} to "
                    f"{q[begin + i].tolist()} (triangle {owners[begin + i]}) and from "
                    f"{p[j].tolist()} to {q[j].tolist()} (triangle {owners[j]}) cross; the mesh "
                    "overlaps itself there"
                )

    def _check_sheets(self) -> None:
        """Refuse a part of the mesh upon another one: the boundary winds twice around it."""
        edges, owners = self._boundary
        p, q = self._points[edges[:, 0]], self._points[edges[:, 1]]
        inwards = STEP * np.stack([p[:, 1] - q[:, 1], q[:, 0] - p[:, 0]], axis=1)
        for begin in range(0, len(edges), BLOCK):
            rows = slice(begin, begin + BLOCK)
            depth = to_edges((p + q)[rows] / 2 + inwards[rows], p, q)
            # Where it winds n times, the distance is multiplied by 1 - 2 n.
            twice = np.flatnonzero(depth < -2 * np.linalg.norm(inwards[rows], axis=1))
            if len(twice):
                i = begin + int(twice[0])
                raise GeometryError(
                    f"PlaneMesh: the triangle {owners[i]} at the edge from {p[i].tolist()} to "
                    f"{q[i].tolist()} lies upon others; the mesh overlaps itself there"
                )


def _side(a: Array, b: Array, c: Array) -> Array:
    """Return twice the signed area of triangles, zero where it is rounding."""
    u, v = b - a, c - a
    left, right = u[..., 0] * v[..., 1], u[..., 1] * v[..., 0]
    area = left - right
    return np.where(np.abs(area) <= THIN * (np.abs(left) + np.abs(right)), 0.0, area)
