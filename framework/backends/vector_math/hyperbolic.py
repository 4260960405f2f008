"""sinh, cosh, tanh and the logistic function, from the pieces of `exponential`."""

from __future__ import annotations

from .exponential import LOWEST as EXP_LOWEST
from .exponential import NEGLIGIBLE, exp_in_range, expm1_mantissa, reduce, scaled
from .lanes import Lanes

# sinh and cosh overflow inside these.
HIGHEST = {"f64": 711.0, "f32": 90.0}
# tanh is 1 to the last bit above these.
TANH_ONE = {"f64": 20.0, "f32": 10.0}


def tanh(x: Lanes) -> Lanes:
    """tanh|x| = N / (N + 2 2**-n) with N = 2**-n (exp(2|x|) - 1): one division, no scaling."""
    reduced = reduce(x.abs().clamp(high=TANH_ONE[x.format.name]), scale=2.0)
    inverse = reduced.power_of_two(-1)
    numerator = expm1_mantissa(reduced, inverse)
    return (numerator / (numerator + 2.0 * inverse)).with_sign_of(x)


def sinh(x: Lanes) -> Lanes:
    """sinh|x| = 2**(n-1) (N + q N / (N + q)), N = q (exp|x| - 1), q = 2**-n."""
    name = x.format.name
    limited = x.abs().clamp(high=HIGHEST[name])
    reduced = reduce(limited)
    large = limited > NEGLIGIBLE[name]
    q = x.constant(0.0).where(large, reduced.power_of_two(-1))
    up = expm1_mantissa(reduced, q)
    return scaled(up + q * (up / (up + q)), reduced, -1).with_sign_of(x)


def cosh(x: Lanes) -> Lanes:
    """cosh x = 2**(n-1) (y + 2**-2n / y), y = exp(r)."""
    name = x.format.name
    limited = x.abs().clamp(high=HIGHEST[name])
    reduced = reduce(limited)
    large = limited > NEGLIGIBLE[name]
    y = 1.0 + (reduced.r + reduced.tail())
    q = x.constant(0.0).where(large, reduced.power_of_two(-2))
    return scaled(y + q / y, reduced, -1)


def logistic(x: Lanes) -> Lanes:
    """1 / (1 + exp(-x)), as z / (1 + z) with z = exp(-|x|) where x is negative."""
    z = exp_in_range(-(x.abs().clamp(high=-EXP_LOWEST[x.format.name])))
    numerator = z.where(x < 0.0, 1.0)
    return numerator / (1.0 + z)
