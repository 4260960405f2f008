"""The region inside a curve given by a function."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from sciml.framework.errors import GeometryError

from . import sizes
from .built_shape import BuiltShape
from .curved_shape import CurvedShape
from .path_piece import Path, PathPiece
from .plane_shape import area

# Parameters at which a path is looked at before it is followed.
LOOKS = 129


@final
@dataclass(frozen=True)
class ParametricShape(BuiltShape):
    """The region inside the closed curve (x(t), y(t)), with the part ``curve``.

    Where the curve begins in another direction than it ends, that is ``corners.0``.

    Parameters
    ----------
    path
        Function of t that returns x and y [m], of the shape of t, made of functions of
        `sciml.framework`. It is smooth, with a velocity that is nowhere zero, and may be walked in
        either sense.
    first, last
        Parameters between which it closes, first < last.

    Raises
    ------
    GeometryError
        If the parameters are not in order, or the curve is open or crosses itself.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> egg = ParametricShape(lambda t: (sf.cos(t) + 0.1 * sf.cos(2 * t), sf.sin(t)))
    >>> round(egg.measure, 10)
    3.1415926536
    """

    path: Path
    first: float = 0.0
    last: float = 2 * math.pi

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", sizes.finite("ParametricShape", "first", self.first))
        object.__setattr__(self, "last", sizes.finite("ParametricShape", "last", self.last))
        if not self.first < self.last:
            raise GeometryError(
                f"ParametricShape: first must be below last, got {self.first} and {self.last}"
            )
        self._check_path()
        _ = self.built  # refuses an open or crossing curve

    def _check_path(self) -> None:
        """Refuse what is no function of t to two finite coordinates, or stands still."""
        path: object = self.path
        if not callable(path):
            raise GeometryError(
                f"ParametricShape: path must be a function of t, got {path!r}; give for example "
                "lambda t: (sf.cos(t), sf.sin(t)) with sciml.framework as sf"
            )
        t = np.linspace(self.first, self.last, LOOKS)
        with np.errstate(all="ignore"):
            found = path(t)
        if not isinstance(found, tuple) or len(found) != 2:
            raise GeometryError(
                f"ParametricShape: the path must return two coordinates (x, y), got {found!r}"
            )
        X = np.stack([np.asarray(c, dtype=float) + 0.0 * t for c in found], axis=1)
        steps = np.diff(X, axis=0)
        for wrong, what in (
            (~np.isfinite(X[:-1]).all(axis=1) | ~np.isfinite(X[1:]).all(axis=1), "is not finite"),
            (np.abs(steps).max(axis=1) == 0, "stands still"),
        ):
            if wrong.any():
                raise GeometryError(
                    f"ParametricShape: the path {what} near t = {t[int(np.argmax(wrong))]:.6g}"
                )

    @cached_property
    def built(self) -> CurvedShape:
        piece = PathPiece(self.path, self.first, self.last)
        return CurvedShape({"curve": piece.reversed() if area([piece]) < 0 else piece})
