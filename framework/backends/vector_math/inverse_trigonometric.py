"""asin, acos, atan and atan2."""

from __future__ import annotations

from .lanes import Lanes, horner

# asin s = s + s^3 P(s^2) on s <= 1/2, relative error 2^-55.7 (f64), 2^-27.6 (f32).
ARCSINE = {
    "f64": (
        0.16666666666666008, 0.07500000000235328, 0.04464285689413973, 0.030381956895661755,
        0.0223718039640724, 0.01735909893545569, 0.013890565131425645, 0.012137613228175971,
        0.006652739637392004, 0.019213739717899195, -0.01576619338671495, 0.03161903375183413,
    ),
    "f32": (
        0.16666753590106964, 0.07495242357254028, 0.04547704756259918, 0.024147814139723778,
        0.04221826046705246,
    ),
}  # fmt: skip
# atan t = t + t^3 P(t^2) on t <= tan(pi/8), relative error 2^-59.3 (f64), 2^-30.5 (f32).
ARCTANGENT = {
    "f64": (
        -0.33333333333333254, 0.19999999999965642, -0.14285714281175554, 0.11111110824873256,
        -0.09090898796688242, 0.07692076682391889, -0.06663273416429148, 0.058490173483565305,
        -0.05043999701269591, 0.03817555504975491, -0.018020994060320657,
    ),
    "f32": (
        -0.33333316445350647, 0.1999848484992981, -0.1424376517534256, 0.10595356673002243,
        -0.060817427933216095,
    ),
}  # fmt: skip

# Each constant as the nearest float and what is left of it.
HALF_PI = {
    "f64": (1.5707963267948966, 6.123233995736766e-17),
    "f32": (1.5707963705062866, -4.371138828673793e-08),
}
PI = {name: (2 * high, 2 * low) for name, (high, low) in HALF_PI.items()}
QUARTER_PI = {name: (high / 2, low / 2) for name, (high, low) in HALF_PI.items()}
THREE_QUARTERS_PI = {
    "f64": (2.356194490192345, 9.184850993605148e-17),
    "f32": (2.356194496154785, -5.962440319251527e-09),
}
TAN_EIGHTH_PI = 0.41421356237309503
TAN_THREE_EIGHTHS_PI = 2.414213562373095


def _arcsine_parts(size: Lanes) -> tuple[Lanes, Lanes, Lanes, Lanes]:
    """s, s P' (asin s = s + s P'), the leading half of s, and s - that half.

    s = size below one half, else sqrt((1 - size)/2), whose rounding error is recovered from
    z - s_high^2, exact because s_high has half the bits.
    """
    format = size.format
    small = size < 0.5
    z = (size * size).where(small, 0.5 * (1.0 - size))
    s = size.where(small, z.sqrt())
    keep = -1 << (format.mantissa // 2 + 1)
    high = (s.bits() & keep).floats()
    rest = (z - high * high) / ((s + high) + 1e-30)
    return s, s * (z * horner(z, ARCSINE[format.name])), high, rest


def asin(x: Lanes) -> Lanes:
    """asin(x) = pi/2 - 2 asin(sqrt((1 - x)/2)) above one half; NaN outside [-1, 1]."""
    size = x.abs()
    s, series, high, rest = _arcsine_parts(size)
    half_high, half_low = HALF_PI[x.format.name]
    main = x.constant(half_high).minus(2.0 * high)
    error = x.constant(half_high).minus(main).minus(2.0 * high)
    large = main - ((2.0 * series - (half_low - 2.0 * rest)) - error)
    return (s + series).where(size < 0.5, large).with_sign_of(x)


def acos(x: Lanes) -> Lanes:
    """acos(x) = pi/2 - asin(x), or 2 asin(sqrt((1 - |x|)/2)) or pi minus it."""
    name = x.format.name
    size = x.abs()
    _, series, high, rest = _arcsine_parts(size)
    half_high, half_low = HALF_PI[name]
    central = half_high - (x - (half_low - series.with_sign_of(x)))
    near_one = 2.0 * (high + (rest + series))
    near_minus_one = 2.0 * (half_high - (high + ((rest + series) - half_low)))
    outer = near_minus_one.where(x < 0.0, near_one)
    return central.where(size < 0.5, outer)


def _series(t: Lanes) -> Lanes:
    """atan(t) - t for |t| <= tan(pi/8)."""
    square = t * t
    return t * (square * horner(square, ARCTANGENT[t.format.name]))


def atan(x: Lanes) -> Lanes:
    """atan(x) = c + atan(t): t = x, (x - 1)/(x + 1) or -1/x with c = 0, pi/4 or pi/2."""
    name = x.format.name
    size = x.abs()
    small, large = size < TAN_EIGHTH_PI, size > TAN_THREE_EIGHTHS_PI
    above = x.constant(-1.0).where(large, size - 1.0)
    below = size.where(large, size + 1.0)
    t = size.where(small, above / below)
    high, low = (
        x.constant(0.0).where(small, x.constant(HALF_PI[name][part]).where(large, quarter))
        for part, quarter in enumerate(QUARTER_PI[name])
    )
    return (high + (t + (low + _series(t)))).with_sign_of(x)


def atan2(y: Lanes, x: Lanes) -> Lanes:
    """The angle of the point (x, y), in [-pi, pi]; zeros and infinities as in C99 Annex F.

    a = |y|, b = |x|: atan(a/b) = c + atan(t), t = a/b, (a - b)/(a + b) or -b/a; one division.
    For negative x the angle is pi - c - atan(t). Both are scaled by a power of two where a + b
    would overflow or a product with b would be a rounded denormal.
    """
    name = x.format.name
    huge, tiny = x.format.smallest_normal**-1 / 4, x.format.smallest_normal * 4
    infinite = y.abs().equals(float("inf")) & x.abs().equals(float("inf"))
    scale = x.constant(0.25).where((y.abs() > huge) | (x.abs() > huge), 1.0)
    lift = 2.0 ** (x.format.mantissa + 4)
    scale = x.constant(lift).where((y.abs() < tiny) & (x.abs() < tiny), scale)
    a = x.constant(1.0).where(infinite, y.abs() * scale)
    b = x.constant(1.0).where(infinite, x.abs() * scale)
    small, large = a < TAN_EIGHTH_PI * b, a > TAN_THREE_EIGHTHS_PI * b
    above = a.where(small, (-b).where(large, a - b))
    below = b.where(small, a.where(large, a + b))
    both_zero = (a + b).equals(0.0)
    t = x.constant(0.0).where(both_zero, above / x.constant(1.0).where(both_zero, below))
    small = small | both_zero
    left = x.bits().is_negative()
    angle = []
    for part in (0, 1):
        right_side = x.constant(QUARTER_PI[name][part]).where(~small, 0.0)
        left_side = x.constant(THREE_QUARTERS_PI[name][part]).where(~small, PI[name][part])
        middle = left_side.where(left, right_side)
        angle.append(x.constant(HALF_PI[name][part]).where(large, middle))
    t_series = _series(t)
    turned, turned_series = (-t).where(left, t), (-t_series).where(left, t_series)
    result = angle[0] + (turned + (angle[1] + turned_series))
    return result.with_sign_of(y)
