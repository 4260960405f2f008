"""exp and expm1, and the pieces that every function built on the exponential shares.

Method: x = n ln 2 + r with |r| <= ln(2)/2, exp(r) = 1 + r + r^2 q(r), q a minimax polynomial
(argument reduction of Cody and Waite, 1980, chapter 6).
"""

from __future__ import annotations

from dataclasses import dataclass

from .lanes import Bits, Lanes, horner

LOG2_E = 1.4426950408889634
# The high part has trailing zeros, so that n times it is exact.
LN2_HIGH = {"f64": 0.6931471805598903, "f32": 0.693145751953125}
LN2_LOW = {"f64": 5.497923018708371e-14, "f32": 1.428606765330187e-06}

# q with max |r| |error| 2^-61.7 (f64) and 2^-32.0 (f32) on |r| <= 0.3467.
TAIL = {
    "f64": (
        0.5, 0.16666666666666677, 0.0416666666666667, 0.00833333333332159, 0.0013888888888866655,
        0.00019841269886232548, 2.4801587360849653e-05, 2.755724409966163e-06,
        2.7557242537455975e-07, 2.5109076057109146e-08, 2.0924507152136303e-09,
    ),
    "f32": (
        0.5, 0.1666666716337204, 0.04166635498404503, 0.008333273231983185, 0.0013941036304458976,
        0.00019914279982913285,
    ),
}  # fmt: skip

# exp overflows above, and is zero below, well inside these; `scaled` serves the n between.
HIGHEST = {"f64": 710.0, "f32": 89.0}
LOWEST = {"f64": -746.0, "f32": -104.5}
# Above this argument 2^-n no longer changes a sum with a number near one.
NEGLIGIBLE = {"f64": 44.0, "f32": 20.0}


@dataclass(frozen=True)
class Reduced:
    """x = n ln 2 + r; `shifted` holds n in its low bits."""

    n: Lanes
    r: Lanes
    shifted: Bits

    def tail(self) -> Lanes:
        """exp(r) - 1 - r."""
        return self.r * self.r * horner(self.r, TAIL[self.r.format.name])

    def power_of_two(self, factor: int) -> Lanes:
        """2**(factor n), right while it is a normal number; factor is -1 or -2."""
        format = self.r.format
        shift = format.mantissa + (0 if factor == -1 else 1)
        return (format.one_bits - (self.shifted << shift)).floats()


def reduce(x: Lanes, scale: float = 1.0, low: Lanes | None = None) -> Reduced:
    """Split scale * x + low, `low` below an ulp of x; scale must be a power of two."""
    format = x.format
    shifted = x * (LOG2_E * scale) + format.magic
    n = shifted.minus(format.magic)
    argument = x if scale == 1.0 else x * scale
    small = n * LN2_LOW[format.name]
    small = small if low is None else small - low
    r = (argument - n * LN2_HIGH[format.name]) - small
    return Reduced(n, r, shifted.bits())


def scaled(y: Lanes, reduced: Reduced, offset: int = 0) -> Lanes:
    """y 2**(n + offset), rounded once, also where the result is denormal or overflows.

    The power is the product of two: 4 and 2**(n + offset - 2), or for very negative n
    2**-2k and 2**(n + offset + 2k). Where n is garbage because y is NaN, so is the power, and
    the product is NaN.
    """
    format = y.format
    lift = 128 if format.name == "f64" else 64
    tiny = reduced.n < 100.0 - format.bias
    exponent = y.bits().constant(offset + lift).where(tiny, offset - 2)
    power = (((reduced.shifted + exponent) << format.mantissa) + format.one_bits).floats()
    return (y * y.constant(2.0**-lift).where(tiny, 4.0)) * power


def exp(x: Lanes) -> Lanes:
    """exp(x)."""
    name = x.format.name
    return exp_in_range(x.clamp(LOWEST[name], HIGHEST[name]))


def exp_in_range(x: Lanes) -> Lanes:
    """exp(x) for LOWEST <= x <= HIGHEST."""
    reduced = reduce(x)
    return scaled(1.0 + (reduced.r + reduced.tail()), reduced)


def expm1_mantissa(reduced: Reduced, inverse: Lanes) -> Lanes:
    """2**-n (exp(x) - 1) = (1 - 2**-n) + r + r^2 q(r), with `inverse` = 2**-n.

    The sum of the first two terms is kept exactly (Dekker's fast two-sum, 1971: its first term
    is zero for n = 0 and otherwise at least 1/2, hence larger than r).
    """
    first = inverse.constant(1.0).minus(inverse)
    total = first.plus(reduced.r)
    error = reduced.r.minus(total.minus(first))
    return total + (error + reduced.tail())


def expm1(x: Lanes) -> Lanes:
    """exp(x) - 1, to full relative precision near zero."""
    name = x.format.name
    limited = x.clamp(-NEGLIGIBLE[name], HIGHEST[name])
    reduced = reduce(limited)
    large = limited > NEGLIGIBLE[name]
    inverse = x.constant(0.0).where(large, reduced.power_of_two(-1))
    return scaled(expm1_mantissa(reduced, inverse), reduced).with_sign_of(x)
