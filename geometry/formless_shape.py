"""Shapes given by points or triangles, of which no function in closed form vanishes on a part."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from .geometry import Geometry

if TYPE_CHECKING:
    import sympy


class FormlessShape(Geometry, ABC):
    """A shape whose conditions are imposed softly, without corners that conditions could name."""

    @property
    @abstractmethod
    def told(self) -> str:
        """The shape in messages, such as ``Mesh: 'part.stl' has``."""

    @final
    @property
    def corners(self) -> Mapping[str, tuple[str, str]]:
        return {}

    @final
    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        raise self._no_form("factor")

    @final
    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        raise self._no_form("extension")

    @final
    def _no_form(self, what: str) -> GeometryError:
        return GeometryError(
            f"{self.told} no {what} in closed form; impose the condition softly: leave 'hard' out"
        )

    @final
    def _refuse_traced(self, X: Any) -> None:
        """Refuse points that have no numbers yet where the distance is found by searching."""
        if isinstance(X, framework.Tensor):
            raise GeometryError(
                f"{type(self).__name__}: the distance is found by searching, which cannot be "
                "traced; evaluate it at NumPy points and pass the values on"
            )
