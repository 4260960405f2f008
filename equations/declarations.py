"""Coefficients declared as fields of an equation: symbol, unit, range and meaning in one place."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import sympy

from sciml.framework.errors import EquationError

from .given import source_of

_KEY = "coefficient"


@dataclass(frozen=True)
class Declaration:
    """What is known of a coefficient before it has a value.

    Parameters
    ----------
    symbol
        Its letter in formulas, such as ``nu``.
    unit
        SI unit.
    meaning
        What it is, in words.
    positive
        Whether a number must be positive.
    between
        Open interval a number must lie in, or None.
    constant
        Whether it must not depend on the coordinates.
    vector
        Whether it has one component per space coordinate.
    """

    symbol: str
    unit: str
    meaning: str
    positive: bool
    between: tuple[float, float] | None
    constant: bool
    vector: bool

    def check(self, value: sympy.Expr, coordinates: tuple[sympy.Symbol, ...], where: str) -> None:
        """Refuse a value out of range; ``where`` names the coefficient.

        Raises
        ------
        EquationError
            If a number is out of range, or a value that must be constant is not.
        """
        if self.positive and value.is_number and not value.is_positive:
            raise EquationError(f"{where} must be positive [{self.unit}], got {value}")
        if self.between is not None and value.is_number:
            low, high = self.between
            if not ((value - low).is_positive and (high - value).is_positive):
                raise EquationError(f"{where} must be in ({low:g}, {high:g}), got {value}")
        self._check_range(value, where)
        if self.constant and value.has(*coordinates):
            raise EquationError(f"{where} must be constant, got {value}")

    def _check_range(self, value: sympy.Expr, where: str) -> None:
        """Refuse a table or an unknown number that can go out of range."""
        source = source_of(value)
        if source is None or source.range is None:
            return
        low, high = source.range
        least, most = self.between or (0.0 if self.positive else -math.inf, math.inf)
        # An unknown number never reaches its bounds; a table has the values it holds.
        if low < least or high > most or (not source.trainable and low == least):
            raise EquationError(
                f"{where} must be in ({least:g}, {most:g}) [{self.unit}], but its values go from "
                f"{low:g} to {high:g}; give other bounds or values"
            )


def coefficient(
    symbol: str,
    unit: str,
    default: object,
    meaning: str = "",
    positive: bool = False,
    between: tuple[float, float] | None = None,
    constant: bool = False,
) -> Any:
    """Return a dataclass field that declares a coefficient of an equation.

    Parameters
    ----------
    symbol
        Its letter in formulas; a vector's components get the coordinates as index.
    unit
        SI unit.
    default
        Value if none is given; a tuple makes it a vector, of which ``()`` is the zero vector.
    meaning
        What it is, in words.
    positive, between, constant
        What a value must be, as in `Declaration`.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Rod:
    ...     area: float = coefficient("A", "m^2", 1.0, "cross-section", positive=True)
    >>> declared(Rod)["area"].unit
    'm^2'
    """
    declaration = Declaration(
        symbol, unit, meaning, positive, between, constant, isinstance(default, tuple)
    )
    return field(default=default, metadata={_KEY: declaration})


def declared(equation: Any) -> Mapping[str, Declaration]:
    """Return the declared coefficients of an equation or its class, by field name."""
    return {f.name: f.metadata[_KEY] for f in fields(equation) if _KEY in f.metadata}
