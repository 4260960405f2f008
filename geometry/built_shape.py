"""Shapes of the plane that are stated by another one, with its parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import final

from .named_shape import NamedShape
from .plane_shape import PlaneShape


class BuiltShape(NamedShape, ABC):
    """A shape that another one, `built`, states in full, its names included."""

    @property
    @abstractmethod
    def built(self) -> PlaneShape:
        """The shape this one stands for."""

    @final
    @property
    def names(self) -> Mapping[str, str]:
        return {leaf: leaf for leaf in self.built.pieces}
