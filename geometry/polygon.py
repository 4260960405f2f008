"""Simple polygons, with holes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, final

import numpy as np

from sciml.framework.errors import GeometryError

from . import sizes
from .distances import to_edges
from .membership import Membership, by_distance
from .pieces import PlanePiece, Segment, Vertex
from .plane_shape import PlaneShape
from .quadrature import Quadrature
from .trapezoids import Trapezoids, edges_of

# Points nearer than this share of the coordinates to a line are told by their exact distance.
CLOSE = 1e-9

Array = np.ndarray
Ring = tuple[tuple[float, float], ...]


@final
@dataclass(frozen=True)
class Polygon(PlaneShape, Membership):
    """A region bounded by straight edges, with the parts ``edges.i`` and ``corners.i``.

    Edge i leads from corner i to the next one. The outer ring is numbered first, counter-clockwise
    from its first vertex, then each hole, clockwise. A ring given the other way round is walked
    backwards from its first vertex.

    Parameters
    ----------
    vertices
        Vertices of the outer ring in order [m], at least three; the last one is joined to the
        first.
    holes
        Vertices of each hole in order [m].

    Raises
    ------
    GeometryError
        If a vertex is not finite, two vertices coincide, edges cross or touch, a ring has no
        area, or a hole does not lie inside the outer ring and outside all other holes.

    Examples
    --------
    >>> bracket = Polygon(((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)))
    >>> bracket.measure, bracket.boundary_measure("edges")
    (3.0, 8.0)
    """

    vertices: tuple[tuple[float, float], ...]
    holes: tuple[tuple[tuple[float, float], ...], ...] = ()

    def __post_init__(self) -> None:
        outer = _ring("vertices", self.vertices, 1)
        holes = tuple(_ring(f"holes[{i}]", hole, -1) for i, hole in enumerate(self.holes))
        _check_edges((outer, *holes))
        for name, ring in (("vertices", outer), *((f"holes[{i}]", h) for i, h in enumerate(holes))):
            if abs(_area(ring)) <= 1e-14 * float(np.ptp(ring, axis=0).max()) ** 2:
                raise GeometryError(f"Polygon: {name} encloses no area; its vertices lie on a line")
        object.__setattr__(self, "vertices", outer)
        object.__setattr__(self, "holes", holes)
        for i, hole in enumerate(holes):
            others = [h for j, h in enumerate(holes) if j != i]
            place = np.array(hole[:1])
            if to_edges(place, *edges_of((outer,)))[0] > 0 or any(
                to_edges(place, *edges_of((other[::-1],)))[0] < 0 for other in others
            ):
                raise GeometryError(
                    f"Polygon: holes[{i}] starts at {hole[0]}, outside the region it should be cut "
                    "from; move it inside 'vertices' and off the other holes"
                )

    @property
    def rings(self) -> tuple[Ring, ...]:
        """The outer ring and the holes, each with the region on its left."""
        return (self.vertices, *self.holes)

    @property
    def measure(self) -> float:
        return math.fsum(map(_area, self.rings))

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        xs, ys = zip(*self.vertices, strict=True)
        return (min(xs), min(ys)), (max(xs), max(ys))

    @cached_property
    def pieces(self) -> Mapping[str, PlanePiece]:
        edges: dict[str, PlanePiece] = {}
        corners: dict[str, PlanePiece] = {}
        for ring in self.rings:
            for i, vertex in enumerate(ring):
                edge = Segment(vertex, ring[(i + 1) % len(ring)])
                before = Segment(ring[i - 1], vertex)
                bisector = sum(s.frame(np.zeros((1, 1)))[1][0] for s in (before, edge))
                normal = bisector / np.linalg.norm(bisector)
                corners[f"corners.{len(edges)}"] = Vertex(vertex, tuple(map(float, normal)))
                edges[f"edges.{len(edges)}"] = edge
        return {**edges, **corners}

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        found, first = {}, 0
        for ring in self.rings:
            for i in range(len(ring)):
                before = f"edges.{first + (i - 1) % len(ring)}"
                found[f"corners.{first + i}"] = (before, f"edges.{first + i}")
            first += len(ring)
        return found

    def signed_distance(self, X: Any) -> Any:
        """Return the exact distance, with the sign of the winding number, shape (n,)."""
        return to_edges(X, *edges_of(self.rings))

    def holds(self, X: Array) -> Array:
        """Tell by the trapezoids, and by the exact distance where a line is near."""
        (x0, y0), (x1, y1) = self.bounding_box
        size = max(abs(x0), abs(y0), abs(x1), abs(y1))
        side = self._trapezoids.side(X, CLOSE * size)
        inside, near = np.asarray(side > 0), side == 0
        inside[near] = by_distance(self.signed_distance, X[near])
        return inside

    def from_unit_cube(self, unit: Array) -> Array:
        """Map by the share of area left of x, then by the share of length below y.

        References
        ----------
        Rosenblatt (1952), Remarks on a multivariate transformation.
        """
        return self._trapezoids.from_unit_square(unit)

    def quadrature(self, n: int) -> Quadrature:
        """Return tensor Gauss-Legendre rules on the trapezoids between successive vertices in x."""
        return self._trapezoids.quadrature(n)

    @cached_property
    def _trapezoids(self) -> Trapezoids:
        return Trapezoids.cut(self.rings)


def _ring(name: str, vertices: Sequence[Sequence[float]], turn: int) -> Ring:
    """Return checked vertices, walked in the wanted sense from the first one."""
    count = len(vertices)
    if count < 3:
        raise GeometryError(f"Polygon: {name} needs at least 3 vertices, got {count}")
    ring = []
    for i, vertex in enumerate(vertices):
        x, y = sizes.point("Polygon", f"{name}[{i}]", (*vertex,), 2)
        ring.append((x, y))
    for (i, p), (j, q) in combinations(enumerate(ring), 2):
        if p == q:
            raise GeometryError(f"Polygon: {name}[{i}] and {name}[{j}] are the same vertex {p}")
    area = _area(tuple(ring))
    return tuple(ring if area * turn > 0 else [ring[0], *ring[:0:-1]])


def _area(ring: Ring) -> float:
    """Return the signed area, positive counter-clockwise, with coordinates from one vertex."""
    (ox, oy), after = ring[0], (*ring[1:], ring[0])
    return (
        math.fsum(
            (ax - ox) * (by - oy) - (bx - ox) * (ay - oy)
            for (ax, ay), (bx, by) in zip(ring, after, strict=True)
        )
        / 2
    )


def _check_edges(rings: Sequence[Ring]) -> None:
    """Refuse edges that meet anywhere but at the vertex two neighbours share."""
    starts, ends = edges_of(rings)
    for i, j in combinations(range(len(starts)), 2):
        a, b, c, d = starts[i], ends[i], starts[j], ends[j]
        if np.array_equal(b, c) or np.array_equal(a, d):
            far, near = (d, a) if np.array_equal(b, c) else (c, b)
            shared = b if np.array_equal(b, c) else a
            u, v = near - shared, far - shared
            if abs(_cross(u, v)) <= 1e-14 * np.hypot(*u) * np.hypot(*v) and u @ v > 0:
                raise GeometryError(
                    f"Polygon: the edges at the vertex {tuple(map(float, shared))} fold back on "
                    "each other; remove the spike"
                )
        elif _meet(a, b, c, d):
            raise GeometryError(
                f"Polygon: the edge {tuple(map(float, a))} - {tuple(map(float, b))} meets the edge "
                f"{tuple(map(float, c))} - {tuple(map(float, d))}; order the vertices so that no "
                "edges cross or touch"
            )


def _cross(u: Array, v: Array) -> float:
    return float(u[0] * v[1] - u[1] * v[0])


def _meet(a: Array, b: Array, c: Array, d: Array) -> bool:
    """Return whether two segments have a point in common."""
    sides = [_cross(b - a, c - a), _cross(b - a, d - a), _cross(d - c, a - c), _cross(d - c, b - c)]
    if sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0:
        return True
    ends = [(a, b, c), (a, b, d), (c, d, a), (c, d, b)]
    return any(
        side == 0 and bool(np.all((np.minimum(p, q) <= r) & (r <= np.maximum(p, q))))
        for side, (p, q, r) in zip(sides, ends, strict=True)
    )
