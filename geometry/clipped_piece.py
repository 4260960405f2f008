"""What stays of a surface in a combination of two shapes, told point by point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from sciml.framework.errors import GeometryError

from .boundary import BoundaryPoints
from .geometry import Geometry
from .pieces import Piece
from .samplers import unit_points
from .trimming import Rule

Array = np.ndarray

# Points by which a share is counted: of a cut through a square it is then known to about 1e-4.
COUNTED = 2**16
# Step to either side of a surface, as a share of the size, where the other shape is looked at.
STEP = 1e-7
# Points that are looked at at once.
BLOCK = 8192


@final
@dataclass(frozen=True)
class ClippedPiece(Piece):
    """The points of a piece where another shape lies as a rule wants.

    Its measure is counted on `COUNTED` points of a Sobol' sequence. What is cut, to an absolute
    error of about 1e-4 of the whole piece, may have any form.

    Parameters
    ----------
    piece
        The whole piece.
    other
        The other shape.
    wanted
        Which points stay, by the sides of the other shape.
    step
        How far from the piece one looks [m].
    """

    piece: Piece
    other: Geometry
    wanted: Rule
    step: float

    @property
    def measure(self) -> float:
        return self.piece.measure * self.share

    @cached_property
    def share(self) -> float:
        """Measure that stays, as a share of that of the whole piece."""
        unit = unit_points("sobol", COUNTED, (1.0,) * self.parameters, 0)
        whole = self.piece.kept(unit)
        return float(self.kept(unit).sum() / max(1, whole.sum()))

    @property
    def parameters(self) -> int:
        return self.piece.parameters

    def frame(self, unit: Array) -> tuple[Array, Array, Array]:
        points, normals, curvatures = self.piece.frame(unit)
        sign = -1.0 if self.wanted.turned else 1.0
        return points, sign * normals, sign * curvatures

    def kept(self, unit: Array) -> Array:
        found = np.array(self.piece.kept(unit))
        for first in range(0, len(unit), BLOCK):
            here = slice(first, first + BLOCK)
            points, normals, _ = self.piece.frame(unit[here])
            sides = [self._side(points + s * self.step * normals) for s in (1.0, -1.0)]
            found[here] &= [pair in self.wanted.kept for pair in zip(*sides, strict=True)]
        return found

    def rule(self, n: int, part: str) -> BoundaryPoints:
        raise GeometryError(
            f"{part!r} holds a surface that another shape cuts, which has no Gauss rule (asked for "
            f"n = {n}); use 'sample_boundary'"
        )

    def rim(self) -> Array:
        """Return where the whole piece ends."""
        return self.piece.rim()

    def _side(self, X: Array) -> Array:
        """Return 1 outside the other shape, -1 inside, shape (n,)."""
        return np.where(np.asarray(self.other.signed_distance(X)) > 0, 1, -1)


def clipped(
    shape: Geometry, other: Geometry, rule: Rule, size: float
) -> list[tuple[str, ClippedPiece]]:
    """Return the pieces of a shape of which something stays, under their names."""
    found = []
    for name, piece in shape.pieces.items():
        clip = ClippedPiece(piece, other, rule, STEP * size)
        if clip.share > 0:
            found.append((name, clip))
    return found
