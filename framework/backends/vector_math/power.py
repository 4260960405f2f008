"""pow.

Method: |x|**y = exp(y log|x|), with log|x| and the product as pairs of floats, since an absolute
error of the exponent (up to 745) becomes a relative error of the result. float32 runs in float64,
where one float is enough.
"""

from __future__ import annotations

from .double_double import Pair, fast_two_sum, multiply, two_product, two_sum
from .exponential import LN2_HIGH, LN2_LOW, reduce, scaled
from .lanes import Lanes, Mask, horner
from .logarithm import log_of_parts, normalised, split

# atanh s = s (1 + z/3 + z^2 p(z)), z = s^2 <= 0.02945, relative error 2^-72.9.
ATANH_TAIL = (
    0.19999999999999998, 0.14285714285717302, 0.11111111109849885, 0.09090909320004562,
    0.07692285375803173, 0.06667919502338439, 0.05841808102534455, 0.0596101557631501,
)  # fmt: skip
THIRD = (0.3333333333333333, 1.850371707708594e-17)
# exp is zero below and overflows above these.
LOWEST, HIGHEST = -747.0, 710.0


def _log_pair(k: Lanes, m: Lanes) -> Pair:
    """k ln 2 + log m for m in [sqrt(1/2), sqrt(2)], relative error about 2^-65."""
    numerator, denominator = m.minus(1.0), two_sum(m, m.constant(1.0))
    s_high = numerator / denominator.high
    back = two_product(s_high, denominator.high)
    s_low = (numerator.minus(back.high).minus(back.low) - s_high * denominator.low) / (
        denominator.high
    )
    s = Pair(s_high, s_low)
    z = multiply(s, s)
    third = Pair(m.constant(THIRD[0]), m.constant(THIRD[1]))
    cubic = multiply(z, third)
    series = fast_two_sum(cubic.high, z.high.times(z.high).times(horner(z.high, ATANH_TAIL)))
    correction = multiply(s, Pair(series.high, series.low + cubic.low))
    half_log = fast_two_sum(s_high, correction.high)
    low = 2.0 * (half_log.low + (s_low + correction.low))
    total = two_sum(k.times(LN2_HIGH["f64"]), half_log.high.times(2.0))
    return fast_two_sum(total.high, total.low + (low + k * LN2_LOW["f64"]))


def _is_integer_and_odd(y: Lanes) -> tuple[Mask, Mask]:
    """Is y an integer (infinity counts), and is it an odd one? For float64."""
    size = y.abs()
    carrier = 2.0**y.format.mantissa
    shifted = size.plus(carrier)
    large = size >= carrier
    whole = large | shifted.minus(carrier).equals(size)
    unit = shifted.bits().where(size < carrier, size.bits()) & 1
    return whole, unit.is_nonzero() & whole & (size < 2.0 * carrier)


def power(x: Lanes, y: Lanes) -> Lanes:
    """x**y with the special values of C99 Annex F (F.9.4.4)."""
    if x.format.name == "f32":
        return _power(x.to_double(), y.to_double(), single=True).to_single()
    return _power(x, y, single=False)


def _exponent(size: Lanes, y: Lanes, single: bool) -> Pair:
    """y log(size) with size >= 0, limited to where exp is neither zero nor infinite."""
    infinity = float("inf")
    normal, shift = normalised(size)
    parts = split(normal)
    k = parts.k.plus(shift)
    if single:
        log = Pair(log_of_parts(k, parts.m.minus(1.0)), size.constant(0.0))
    else:
        log = _log_pair(k, parts.m)
    high = log.high.where(size < infinity, size)
    high = high.constant(-infinity).where(size.equals(0.0), high)
    if single:
        return Pair((y * high).clamp(LOWEST, HIGHEST), log.low)
    exact = two_product(y, high)
    low = exact.low + y * log.low
    inside = (exact.high > LOWEST) & (exact.high < HIGHEST)
    return Pair(exact.high.clamp(LOWEST, HIGHEST), low.where(inside, 0.0))


def _power(x: Lanes, y: Lanes, single: bool) -> Lanes:
    infinity, nan = float("inf"), float("nan")
    size = x.abs()
    exponent = _exponent(size, y, single)
    reduced = reduce(exponent.high, low=exponent.low)
    result = scaled(1.0 + (reduced.r + reduced.tail()), reduced)
    whole, odd = _is_integer_and_odd(y)
    left = x.bits().is_negative()
    result = (-result).where(left & odd, result)
    result = result.constant(nan).where((x < 0.0) & (x > -infinity) & ~whole, result)
    result = result.constant(nan).where(x.is_nan() | y.is_nan(), result)
    unit = size.equals(1.0) & y.abs().equals(infinity)
    return result.constant(1.0).where(y.equals(0.0) | x.equals(1.0) | unit, result)
