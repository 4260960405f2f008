"""Solids of revolution, among them cones and rings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from . import distance_factors, even_factors, sizes, transfinite
from .distances import length, to_arc, to_segment
from .geometry import Geometry
from .pieces import Arc, PlanePiece, Segment
from .quadrature import Quadrature
from .revolved_piece import RevolvedPiece

if TYPE_CHECKING:
    import sympy

Array = np.ndarray

# Lengths below this share of the profile's size are zero.
NEAR = 1e-12
# Points of the profile where functions are compared, and angles where parts meet.
PROBES, ANGLES = 64, 7


@final
@dataclass(frozen=True)
class Revolution(Geometry):
    """The solid that a shape of the half plane r >= 0 sweeps when it is turned around r = 0.

    The parts are those of the profile, whose coordinates are r and z. Edges on the axis lie inside
    the solid and leave no part, nor do corners.

    Parameters
    ----------
    profile
        Shape of the plane with r >= 0.
    axis
        Place (x, y) of the axis, which runs along z [m].

    Raises
    ------
    GeometryError
        If the profile is not a shape of the plane or has points with r < 0; if it has an edge on
        the axis and other pieces that are neither straight nor round.

    Notes
    -----
    The distance is that of (r, z) to the profile, or where that has an edge on the axis to the
    other pieces of its boundary: then it is exact, else as exact as that of the profile.

    Examples
    --------
    >>> from sciml.geometry import Rectangle
    >>> can = Revolution(Rectangle((0, 0), (1, 2)))
    >>> can.resolve("boundary"), round(can.measure, 10)
    (('edges.bottom', 'edges.right', 'edges.top'), 6.2831853072)
    """

    profile: Geometry
    axis: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if not isinstance(self.profile, Geometry) or self.profile.dimension != 2:
            raise GeometryError(
                "Revolution: profile must be a shape of the plane, for example Rectangle(), got "
                f"{self.profile!r}"
            )
        object.__setattr__(self, "axis", sizes.point("Revolution", "axis", self.axis, 2))
        inner = self.profile.bounding_box[0][0]
        if inner < -self._near:
            raise GeometryError(
                f"Revolution: the profile reaches r = {inner} < 0; move it to r >= 0, or cut it "
                "along the axis"
            )
        for leaf, revolved in self._swept.items():
            if self._touches and not isinstance(revolved.piece, Segment | Arc):
                raise GeometryError(
                    f"Revolution: the profile has an edge on the axis, and {leaf!r} is a "
                    f"{type(revolved.piece).__name__}; beside such an edge only Segment and Arc "
                    "have a distance of their own"
                )

    @property
    def dimension(self) -> int:
        return 3

    @property
    def measure(self) -> float:
        """Volume, pi int r^2 n_r ds over the boundary of the profile [m^3]."""
        return math.fsum(piece.volume for piece in self._swept.values())

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        (_, low), (r, high) = self.profile.bounding_box
        x, y = self.axis
        return (x - r, y - r, low), (x + r, y + r, high)

    @property
    def pieces(self) -> Mapping[str, RevolvedPiece]:
        return self._swept

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {}

    def signed_distance(self, X: Any) -> Any:
        """Return the distance of (r, z), shape (n,)."""
        dx, dy = X[:, 0] - self.axis[0], X[:, 1] - self.axis[1]
        r, z = length(dx * dx + dy * dy), X[:, 2]
        flat = self.profile.signed_distance(framework.stack([r, z], axis=1))
        if not self._touches:
            return flat
        nearest: Any = None
        for revolved in self._swept.values():
            own = _to_piece(revolved.piece, r, z)
            nearest = own if nearest is None else framework.minimum(nearest, own)
        # On the axis, which bounds the profile alone, `flat` is zero but for rounding.
        outside = flat - framework.minimum(nearest / 2, self._near)
        return framework.where(outside > 0, nearest, -nearest)

    def from_unit_cube(self, unit: Array) -> Array:
        """Cover the turned bounding box of the profile by (r^2, z, angle), even over the volume."""
        (inner, low), (outer, high) = self.profile.bounding_box
        inner = max(inner, 0.0)
        r = np.sqrt((1 - unit[:, 0]) * inner**2 + unit[:, 0] * outer**2)
        z = (1 - unit[:, 1]) * low + unit[:, 1] * high
        return self._turned(r, z, 2 * math.pi * unit[:, 2])

    def quadrature(self, n: int) -> Quadrature:
        """Return the rule of the profile for one degree more, times 2 n equal angles."""
        flat = self.profile.quadrature(n + 1)
        angles = np.pi / n * (np.arange(2 * n) + 0.5)
        (r, z), turns = np.repeat(flat.points, 2 * n, axis=0).T, np.tile(angles, len(flat.points))
        weights = 2 * math.pi * r * np.repeat(flat.weights / (2 * n), 2 * n)
        return Quadrature(self._turned(r, z, turns), weights)

    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        single = [self._function(leaf, coordinates) for leaf in leaves]
        return distance_factors.together(single, self.measure ** (1 / 3))

    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        transfinite.check_meeting("Revolution", values, self._meetings(values), coordinates)
        single = [self._function(leaf, coordinates) for leaf in values]
        return distance_factors.blend(single, list(values.values()), self.measure ** (1 / 3))

    def _function(self, leaf: str, coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        """Return a function that is zero on one piece, with unit slope."""
        import sympy

        plane = sympy.symbols("r z", cls=sympy.Dummy, real=True)
        f = distance_factors.distance(leaf, self._outline, plane)
        x, y, z = coordinates
        square = (x - sizes.exact(self.axis[0])) ** 2 + (y - sizes.exact(self.axis[1])) ** 2
        if self.profile.bounding_box[0][0] > self._near:
            return f.subs({plane[0]: sympy.sqrt(square), plane[1]: z})
        probes = self.profile.sample_interior(PROBES, "hammersley")
        return even_factors.in_space(f, plane, square, probes).subs(plane[1], z)

    def _meetings(self, leaves: Mapping[str, Any]) -> dict[tuple[str, str], Array]:
        """Return points of the circles that two pieces share."""
        angles = 2 * math.pi * np.arange(ANGLES) / ANGLES
        ends = {leaf: self._swept[leaf].piece.rim() for leaf in leaves}
        found = {}
        for a, first in ends.items():
            for b, second in ends.items():
                gaps = np.linalg.norm(first[:, None] - second, axis=2).min(axis=1)
                shared = first[gaps < 1e3 * self._near]
                if a < b and len(shared):
                    r, z = np.repeat(shared, ANGLES, axis=0).T
                    found[a, b] = self._turned(r, z, np.tile(angles, len(shared)))
        return found

    def _turned(self, r: Array, z: Array, angle: Array) -> Array:
        x, y = self.axis
        return np.stack([x + r * np.cos(angle), y + r * np.sin(angle), z], axis=1)

    @property
    def _near(self) -> float:
        lower, upper = map(np.array, self.profile.bounding_box)
        return NEAR * float(np.abs([lower, upper]).max())

    @cached_property
    def _outline(self) -> dict[str, PlanePiece]:
        """Pieces of the profile of positive measure."""
        found = {}
        for leaf, piece in self.profile.pieces.items():
            if piece.measure > 0:
                assert isinstance(piece, PlanePiece)  # all pieces of shapes of the plane are
                found[leaf] = piece
        return found

    @cached_property
    def _swept(self) -> dict[str, RevolvedPiece]:
        """Surfaces of all pieces off the axis."""
        middle = np.array([[0.25], [0.5], [0.75]])
        return {
            leaf: RevolvedPiece(piece, self.axis)
            for leaf, piece in self._outline.items()
            if piece.frame(middle)[0][:, 0].max() > self._near
        }

    @property
    def _touches(self) -> bool:
        """Whether the profile has an edge on the axis."""
        return len(self._swept) < len(self._outline)


def _to_piece(piece: PlanePiece, r: Any, z: Any) -> Any:
    """Return the distance of (r, z) to a piece of the profile, shape (n,)."""
    if isinstance(piece, Segment):
        return to_segment(r, z, piece.start, piece.end)
    assert isinstance(piece, Arc)  # other pieces were refused
    half, middle = abs(piece.last - piece.first) / 2, (piece.first + piece.last) / 2
    return to_arc(r - piece.center[0], z - piece.center[1], piece.radius, middle, half)
