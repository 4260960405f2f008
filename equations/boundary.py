"""What the conditions need of a geometry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
import sympy


class Sample(Protocol):
    """Points of a part, shape (n, d), with outward unit normals."""

    @property
    def points(self) -> np.ndarray: ...

    @property
    def normals(self) -> np.ndarray: ...


class Boundary(Protocol):
    """A shape with named parts, their factors and points on them."""

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]: ...

    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]: ...

    def resolve(self, part: str) -> tuple[str, ...]: ...

    def boundary_measure(self, part: str) -> float: ...

    def boundary_factor(
        self, part: str | Iterable[str], coordinates: Sequence[sympy.Symbol] | None
    ) -> sympy.Expr: ...

    def boundary_extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol] | None
    ) -> sympy.Expr: ...

    def sample_boundary(self, part: str, n: int) -> Sample: ...

    def boundary_quadrature(self, part: str, n: int) -> Sample: ...

    def rim(self, part: str) -> np.ndarray: ...
