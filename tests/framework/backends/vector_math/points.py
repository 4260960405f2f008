"""Where the functions are tested: strata of arguments, path thresholds, hard cases."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .harness import DTYPES

Array = NDArray[np.generic]
BINADES = {"f64": range(-1074, 1024), "f32": range(-149, 128)}
PI = math.pi

# Arguments where the code changes path, or where the result reaches the end of its range.
THRESHOLDS = {
    "exp": (709.782712893384, 710.0, 88.72284, 89.0, -708.3964185322641, -745.1332191019411, -746.0,
            -87.33654, -103.97208, -104.5, 0.34657359, -640.0, -18.7, -19.0),
    "expm1": (709.782712893384, 88.72284, 44.0, -44.0, 20.0, -20.0, 0.34657359, -0.34657359,
              1.0397),
    "log": (1.0, 0.7071067811865476, 1.4142135623730951, 2.2250738585072014e-308, 1.1754944e-38),
    "log1p": (-0.2928932188134524, 0.41421356237309515, -0.9999999999999999, -0.99999994, 1.0,
              2.0**60, 2.0**31, 2.0**53, 2.0**24),
    "sin": (12800.0, 100.0, 6400.0, 50.0, 6399.0, 12799.0, 7000.0, PI / 2, PI, 1.5 * PI, 0.5,
            PI / 4),
    "asin": (0.5, 1.0, 0.9999999999999999, 0.99999994, 0.7071067811865476),
    "atan": (0.41421356237309503, 2.414213562373095, 1.0, 0.5),
    "sinh": (710.4758600739439, 711.0, 89.415985, 90.0, 44.0, 20.0, 0.34657359, 1.0397),
    "tanh": (20.0, 10.0, 19.06, 9.01, 0.17328679, 0.5199, 0.549306),
    "logistic": (36.7, 37.0, -36.7, -709.0, -745.1332191019411, -746.0, -88.0, -103.97208, -104.5),
    "erf": (1.0, 5.92158719165783, 6.0, 3.9192059, 4.0, 0.8862269),
}  # fmt: skip
THRESHOLDS |= {"cos": THRESHOLDS["sin"], "tan": THRESHOLDS["sin"], "acos": THRESHOLDS["asin"],
               "cosh": THRESHOLDS["sinh"]}  # fmt: skip

# Domain and, where the function is constant or infinite beyond, how far the mpmath points go.
DOMAINS = {
    "exp": (-760.0, 720.0), "expm1": (-60.0, 720.0), "log": (0.0, math.inf),
    "log1p": (-1.0, math.inf), "asin": (-1.0, 1.0), "acos": (-1.0, 1.0), "sinh": (-720.0, 720.0),
    "cosh": (-720.0, 720.0), "tanh": (-50.0, 50.0), "logistic": (-760.0, 60.0),
    "erf": (-10.0, 10.0), "sqrt": (0.0, math.inf), "rsqrt": (0.0, math.inf),
}  # fmt: skip


def every_binade(kind: str, each: int, seed: int) -> Array:
    """`each` random numbers of every binade, denormals included, of both signs."""
    random = np.random.default_rng(seed)
    exponents = np.repeat(np.array(BINADES[kind]), each)
    numbers = np.ldexp(1.0 + random.random(exponents.size), exponents)
    signs = random.choice([-1.0, 1.0], exponents.size)
    with np.errstate(over="ignore"):
        return (numbers * signs).astype(DTYPES[kind])


def around(numbers: Array, steps: int = 2) -> Array:
    """The numbers and their nearest neighbours."""
    found = [numbers]
    up = down = numbers
    for _ in range(steps):
        up = np.nextafter(up, numbers.dtype.type(np.inf))
        down = np.nextafter(down, numbers.dtype.type(-np.inf))
        found += [up, down]
    return np.concatenate(found)


def near_quarter_turns(kind: str) -> Array:
    """Numbers next to multiples of pi/2, and those closest to one for any exponent.

    6381956970095103 2^797 is the double nearest to a multiple of pi/2 (Muller et al., Handbook of
    Floating-Point Arithmetic, 2010, 11.3); 16367173 2^72 is the float32.
    """
    dtype = DTYPES[kind].type
    limit = 12000
    multiples = np.unique(np.geomspace(1, limit, 300).astype(np.int64))
    hard = [math.ldexp(6381956970095103.0, 797), 5.319372648326541e255] if kind == "f64" else []
    hard += [math.ldexp(16367173.0, 72)]
    numbers = np.concatenate([multiples * (PI / 2), np.array(hard)]).astype(dtype)
    return around(numbers, 1)


def unary_points(name: str, kind: str) -> Array:
    """Some thousands of arguments in the domain of the function."""
    random = np.random.default_rng(sum(map(ord, name)))
    dtype = DTYPES[kind]
    low, high = DOMAINS.get(name, (-math.inf, math.inf))
    wide = [max(low, -1e3), min(high, 1e3)]
    if kind == "f32":
        wide = [max(wide[0], -110.0), min(wide[1], 95.0)]
    parts = [
        every_binade(kind, 2 if kind == "f64" else 8, seed=1),
        random.uniform(*wide, 700).astype(dtype),
        random.uniform(-4.0, 4.0, 900).astype(dtype),
        (random.choice([-1, 1], 700) * np.exp(random.uniform(-5.0, 2.0, 700))).astype(dtype),
    ]
    if name in THRESHOLDS:
        borders = np.array(THRESHOLDS[name], dtype)
        parts.append(around(np.concatenate([borders, -borders])))
    if name in ("sin", "cos", "tan"):
        parts.append(near_quarter_turns(kind))
    if name in ("log", "log1p", "asin", "acos"):
        centre = 0.0 if name == "log1p" else 1.0
        offsets = np.exp(random.uniform(-36.0 if kind == "f64" else -16.0, -1.0, 400))
        parts += [(centre - offsets).astype(dtype), (centre + offsets).astype(dtype)]
    x = np.concatenate(parts)
    if name in ("log", "sqrt", "rsqrt"):
        x = np.abs(x)
    return x[(x >= low) & (x <= high) & (x != 0) & np.isfinite(x) & ((name != "log1p") | (x != -1))]


def binary_points(name: str, kind: str) -> tuple[Array, Array]:
    """Pairs of arguments for pow and atan2."""
    random = np.random.default_rng(5)
    dtype = DTYPES[kind]
    top = 745.0 if kind == "f64" else 104.0
    wide = every_binade(kind, 1 if kind == "f64" else 6, seed=2)
    near = np.exp(random.uniform(-3.0, 3.0, 1500)).astype(dtype)
    signed = near * random.choice([-1, 1], near.size).astype(dtype)
    if name == "atan2":
        factors = np.exp(random.uniform(-2.0, 2.0, wide.size))
        with np.errstate(over="ignore"):
            y = np.concatenate([
                wide, random.permutation(wide), signed, (wide * factors).astype(dtype),
            ])  # fmt: skip
        x = np.concatenate([random.permutation(wide), wide, random.permutation(signed), wide])
        keep = np.isfinite(y) & (y != 0) & (x != 0)
        return y[keep], x[keep]
    base = np.concatenate([np.abs(wide), near, near, (1 + (near - 1) * 1e-4).astype(dtype)])
    target = random.uniform(-top, top, base.size)
    with np.errstate(divide="ignore", over="ignore"):
        y = (target / np.log(base.astype(np.float64))).astype(dtype)
    y[-near.size :: 3] = near[::3]
    y[::7] = np.round(y[::7])
    keep = np.isfinite(y) & (y != 0)
    base, y = base[keep], y[keep]
    whole = np.abs(y) < 2**20
    negative = (y == np.round(y)) & whole
    return np.where(negative, -base, base).astype(dtype), y


def random_bits(kind: str, count: int, seed: int) -> Array:
    """Numbers of uniformly random bit patterns: NaN, infinities and denormals among them."""
    word = np.uint64 if kind == "f64" else np.uint32
    words = np.random.default_rng(seed).integers(0, np.iinfo(word).max, count, word, endpoint=True)
    return words.view(DTYPES[kind])
