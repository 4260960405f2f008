"""sqrt and rsqrt, from the CPU's correctly rounded square root and division."""

from __future__ import annotations

from .lanes import Lanes


def sqrt(x: Lanes) -> Lanes:
    """sqrt(x), correctly rounded; NaN below zero, -0 at -0."""
    return x.sqrt()


def rsqrt(x: Lanes) -> Lanes:
    """1 / sqrt(x): infinity with the sign of x at zero."""
    return 1.0 / x.sqrt()
