"""Elementary functions of complex values by their real and imaginary parts.

Each formula keeps its digits where parts are large, small or equal, and is exact in derivatives
of every order: what is chosen by a condition is chosen before an operation that may fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ..core.dtypes import FLOAT64
from ..errors import TraceError
from . import functions as array
from .complex import Complex
from .tensor import where

__all__ = ["apply"]


def _modulus(z: Complex) -> Any:
    """Return |z| without overflow or underflow of the squares.

    The scale is a power of two, so that it costs no digit, and constant by pieces, so that the
    derivatives of any order are those of sqrt(a^2 + b^2).
    """
    a, b = z.real, z.imag
    limit, far = (500.0, 600.0) if a.dtype == FLOAT64 else (60.0, 100.0)
    largest = array.stop_gradient(array.maximum(array.abs(a), array.abs(b)))
    one = array.ones_like(a)
    down = where(largest > 2.0**limit, 2.0**-far * one, one)
    scale = where(largest < 2.0**-limit, 2.0**far * one, down)
    a, b = a * scale, b * scale
    return array.sqrt(a * a + b * b) / scale


def _exp(z: Complex) -> Complex:
    size = array.exp(z.real)
    return Complex(size * array.cos(z.imag), size * array.sin(z.imag))


def _log(z: Complex) -> Complex:
    return Complex(array.log(_modulus(z)), z.angle())


def _sqrt(z: Complex) -> Complex:
    """Return the root with a real part that is not negative; both parts without cancellation."""
    a, b = z.real, z.imag
    right = a >= 0.0
    larger = array.sqrt(0.5 * _modulus(z) + 0.5 * where(right, a, -a))
    smaller = 0.5 * b / where(larger == 0.0, array.ones_like(a), larger)
    sign = where(b < 0.0, -1.0, array.ones_like(b))
    return Complex(where(right, larger, sign * smaller), where(right, smaller, sign * larger))


def _sin(z: Complex) -> Complex:
    a, b = z.real, z.imag
    return Complex(array.sin(a) * array.cosh(b), array.cos(a) * array.sinh(b))


def _cos(z: Complex) -> Complex:
    a, b = z.real, z.imag
    return Complex(array.cos(a) * array.cosh(b), -(array.sin(a) * array.sinh(b)))


def _tanh(z: Complex) -> Complex:
    """Return (t + i s c (1 - t^2)) / (c^2 + t^2 s^2) with t = tanh a, s = sin b, c = cos b."""
    t, s, c = array.tanh(z.real), array.sin(z.imag), array.cos(z.imag)
    below = c * c + (t * s) ** 2
    return Complex(t / below, s * c * ((1.0 - t) * (1.0 + t)) / below)


def _turned(function: Callable[[Complex], Complex], back: complex) -> Callable[[Complex], Complex]:
    """Return z -> back * function(1j z)."""
    return lambda z: back * function(1j * z)


_FUNCTIONS: Mapping[str, Callable[[Complex], Any]] = MappingProxyType({
    "abs": _modulus, "exp": _exp, "log": _log, "sqrt": _sqrt, "rsqrt": lambda z: 1.0 / _sqrt(z),
    "sin": _sin, "cos": _cos, "tanh": _tanh, "tan": _turned(_tanh, -1j),
    "sinh": _turned(_sin, -1j), "cosh": _turned(_cos, 1.0),
})  # fmt: skip


def apply(name: str, x: Any) -> Any:
    """Apply a one-operand primitive, by name, to a complex operand; branches are the principal."""
    if name not in _FUNCTIONS:
        raise TraceError(
            f"{name} is not defined for complex values; known are {', '.join(sorted(_FUNCTIONS))}"
        )
    return _FUNCTIONS[name](Complex(x))
