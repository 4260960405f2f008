"""Arguments reduced modulo pi/2, against mpmath."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import mp, mpf

from sciml.framework.backends.vector_math.reduction import (
    HALF_PI,
    LIMIT,
    PI_PARTS,
    TWO_OVER_PI,
    cody_waite,
    large_quadrants,
)

from .harness import DTYPES, compiled_formula, native_width
from .points import every_binade, near_quarter_turns
from .test_accuracy import UNFUSED


def test_constants():
    with mp.workprec(2000):
        assert int(mp.floor(2 / mp.pi * mpf(2) ** 1280)) == TWO_OVER_PI
        for kind, digits in (("f64", 130), ("f32", 58)):
            assert abs(sum(map(mpf, PI_PARTS[kind])) - mp.pi) < mpf(2) ** -digits


def _angle(x):
    """x - n pi/2 for the nearest n."""
    with mp.workprec(1300):
        quarter = mp.pi / 2
        return mpf(x) - mp.nint(mpf(x) / quarter) * quarter


@pytest.mark.parametrize("cpu", ["", UNFUSED])
@pytest.mark.parametrize("kind", ["f64", "f32"])
def test_moderate_arguments_keep_twice_the_digits_next_to_multiples(kind, cpu):
    x = near_quarter_turns(kind)
    x = x[np.abs(x) < LIMIT[kind] / 2]
    parts = [
        compiled_formula(
            lambda x, part=part: getattr(cody_waite(x, HALF_PI, 0.0), part),
            1, kind, native_width(kind), cpu,
        )(x)
        for part in ("r", "rest")
    ]  # fmt: skip
    epsilon = float(np.finfo(DTYPES[kind]).eps)
    for argument, r, rest in zip(x.tolist(), *(part.tolist() for part in parts), strict=True):
        exact = _angle(argument)
        with mp.workprec(200):
            error = abs(mpf(r) + mpf(rest) - exact)
            assert error <= 0.13 * epsilon * abs(exact), argument


@pytest.mark.parametrize("kind", ["f64", "f32"])
def test_large_arguments_are_reduced_to_half_an_ulp(kind):
    x = np.concatenate([every_binade(kind, 4, seed=9), near_quarter_turns(kind)])
    x = x[np.abs(x) >= LIMIT["f64"] / 2]
    got = compiled_formula(lambda x: large_quadrants(x)[0], 1, kind, native_width(kind))(x)
    for argument, r in zip(x.tolist(), got.tolist(), strict=True):
        exact = _angle(argument)
        ulp = math.ulp(float(exact)) if kind == "f64" else float(np.spacing(np.float32(abs(r))))
        with mp.workprec(200):
            assert abs(mpf(r) - exact) <= 0.51 * ulp, argument
