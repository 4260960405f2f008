"""Checks of the numbers a shape is made of, and their exact symbolic value.

A size may also be an array or a traced tensor with one number for each point, or a symbol: a shape
of such sizes only states distances or factors.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sciml.framework import Tensor
from sciml.framework.errors import GeometryError

if TYPE_CHECKING:
    import sympy

# Lengths below this count as zero under a square root, so that its derivative stays finite; a
# power of two, whose square float32 can still hold.
TINY = 2.0**-60


def finite(shape: str, name: str, value: Any) -> Any:
    """Return a coordinate or size as float; refuse what is not a finite number.

    Arrays are checked as a whole; tensors and symbols, which have no numbers yet, are passed on.
    """
    if isinstance(value, np.ndarray) and value.ndim:
        if not np.isfinite(value).all():
            raise GeometryError(f"{shape}: {name} must be finite for all points, got {value}")
        return value
    if _is_open(value):
        return value
    try:
        if isinstance(value, str | bool | np.bool_):
            raise TypeError  # Python would take it for a number
        number = float(value)
    except (TypeError, ValueError):
        raise GeometryError(f"{shape}: {name} must be a number [m], got {value!r}") from None
    if not math.isfinite(number):
        raise GeometryError(f"{shape}: {name} must be finite, got {number}; give a size in [m]")
    return number


def point(shape: str, name: str, value: tuple[Any, ...], dimension: int) -> tuple[Any, ...]:
    """Return the coordinates of a point as floats; refuse another number of them."""
    try:
        given = tuple(value)
    except TypeError:
        raise GeometryError(
            f"{shape}: {name} must be {dimension} numbers, for example "
            f"{(0,) * dimension}, got {value!r}"
        ) from None
    if len(given) != dimension:
        raise GeometryError(f"{shape}: {name} must be {dimension} numbers, got {len(given)}")
    return tuple(finite(shape, f"{name}[{i}]", v) for i, v in enumerate(given))


def positive(shape: str, name: str, value: Any) -> Any:
    """Return a size as float; refuse zero and negative ones."""
    number = finite(shape, name, value)
    if not below(0.0, number):
        raise GeometryError(f"{shape}: {name} must be positive, got {number}")
    return number


def below(first: Any, second: Any) -> bool:
    """Return whether one size is below another for all points, as far as they have numbers."""
    if _is_open(first) or _is_open(second):
        return True
    return bool(np.all(np.less(first, second)))


def exact(value: Any) -> sympy.Expr:
    """Return the decimal number a float stands for, so that symbolic terms cancel exactly."""
    import sympy

    if isinstance(value, sympy.Expr) and not value.is_number:
        return value
    return sympy.Rational(repr(float(value)))


def _is_open(value: Any) -> bool:
    """Return whether a size is a traced tensor or a symbol, without a number of its own."""
    if isinstance(value, int | float | str | None):
        return False
    import sympy

    return isinstance(value, Tensor) or (isinstance(value, sympy.Expr) and not value.is_number)
