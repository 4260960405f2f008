"""Coefficient functions in coordinates of another size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from .given import CoefficientFunction


@final
@dataclass(frozen=True)
class Rescaled(CoefficientFunction):
    """k(a_1 x_1, a_2 x_2, ...) for a function k of the coordinates.

    Parameters
    ----------
    source
        k.
    factors
        a_i, one for each coordinate of k.
    coordinates
        Names of these coordinates.
    name
        Its name in formulas where none is declared.

    Examples
    --------
    >>> from sciml.equations import Given
    >>> Rescaled(Given(lambda X: X[:, 0] ** 2), (3.0,), ("x",))(None, np.array([[2.0]]))
    array([36.])
    """

    source: CoefficientFunction
    factors: tuple[float, ...]
    coordinates: tuple[str, ...]
    name: str = ""

    @property
    def over(self) -> tuple[str, ...]:
        return self.coordinates

    @property
    def trainable(self) -> bool:
        return self.source.trainable

    @property
    def range(self) -> tuple[float, float] | None:
        return self.source.range

    @property
    def smoothness(self) -> int | None:
        return self.source.smoothness

    def initialise(self) -> Any:
        return self.source.initialise()

    def __call__(self, parameters: Any, X: Any) -> Any:
        return self.source(parameters, X * np.array(self.factors, X.dtype))

    def check(self, X: np.ndarray, where: str) -> None:
        """Refuse points at which k has no value."""
        self.source.check(X * np.array(self.factors), where)
