"""Coefficients that are not expressions: functions of the coordinates, and unknown numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, final

import numpy as np
import sympy
from sympy.core.function import AppliedUndef, UndefinedFunction

from sciml.framework.errors import EquationError


class CoefficientSource(ABC):
    """What gives a coefficient its value where no expression does.

    In an expression it is a node that knows its source, so that whoever evaluates the expression
    finds it there.
    """

    name: str

    @property
    @abstractmethod
    def trainable(self) -> bool:
        """Whether its parameters are found by training, together with the solution."""

    @property
    @abstractmethod
    def range(self) -> tuple[float, float] | None:
        """Smallest and largest value it can have; None where that is not known."""

    @abstractmethod
    def initialise(self) -> Any:
        """Return the parameters from which training starts, nested arrays."""

    @abstractmethod
    def node(self, name: str, coordinates: tuple[sympy.Symbol, ...], where: str) -> sympy.Expr:
        """Return the expression that stands for it under a name.

        Raises
        ------
        EquationError
            If it depends on something that is no coordinate; ``where`` names the coefficient.
        """


class CoefficientFunction(CoefficientSource):
    """A function of some of the coordinates."""

    @property
    @abstractmethod
    def over(self) -> tuple[str, ...]:
        """Names of the coordinates it depends on; none means all."""

    @property
    @abstractmethod
    def smoothness(self) -> int | None:
        """Order up to which its derivatives are continuous; None where there is no limit."""

    @abstractmethod
    def __call__(self, parameters: Any, X: Any) -> Any:
        """Return values, shape (n,), at points X with the columns ``over``, shape (n, d)."""

    @abstractmethod
    def check(self, X: np.ndarray, where: str) -> None:
        """Refuse points, shape (n, d), at which it has no value."""

    @final
    def node(self, name: str, coordinates: tuple[sympy.Symbol, ...], where: str) -> sympy.Expr:
        known = {str(c): c for c in coordinates}
        for word in self.over:
            if word not in known:
                raise EquationError(
                    f"{where} depends on {word!r}, expected some of the coordinates "
                    f"{', '.join(known)}"
                )
        arguments = [known[word] for word in self.over] or list(coordinates)
        kind = UndefinedFunction(name, (GivenFunction,), {}, source=self)
        return kind(*arguments)

    @final
    def columns(self, X: Any, coordinates: tuple[str, ...]) -> Any:
        """Return the columns of X it depends on, from points in all coordinates."""
        import sciml.framework as framework

        if not self.over or self.over == coordinates:
            return X
        return framework.stack([X[:, coordinates.index(word)] for word in self.over], axis=1)


class GivenFunction(AppliedUndef):  # type: ignore[misc]
    """An applied function that knows where its values come from, by ``func.source``."""


class UnknownSymbol(sympy.Symbol):  # type: ignore[misc]
    """A number to be found, which knows where its value comes from."""

    source: CoefficientSource

    def __new__(cls, name: str, source: CoefficientSource) -> UnknownSymbol:
        symbol: UnknownSymbol = sympy.Symbol.__xnew__(cls, name)
        symbol.source = source
        return symbol

    def _hashable_content(self) -> tuple[Any, ...]:
        return (*super()._hashable_content(), self.source)


def source_of(node: sympy.Expr) -> CoefficientSource | None:
    """Return where the value of a node comes from, None for any other expression."""
    if isinstance(node, GivenFunction):
        return node.func.source  # type: ignore[no-any-return]
    return node.source if isinstance(node, UnknownSymbol) else None


def sources(*expressions: sympy.Expr) -> Mapping[str, sympy.Expr]:
    """Return the nodes with a source in expressions, by name.

    Raises
    ------
    EquationError
        If two different ones have one name.
    """
    found: dict[str, sympy.Expr] = {}
    for expression in expressions:
        for node in sorted(expression.atoms(GivenFunction, UnknownSymbol), key=str):
            name = node.func.__name__ if isinstance(node, GivenFunction) else node.name
            other = found.setdefault(name, node)
            if source_of(other) != source_of(node):
                raise EquationError(
                    f"two different coefficients have the name {name!r}; give each its own by name="
                )
    return found


def trained(*expressions: sympy.Expr) -> dict[str, CoefficientSource]:
    """Return the sources in expressions that training changes, by name."""
    found = {name: source_of(node) for name, node in sources(*expressions).items()}
    return {name: source for name, source in found.items() if source and source.trainable}
