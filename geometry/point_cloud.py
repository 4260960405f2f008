"""Regions known by points alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

from sciml.framework.errors import GeometryError

from . import sizes
from .boundary import BoundaryPoints
from .formless_shape import FormlessShape
from .pieces import Piece
from .quadrature import Quadrature
from .renamed import check_name

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

Array = np.ndarray

# How far the length of a normal may be from one.
UNIT = 1e-6


@final
@dataclass(frozen=True, eq=False)
class CloudPiece(Piece):
    """Points of a boundary with normals; strips of the unit interval stand for one point each.

    Parameters
    ----------
    points, normals
        Shape (k, d) each [m], [-].
    area
        Measure of the part they are spread over [m^(d-1)].
    """

    points: Array
    normals: Array
    area: float

    @property
    def measure(self) -> float:
        return self.area

    @property
    def parameters(self) -> int:
        return 1

    @property
    def joined(self) -> bool:
        return False

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        """Return points and normals; curvatures are unknown, which is not a number."""
        at = picked(unit[:, 0], len(self.points))
        return self.points[at], self.normals[at], np.full(len(at), np.nan)

    def kept(self, unit: Array) -> Array:
        return np.ones(len(unit), dtype=bool)

    def rule(self, n: int, part: str) -> BoundaryPoints:
        """Refuse: points without weights integrate nothing exactly."""
        raise GeometryError(
            f"PointCloud: no Gauss rule on {part!r} follows from points; use 'sample_boundary' "
            f"(asked for n = {n})"
        )

    def rim(self) -> Array:
        """Return all points, since which of them are at the end is unknown."""
        return self.points


@final
@dataclass(frozen=True, eq=False)
class PointCloud(FormlessShape):
    """A region given by points inside and points on its boundary, as from a scan or a solver.

    Samples are drawn from the given points, evenly over their list; more samples than points, or
    random ones, hold some of them several times.

    Parameters
    ----------
    inside
        Points inside, evenly spread, shape (n, d), d >= 2 [m].
    edges
        For each part of the boundary its points and their outward unit normals, both (k, d).
    volume
        Measure of the region [m^d].
    areas
        Measure of each part [m^(d-1)].

    Raises
    ------
    GeometryError
        If shapes differ, a part has no points or no name of dotted words, a number is not finite,
        a normal is not of length one, a measure is missing or not positive, or a point inside lies
        outside by the nearest normal.

    Notes
    -----
    `signed_distance` is that to the nearest boundary point, with the sign of its normal: as good as
    the points are dense, for NumPy points. Curvatures are not known, and conditions are
    soft.

    Examples
    --------
    >>> angle = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    >>> ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    >>> cloud = PointCloud(0.5 * ring, {"rim": (ring, ring)}, np.pi, {"rim": 2 * np.pi})
    >>> cloud.sample_boundary("rim", 7).points.shape
    (7, 2)
    """

    inside: Array
    edges: Mapping[str, tuple[Array, Array]]
    volume: float
    areas: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        inside = np.asarray(self.inside, dtype=float)
        if inside.ndim != 2 or inside.shape[1] < 2 or not len(inside):
            raise GeometryError(
                f"PointCloud: inside must have shape (n, d) with d >= 2, got {inside.shape}"
            )
        if not self.edges or set(self.edges) != set(self.areas):
            raise GeometryError(
                f"PointCloud: edges has {sorted(self.edges)}, areas {sorted(self.areas)}; "
                "give both for every part"
            )
        edges = {
            name: tuple(np.asarray(column, dtype=float) for column in pair)
            for name, pair in self.edges.items()
        }
        arrays = {"inside": inside}
        for name, (points, normals) in edges.items():
            check_name("PointCloud", name)
            arrays |= {f"points of {name!r}": points, f"normals of {name!r}": normals}
            if not points.size or not normals.size:
                raise GeometryError(f"PointCloud: {name!r} has no points or no normals")
            lengths = np.linalg.norm(normals, axis=-1)
            if points.shape != normals.shape or (np.abs(lengths - 1) > UNIT).any():
                raise GeometryError(
                    f"PointCloud: {name!r} needs one normal of length one for each point, got "
                    f"{points.shape} and {normals.shape}, lengths {lengths.min()} to "
                    f"{lengths.max()}"
                )
        for name, array in arrays.items():
            if array.shape[1:] != inside.shape[1:] or not np.isfinite(array).all():
                raise GeometryError(
                    f"PointCloud: {name} must be finite with {inside.shape[1]} coordinates, got "
                    f"shape {array.shape}"
                )
        object.__setattr__(self, "inside", inside)
        object.__setattr__(self, "edges", edges)
        sizes.positive("PointCloud", "volume", self.volume)
        for name, area in self.areas.items():
            sizes.positive("PointCloud", f"area of {name!r}", area)
        out = np.flatnonzero(self.signed_distance(inside) > 0)
        if len(out):
            raise GeometryError(
                f"PointCloud: {len(out)} points of inside lie outside by the normal of the nearest "
                f"boundary point, the first is number {out[0]} at {inside[out[0]].tolist()}; turn "
                "the normals outwards, or give more boundary points there"
            )

    @property
    def dimension(self) -> int:
        return int(self.inside.shape[1])

    @property
    def measure(self) -> float:
        return self.volume

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        every = np.concatenate([self.inside, self._rim[0]])
        return tuple(map(float, every.min(axis=0))), tuple(map(float, every.max(axis=0)))

    @cached_property
    def pieces(self) -> Mapping[str, Piece]:
        return {
            name: CloudPiece(points, normals, self.areas[name])
            for name, (points, normals) in self.edges.items()
        }

    @property
    def told(self) -> str:
        return "PointCloud:"

    def signed_distance(self, X: Any) -> Any:
        """Return the distance to the nearest boundary point, negative behind it, shape (n,).

        Raises
        ------
        GeometryError
            If X is traced.
        """
        self._refuse_traced(X)
        points, normals = self._rim
        distance, near = self._tree.query(X)
        ahead = np.einsum("ij,ij->i", X - points[near], normals[near]) > 0
        return np.where(ahead, distance, -distance)

    def from_unit_cube(self, unit: Array) -> Array:
        """Pick the point whose strip of the first coordinate is met."""
        return np.asarray(self.inside[picked(unit[:, 0], len(self.inside))])

    def quadrature(self, n: int) -> Quadrature:
        """Refuse: points without weights integrate nothing exactly."""
        raise GeometryError(
            "PointCloud: no Gauss rule follows from points; use 'sample_interior' (asked for "
            f"n = {n})"
        )

    @cached_property
    def _rim(self) -> tuple[Array, Array]:
        """All boundary points and normals."""
        points, normals = zip(*self.edges.values(), strict=True)
        return np.concatenate(points), np.concatenate(normals)

    @cached_property
    def _tree(self) -> cKDTree:
        from scipy.spatial import cKDTree

        return cKDTree(self._rim[0])


def picked(unit: Array, count: int) -> Array:
    """Return which of `count` even strips of the unit interval holds each number."""
    return np.asarray(np.minimum((unit * count).astype(int), count - 1))
