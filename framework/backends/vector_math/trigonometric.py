"""sin, cos and tan.

sin and cos reduce to |r| <= pi/2 by multiples of pi, so that one odd polynomial serves:
sin r = r + r^3 S(r^2). tan reduces to |r| <= pi/4 and divides sin by cos, or cos by sin.
"""

from __future__ import annotations

from dataclasses import replace

from .lanes import Bits, Lanes, Mask, horner
from .reduction import HALF_PI, PI, large_quadrants, tiers

# S on r^2 <= 2.4676, relative error of the sine 2^-61.5 (f64), 2^-27.3 (f32).
SINE = {
    "f64": (
        -0.16666666666666666, 0.008333333333333219, -0.00019841269841216252,
        2.755731921213794e-06, -2.50521069516215e-08, 1.6058943198771184e-10,
        -7.643073070794749e-13, 2.721956471232856e-15,
    ),
    "f32": (
        -0.16666659712791443, 0.00833306647837162, -0.0001980959059437737, 2.6057546165247913e-06,
    ),
}  # fmt: skip
# S on r^2 <= 0.6170, 2^-58.0 (f64), 2^-28.1 (f32).
SHORT_SINE = {
    "f64": (
        -0.16666666666666632, 0.00833333333332241, -0.0001984126982980496,
        2.7557313690862444e-06, -2.5050757942261274e-08, 1.5896785255073592e-10,
    ),
    "f32": (-0.16666655242443085, 0.008332177996635437, -0.00019517244072631001),
}  # fmt: skip
# C in cos r = 1 - r^2/2 + r^4 C(r^2) on r^2 <= 0.6170, 2^-63.6 (f64), 2^-33.3 (f32).
SHORT_COSINE = {
    "f64": (
        0.04166666666666665, -0.0013888888888881259, 2.480158729341384e-05,
        -2.7557315375287113e-07, 2.0875850380695537e-09, -1.1365731789036225e-11,
    ),
    "f32": (0.04166664555668831, -0.001388736767694354, 2.4438411855953746e-05),
}  # fmt: skip


def _sine(r: Lanes, flip: Bits) -> Lanes:
    """sin(r) for |r| <= pi/2, its sign changed where the top bit of `flip` is set.

    Rounding near pi/2 could pass one by an ulp; callers rely on |sin| <= 1.
    """
    size = r.abs()
    square = size * size
    value = size + size * (square * horner(square, SINE[r.format.name]))
    value = value.clamp(high=1.0)
    sign = (r.bits() ^ flip) & r.format.sign_bit
    return (value.bits() ^ sign).floats()


def _turned_sine(x: Lanes, quarter: int) -> Lanes:
    """sin(x + quarter pi/2), quarter = 0 or 1."""
    top = x.format.bits - 1

    def finish(r: Lanes, rest: Lanes, count: Bits) -> tuple[Lanes, Bits]:
        del rest  # below half an ulp of r
        return r, count << top

    def large() -> tuple[Lanes, Bits]:
        angle, count = large_quadrants(x)
        turns = count + quarter
        odd = (turns & 1).is_nonzero()
        angle = angle.constant(HALF_PI).minus(angle.abs()).where(odd, angle)
        return angle, (turns >> 1) << top

    r, flip = tiers(x, PI, -0.5 * quarter, finish, large)
    return _sine(replace(x, value=r), Bits(x.builder, flip, x.format))


def sin(x: Lanes) -> Lanes:
    """sin(x), x in radians."""
    return _turned_sine(x, 0)


def cos(x: Lanes) -> Lanes:
    """cos(x) = sin(x + pi/2); the quarter turn is part of the exact reduction."""
    return _turned_sine(x, 1)


def tan(x: Lanes) -> Lanes:
    """tan(x) = sin(r)/cos(r), or -cos(r)/sin(r) an odd number of quarter turns away."""

    def finish(r: Lanes, rest: Lanes, count: Bits) -> tuple[Lanes, Lanes, Bits]:
        return r, rest, count

    def large() -> tuple[Lanes, Lanes, Bits]:
        angle, count = large_quadrants(x)
        return angle, x.constant(0.0), count

    r, rest, count = tiers(x, HALF_PI, 0.0, finish, large)
    odd = (Bits(x.builder, count, x.format) & 1).is_nonzero()
    return _short_tangent(replace(x, value=r), replace(x, value=rest), odd)


def _short_tangent(r: Lanes, rest: Lanes, odd: Mask) -> Lanes:
    """tan(r + rest + odd pi/2) for |r| <= pi/4."""
    name = r.format.name
    square = r * r
    sine = r + (rest + r * (square * horner(square, SHORT_SINE[name])))
    half = 0.5 * square
    main = half.constant(1.0).minus(half)
    lost = main.constant(1.0).minus(main).minus(half)
    cosine = main + (lost + (square * square * horner(square, SHORT_COSINE[name]) - r * rest))
    sine = sine.with_sign_of(r)
    return (-cosine).where(odd, sine) / sine.where(odd, cosine)
