"""Solids inside a closed surface of triangles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from sciml.framework.errors import GeometryError

from . import boundary, mesh_file, strips
from .bodies import refuse_inverted
from .boundary import BoundaryPoints
from .formless_shape import FormlessShape
from .membership import Membership
from .pieces import Piece
from .plane_shape import cover
from .quadrature import Quadrature
from .self_crossings import refuse_crossings
from .triangle_search import TriangleSearch
from .triangle_surface import TriangleSurface

Array = np.ndarray


@final
@dataclass(frozen=True, eq=False)
class MeshPiece(Piece):
    """Some triangles of a surface; the curvature is that of flat triangles, zero.

    The unit square is cut into strips, as wide as the share of each triangle in the area, and each
    strip is mapped evenly to its triangle.

    Parameters
    ----------
    surface
        The surface.
    numbers
        Numbers of the triangles, shape (k,).
    """

    surface: TriangleSurface
    numbers: Array

    @cached_property
    def measure(self) -> float:
        return float(self._areas.sum())

    @property
    def parameters(self) -> int:
        return 2

    @property
    def joined(self) -> bool:
        return False

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        at, share = strips.located(self._areas, unit[:, 0])
        return self._on(at, share, unit[:, 1])

    def kept(self, unit: Array) -> Array:
        return np.ones(len(unit), dtype=bool)

    def rule(self, n: int, part: str) -> BoundaryPoints:
        """Return the rule of `strips.triangle_rule` on each triangle, exact to degree 2 n - 1."""
        share, across, own = strips.triangle_rule(n)
        count = len(self.numbers)
        at = np.repeat(np.arange(count), len(own))
        frame = self._on(at, np.tile(share, count), np.tile(across, count))
        return boundary.make(*frame, (self._areas[:, None] * own).ravel(), part)

    def rim(self) -> Array:
        """Return the ends of edges that belong to one triangle of the piece alone, or a corner."""
        index = self.surface.triangles[self.numbers]
        edges = np.sort(np.stack([index, np.roll(index, -1, axis=1)], axis=-1).reshape(-1, 2))
        kinds, counts = np.unique(edges, axis=0, return_counts=True)
        ends = np.unique(kinds[counts == 1])
        return np.asarray(self.surface.vertices[ends if len(ends) else index[0, :1]])

    def _on(self, at: Array, share: Array, across: Array) -> tuple[Array, Array, Array]:
        """Return the frame at shares of area from the first corner of triangles, and across."""
        points = strips.in_triangles(self.surface.corners[self.numbers[at]], share, across)
        return points, self._normals[at], np.zeros(len(at))

    @cached_property
    def _areas(self) -> Array:
        return np.asarray(self.surface.areas[self.numbers])

    @cached_property
    def _normals(self) -> Array:
        return np.asarray(self.surface.normals[self.numbers])


@final
@dataclass(frozen=True)
class Mesh(FormlessShape, Membership):
    """The solid inside a closed surface of triangles, read from a file.

    The part is ``surface``, or one part for each physical group of a Gmsh file and ``rest`` for
    triangles in no group.

    Parameters
    ----------
    path
        File in the format STL, OBJ or PLY, or any that meshio reads, such as MSH [m].

    Raises
    ------
    GeometryError
        If the file is missing or holds no triangles; if the surface is not closed, its triangles
        have no area, differ in the sense in which they are walked, or cross each other, or one
        body lies in another. The message names triangles and places.
    MissingPackageError
        If the package that reads the file is not installed: ``pip install 'sciml[mesh]'``.

    Notes
    -----
    `signed_distance` is exact, for NumPy points; there are no factors in closed form, so that
    conditions are imposed softly.
    """

    path: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", str(self.path))
        refuse_crossings(self._search)
        refuse_inverted(self._search)
        _ = self.pieces  # refuses groups that overlap

    @property
    def dimension(self) -> int:
        return 3

    @property
    def surface(self) -> TriangleSurface:
        """The surface."""
        return self._search.surface

    @property
    def measure(self) -> float:
        return self.surface.volume

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        lower, upper = self.surface.box
        return tuple(map(float, lower)), tuple(map(float, upper))

    @cached_property
    def pieces(self) -> Mapping[str, Piece]:
        parts = mesh_file.parts(self._file.groups, len(self.surface.triangles), "surface")
        return {name: MeshPiece(self.surface, rows) for name, rows in parts.items()}

    @property
    def told(self) -> str:
        return f"Mesh: {self.path!r} has"

    def holds(self, X: Array) -> Array:
        """Return whether the surface winds around points, by rays and a grid, shape (n,)."""
        return self._search.inside(X)

    def signed_distance(self, X: Any) -> Any:
        """Return the distance to the nearest triangle, negative inside, shape (n,).

        Raises
        ------
        GeometryError
            If X is traced.
        """
        self._refuse_traced(X)
        points = np.asarray(X, dtype=float)
        distance = self._search.distances(points)
        return np.where(self._search.inside(points), -distance, distance)

    def from_unit_cube(self, unit: Array) -> Array:
        """Cover the bounding box."""
        return cover(self.bounding_box, unit)

    def quadrature(self, n: int) -> Quadrature:
        """Refuse: a surface says nothing of cells inside."""
        raise GeometryError(
            "Mesh: no Gauss rule with points inside follows from a surface; use 'sample_interior' "
            f"or boundary integrals (asked for n = {n})"
        )

    @cached_property
    def _file(self) -> mesh_file.MeshFile:
        return mesh_file.read(self.path)

    @cached_property
    def _search(self) -> TriangleSearch:
        return TriangleSearch(TriangleSurface(self._file.vertices, self._file.triangles))
