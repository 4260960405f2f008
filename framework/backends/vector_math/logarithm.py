"""log and log1p.

Method: x = 2**k m with m in [sqrt(1/2), sqrt(2)), f = m - 1, s = f / (2 + f), and
log m = 2 atanh(s) = f - (f^2/2 - s (f^2/2 + s^2 L(s^2))), the arrangement of Ng (fdlibm, 1993)
that keeps the leading term exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from .exponential import LN2_HIGH, LN2_LOW
from .lanes import Bits, Lanes, horner

SQRT_HALF_BITS = {"f64": 0x3FE6A09E667F3BCD, "f32": 0x3F3504F3}

# L with max |s^2 error / 2| 2^-59.5 (f64) and 2^-30.2 (f32) on s^2 <= 0.02945.
TAIL = {
    "f64": (
        0.6666666666666735, 0.3999999999941305, 0.2857142874279168, 0.22222198528006634,
        0.1818356684853575, 0.15313981885258654, 0.14796675548393268,
    ),
    "f32": (0.6666677594184875, 0.3997752368450165, 0.2987223267555237),
}  # fmt: skip


@dataclass(frozen=True)
class Split:
    """x = 2**k m; `biased` is k plus the exponent bias."""

    k: Lanes
    m: Lanes
    biased: Bits


def split(x: Lanes) -> Split:
    """Exponent and mantissa of positive normal x."""
    format = x.format
    root = SQRT_HALF_BITS[format.name]
    word = x.bits() + (format.one_bits - root)
    biased = word >> format.mantissa
    m = ((word & ((1 << format.mantissa) - 1)) + root).floats()
    # An integer below 2**mantissa, put in the low bits of 2**mantissa, is that float sum.
    carrier = 2.0**format.mantissa
    k = (biased | ((format.bias + format.mantissa) << format.mantissa)).floats()
    return Split(k.minus(carrier + format.bias), m, biased)


def log_of_parts(k: Lanes, f: Lanes, correction: Lanes | None = None) -> Lanes:
    """k ln 2 + log(1 + f) + correction."""
    name = f.format.name
    s = f / (2.0 + f)
    z = s * s
    half_square = 0.5 * f * f
    low = s * (half_square + z * horner(z, TAIL[name])) + k * LN2_LOW[name]
    if correction is not None:
        low = low + correction
    return k * LN2_HIGH[name] + (f - (half_square - low))


def normalised(x: Lanes) -> tuple[Lanes, Lanes]:
    """x made normal by a power of two, and that power's exponent (negated) to add to k."""
    shift = x.format.mantissa + 2
    tiny = x < x.format.smallest_normal
    return (x * 2.0**shift).where(tiny, x), x.constant(-shift).where(tiny, 0.0)


def log(x: Lanes) -> Lanes:
    """log(x): -inf at zero, NaN below."""
    normal, shift = normalised(x)
    parts = split(normal)
    result = log_of_parts(parts.k.plus(shift), parts.m.minus(1.0))
    result = result.where(x < float("inf"), x)
    result = x.constant(float("-inf")).where(x.equals(0.0), result)
    return x.constant(float("nan")).where(x < 0.0, result)


def log1p(x: Lanes) -> Lanes:
    """log(1 + x), to full relative precision near zero.

    u = fl(1 + x) with the rounding error c of that sum (two-sum, Knuth 1969); u = 2**k m; the
    argument of the series is f = (m - 1) + 2**-k c, rounded, and its rounding error is added.
    """
    format = x.format
    u = x.plus(1.0)
    back = u.minus(x)
    c = x.minus(u.minus(back)).plus(x.constant(1.0).minus(back))
    parts = split(u)
    inverse = ((2 * format.bias - parts.biased) << format.mantissa).floats()
    low = (c * inverse).where(x < 2.0 ** (format.mantissa + 8), 0.0)
    high = parts.m.minus(1.0)
    f = high.plus(low)
    result = log_of_parts(parts.k, f, low.minus(f.minus(high)))
    result = result.where(x < float("inf"), x)
    result = x.constant(float("-inf")).where(x.equals(-1.0), result)
    return x.constant(float("nan")).where(x < -1.0, result.with_sign_of(x))
