"""Shapes that are another one with names of their own for its parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from sciml.framework.errors import GeometryError

from .geometry import Geometry
from .pieces import Piece
from .quadrature import Quadrature

if TYPE_CHECKING:
    import sympy

Array = np.ndarray


class NamedShape(Geometry, ABC):
    """A shape that another one, `built`, states in full but for the names of its parts."""

    @property
    @abstractmethod
    def built(self) -> Geometry:
        """The shape this one stands for."""

    @property
    @abstractmethod
    def names(self) -> Mapping[str, str]:
        """Leaf of `built` under each own name, in order."""

    @final
    @property
    def dimension(self) -> int:
        return self.built.dimension

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
    def pieces(self) -> Mapping[str, Piece]:
        pieces = self.built.pieces
        return {own: pieces[leaf] for own, leaf in self.names.items()}

    @final
    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        own = {leaf: name for name, leaf in self.names.items()}
        return {own[corner]: (own[a], own[b]) for corner, (a, b) in self.built.corners.items()}

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

    @final
    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        names = self.names
        return self.built.boundary_factor([names[leaf] for leaf in leaves], coordinates)

    @final
    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        names = self.names
        own = {names[leaf]: value for leaf, value in values.items()}
        try:
            return self.built.boundary_extension(own, coordinates)
        except GeometryError as error:
            # The message names parts of `built`, which the reader has not heard of.
            text = str(error).replace(type(self.built).__name__, type(self).__name__, 1)
            for name, leaf in names.items():
                text = text.replace(repr(leaf), repr(name))
            raise GeometryError(text) from None
