"""Shapes of the plane that are stated by another one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, final

import numpy as np

from .pieces import PlanePiece
from .plane_shape import PlaneShape
from .quadrature import Quadrature

Array = np.ndarray


class BuiltShape(PlaneShape, ABC):
    """A shape that another one, `built`, states in full."""

    @property
    @abstractmethod
    def built(self) -> PlaneShape:
        """The shape this one stands for."""

    @final
    @property
    def measure(self) -> float:
        return self.built.measure

    @final
    @property
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return self.built.bounding_box

    @final
    @property
    def pieces(self) -> Mapping[str, PlanePiece]:
        return self.built.pieces

    @final
    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return self.built.corners

    @final
    def signed_distance(self, X: Any) -> Any:
        """Return the distance of `built`, shape (n,)."""
        return self.built.signed_distance(X)

    @final
    def from_unit_cube(self, unit: Array) -> Array:
        """Map as `built` does."""
        return self.built.from_unit_cube(unit)

    @final
    def quadrature(self, n: int) -> Quadrature:
        """Return the rule of `built`."""
        return self.built.quadrature(n)
