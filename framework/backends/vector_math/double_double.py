"""Numbers as unevaluated sums of two floats, for the logarithm inside `pow`.

Products are split by masking the low half of the mantissa (instead of Veltkamp's product), so
every partial product is exact and the result is the same whether or not a fused multiply-add is
used. References: Dekker (1971), Knuth (1969, 4.2.2).
"""

from __future__ import annotations

from dataclasses import dataclass

from .lanes import Lanes


@dataclass(frozen=True)
class Pair:
    """high + low, |low| at most half an ulp of high after normalisation."""

    high: Lanes
    low: Lanes


def two_sum(a: Lanes, b: Lanes) -> Pair:
    """a + b exactly, any order of magnitude."""
    total = a.plus(b)
    b_part = total.minus(a)
    a_part = total.minus(b_part)
    return Pair(total, a.minus(a_part).plus(b.minus(b_part)))


def fast_two_sum(a: Lanes, b: Lanes) -> Pair:
    """a + b exactly, for |a| >= |b|."""
    total = a.plus(b)
    return Pair(total, b.minus(total.minus(a)))


def halves(a: Lanes) -> Pair:
    """a as a sum of two floats with about half the mantissa bits each."""
    keep = -1 << (a.format.mantissa // 2 + 1)
    high = (a.bits() & keep).floats()
    return Pair(high, a.minus(high))


def two_product(a: Lanes, b: Lanes) -> Pair:
    """a b exactly, barring underflow."""
    product = a.times(b)
    x, y = halves(a), halves(b)
    error = x.high * y.high - product
    error = error + x.high * y.low
    error = error + x.low * y.high
    return Pair(product, error + x.low * y.low)


def multiply(a: Pair, b: Pair) -> Pair:
    """a b to about 2^-100, normalised."""
    main = two_product(a.high, b.high)
    return fast_two_sum(main.high, main.low + (a.high * b.low + a.low * b.high))
