"""Solutions that know how far they may be off: mean and standard deviation of every quantity."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, final

from sciml.problem.constraint import Array
from sciml.problem.solution import Quantity, Solution


@final
@dataclass(frozen=True)
class Identified:
    """An unknown number with its standard error.

    Parameters
    ----------
    value : float
        Its value.
    standard_error : float
        Standard deviation of the value, in its unit.

    Examples
    --------
    >>> print(Identified(0.3012, 0.0042))
    0.3012 ± 0.0042
    """

    value: float
    standard_error: float

    def __str__(self) -> str:
        return f"{self.value:.6g} ± {self.standard_error:.2g}"


class Uncertain(ABC):
    """A distribution of solutions, called like one: ``uncertain["w"](x, y)`` is the mean."""

    @property
    @abstractmethod
    def typical(self) -> Solution:
        """One solution of them."""

    @property
    @abstractmethod
    def identified(self) -> dict[str, Identified]:
        """The unknown numbers that were found, by name."""

    @abstractmethod
    def mean(self, name: str, X: Array) -> Array:
        """Return the mean of a quantity at X of shape (n, d), shape (n,)."""

    @abstractmethod
    def deviation(self, name: str, X: Array) -> Array:
        """Return the standard deviation of a quantity at X of shape (n, d), shape (n,)."""

    @final
    @property
    def names(self) -> list[str]:
        """Names of the fields, then of the derived quantities."""
        return self.typical.names

    @final
    def __getitem__(self, name: str) -> UncertainQuantity:
        """Return a field or derived quantity by name.

        Raises
        ------
        EquationError
            If there is none of this name.
        """
        return UncertainQuantity(self, self.typical[name])


@final
@dataclass(frozen=True)
class UncertainQuantity:
    """A field or derived quantity with its standard deviation, called with coordinates.

    Parameters
    ----------
    source : Uncertain
        Where it comes from.
    quantity : Quantity
        Which one.
    """

    source: Uncertain
    quantity: Quantity

    @property
    def unit(self) -> str:
        """Its SI unit."""
        return self.quantity.unit

    def __call__(self, *coordinates: Any) -> Array:
        """Return the mean at coordinates, which are broadcast against each other."""
        X, shape = self.quantity.points(*coordinates)
        return self.source.mean(self.quantity.name, X).reshape(shape)

    def standard_deviation(self, *coordinates: Any) -> Array:
        """Return the standard deviation at coordinates, in the unit of the quantity."""
        X, shape = self.quantity.points(*coordinates)
        return self.source.deviation(self.quantity.name, X).reshape(shape)
