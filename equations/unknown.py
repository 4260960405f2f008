"""Coefficients that are found by training: numbers, and functions with parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import sympy

import sciml.framework as framework
from sciml.framework.errors import EquationError

from .given import CoefficientFunction, CoefficientSource, UnknownSymbol


@final
@dataclass(frozen=True)
class UnknownParameter(CoefficientSource):
    """A constant to be found, together with the solution, from values of it that are known.

    Training changes a number z that starts at 0. With z' = z + const., so that z = 0 gives the
    start, the parameter is low + (high - low)/(1 + exp(-z')) between two bounds, and
    low + s log(1 + exp(z')) or high - s log(1 + exp(-z')) with one; without, it is start + s z. s
    is the size of what is left.

    Parameters
    ----------
    start
        First guess, inside the bounds.
    bounds
        Smallest and largest value; None or an infinite one is no bound.
    name
        Its name in formulas and results where none is declared.

    Raises
    ------
    EquationError
        If the start is not inside the bounds.

    Examples
    --------
    >>> float(UnknownParameter(2.0, bounds=(1.0, 5.0)).value(np.zeros(())))
    2.0
    """

    start: float
    bounds: tuple[float | None, float | None] = (None, None)
    name: str = ""

    def __post_init__(self) -> None:
        try:
            low, high = self.range
            start = float(self.start)
        except (TypeError, ValueError):
            raise EquationError(
                "UnknownParameter: expected a number to start from and bounds (low, high), got "
                f"{self.start!r} and {self.bounds!r}"
            ) from None
        if not (math.isfinite(start) and low < start < high):
            raise EquationError(
                f"UnknownParameter: the start must be finite and between the bounds {low:g} and "
                f"{high:g}, got {start:g}"
            )
        object.__setattr__(self, "start", start)
        finite = tuple(b if math.isfinite(b) else None for b in (low, high))
        object.__setattr__(self, "bounds", finite)

    @property
    def trainable(self) -> bool:
        return True

    @property
    def range(self) -> tuple[float, float]:
        low, high = self.bounds
        return -math.inf if low is None else float(low), math.inf if high is None else float(high)

    def initialise(self) -> np.ndarray:
        return np.zeros(())

    def node(self, name: str, coordinates: tuple[sympy.Symbol, ...], where: str) -> sympy.Expr:
        return UnknownSymbol(name, self)

    def value(self, z: Any) -> Any:
        """Return the parameter for the number training changes, shape ()."""
        low, high = self.range
        if math.isfinite(low) and math.isfinite(high):
            share = (self.start - low) / (high - low)
            return low + (high - low) * framework.logistic(z + math.log(share / (1 - share)))
        if math.isfinite(low):
            return low + (self.start - low) * _growing(z)
        if math.isfinite(high):
            return high - (high - self.start) * _growing(-z)
        return self.start + (abs(self.start) or 1.0) * z

    def parameter(self, value: float) -> float:
        """Return the number z of a value between the bounds, the inverse of `value`.

        Raises
        ------
        EquationError
            If the value is not between the bounds.

        Examples
        --------
        >>> UnknownParameter(2.0, bounds=(1.0, 5.0)).parameter(2.0)
        0.0
        """
        low, high = self.range
        if not low < value < high:
            raise EquationError(
                f"UnknownParameter: expected a value between {low:g} and {high:g}, got {value:g}"
            )
        if math.isfinite(low) and math.isfinite(high):
            share, start = ((v - low) / (high - low) for v in (value, self.start))
            return math.log(share / (1 - share)) - math.log(start / (1 - start))
        if math.isfinite(low):
            return _grown((value - low) / (self.start - low))
        if math.isfinite(high):
            return -_grown((high - value) / (high - self.start))
        return (value - self.start) / (abs(self.start) or 1.0)


def _grown(y: float) -> float:
    """Return the z at which `_growing` is y > 0."""
    # log(exp(y) - 1) without overflow
    return y + math.log(-math.expm1(-y)) - math.log(math.expm1(1.0))


def _growing(z: Any) -> Any:
    """Return log(1 + exp(z + z_0)), positive, which is 1 at z = 0."""
    shifted = z + math.log(math.expm1(1.0))
    # log(1 + exp(z)) = max(z, 0) + log(1 + exp(-|z|)), which cannot overflow.
    return framework.maximum(shifted, 0.0 * shifted) + framework.log1p(
        framework.exp(-framework.abs(shifted))
    )


@final
@dataclass(frozen=True, eq=False)
class Given(CoefficientFunction):
    """A function of the coordinates written with `sciml.framework`, such as a network.

    Parameters
    ----------
    function
        Called with points X of the coordinates ``over``, shape (n, d), and before them with the
        parameters where there are some; returns shape (n,) or (n, 1). It must be smooth enough for
        the derivatives the equation takes of it.
    coordinates
        The coordinates it depends on, ``"x y"``; none means all of the equation.
    parameters
        Nested arrays, such as ``network.initialise(0)``.
    trained
        Whether training changes the parameters together with those of the solution.
    name
        Its name in formulas and results where none is declared.

    Raises
    ------
    EquationError
        If it is to be trained and has no parameters.

    Examples
    --------
    >>> k = Given(lambda X: 1 + X[:, 0] ** 2, "x")
    >>> k(None, np.array([[2.0]]))
    array([5.])
    """

    function: Callable[..., Any]
    coordinates: str = ""
    parameters: Any = None
    trained: bool = False
    name: str = ""

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise EquationError(f"Given: expected a function, got {type(self.function).__name__}")
        if self.trained and self.parameters is None:
            raise EquationError("Given: a function that is trained needs parameters=...")

    @property
    def over(self) -> tuple[str, ...]:
        return tuple(self.coordinates.replace(",", " ").split())

    @property
    def trainable(self) -> bool:
        return self.trained

    @property
    def smoothness(self) -> None:
        return None

    @property
    def range(self) -> None:
        return None

    def initialise(self) -> Any:
        return self.parameters

    def check(self, X: np.ndarray, where: str) -> None:
        """Take all points."""

    def __call__(self, parameters: Any, X: Any) -> Any:
        """Return the values at X, shape (n,).

        Raises
        ------
        EquationError
            If the function returns another shape than (n,) or (n, 1).
        """
        result = self.function(X) if self.parameters is None else self.function(parameters, X)
        if len(result.shape) == 2 and result.shape[1] == 1:
            return result[:, 0]
        if len(result.shape) != 1:
            raise EquationError(
                f"Given: the function must return shape (n,) or (n, 1), got {tuple(result.shape)}"
            )
        return result
