"""Checks of the numbers a shape is made of, and their exact symbolic value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sciml.framework.errors import GeometryError

if TYPE_CHECKING:
    import sympy

# Lengths below this count as zero under a square root, so that its derivative stays finite; a
# power of two, whose square float32 can still hold.
TINY = 2.0**-60


def finite(shape: str, name: str, value: float) -> float:
    """Return a coordinate or size as float; refuse what is not a finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise GeometryError(f"{shape}: {name} must be a number [m], got {value!r}") from None
    if not math.isfinite(number):
        raise GeometryError(f"{shape}: {name} must be finite, got {number}; give a size in [m]")
    return number


def point(shape: str, name: str, value: tuple[float, ...], dimension: int) -> tuple[float, ...]:
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


def positive(shape: str, name: str, value: float) -> float:
    """Return a size as float; refuse zero and negative ones."""
    number = finite(shape, name, value)
    if number <= 0:
        raise GeometryError(f"{shape}: {name} must be positive, got {number}")
    return number


def exact(value: float) -> sympy.Rational:
    """Return the decimal number a float stands for, so that symbolic terms cancel exactly."""
    import sympy

    return sympy.Rational(repr(float(value)))
