"""Derive the polynomial coefficients of `sciml.framework.backends.vector_math`.

Run as a script; it prints one tuple per function and format. Not a test, and slow (minutes).

Method: weighted minimax by the exchange algorithm (Remez, 1934) in 60-digit arithmetic. For a
function f, minimise max |w(u) (f(u) - p(u))| over u in [a, b], p of a given degree; w turns the
error of the fitted part into the relative error of the whole function.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from mpmath import mp, mpf

Function = Callable[[mpf], mpf]
mp.dps = 60


@dataclass(frozen=True)
class Fit:
    """One polynomial: function, error weight, interval and degree per format."""

    name: str
    function: Function
    weight: Function
    low: float
    high: float
    degree: dict[str, int]


def minimax(fit: Fit, degree: int, rounds: int = 8) -> tuple[list[mpf], mpf]:
    """Coefficients c_0 .. c_degree and the reached weighted error."""
    low, high = mpf(fit.low), mpf(fit.high)
    count = degree + 2
    nodes = [
        (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * count))
        for i in range(count)
    ]
    grid = [
        (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / (25 * count))
        for i in range(25 * count + 1)
    ]
    floor = mpf("0.01") * max(abs(fit.weight(u)) for u in grid)

    def weight(u: mpf) -> mpf:
        return max(abs(fit.weight(u)), floor)

    values = [(u, fit.function(u), weight(u)) for u in grid]
    for _ in range(rounds):
        matrix = mp.matrix(count, count)
        right = mp.matrix(count, 1)
        for row, u in enumerate(nodes):
            for power in range(degree + 1):
                matrix[row, power] = u**power
            matrix[row, degree + 1] = (-1) ** row / weight(u)
            right[row] = fit.function(u)
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[i] for i in range(degree + 1)]
        errors = [(w * (f - mp.polyval(coefficients[::-1], u)), u) for u, f, w in values]
        peaks: list[tuple[mpf, mpf]] = []
        for error, u in errors:  # the largest error of each run of equal sign
            if peaks and (peaks[-1][0] > 0) == (error > 0):
                peaks[-1] = max(peaks[-1], (error, u), key=lambda pair: abs(pair[0]))
            else:
                peaks.append((error, u))
        worst = max(abs(error) for error, _ in peaks)
        if len(peaks) < count:
            break
        while len(peaks) > count:
            peaks.pop(0 if abs(peaks[0][0]) < abs(peaks[-1][0]) else -1)
        nodes = [u for _, u in peaks]
        if worst < abs(solution[degree + 1]) * mpf("1.01"):
            break
    return coefficients, worst


def _tail(function: Function, terms: Callable[[mpf], mpf], divisor: Function) -> Function:
    """(f - leading terms) / divisor, with a limit taken where the divisor is zero."""

    def tail(u: mpf) -> mpf:
        if abs(u) < mpf(10) ** -30:
            u = mpf(10) ** -30
        with mp.workdps(150):
            return (function(u) - terms(u)) / divisor(u)

    return tail


def _root(u: mpf) -> mpf:
    return mp.sqrt(u if u > mpf(10) ** -30 else mpf(10) ** -30)


HALF_LN2 = 0.3467
ERF_SPLIT = {"f64": 6.0, "f32": 4.0}
ERF_CENTRE = 2.0


def _erfcx_argument(t: mpf) -> mpf:
    """x from t = (x - c) / (x + c)."""
    return ERF_CENTRE * (1 + t) / (1 - t)


def _erfcx(t: mpf) -> mpf:
    x = _erfcx_argument(t)
    return mp.exp(x * x) * mp.erfc(x)


def _map(x: float) -> float:
    return (x - ERF_CENTRE) / (x + ERF_CENTRE)


FITS = (
    Fit(
        "exp",
        _tail(mp.exp, lambda r: 1 + r, lambda r: r * r),
        lambda r: r,
        -HALF_LN2,
        HALF_LN2,
        {"f64": 10, "f32": 5},
    ),
    Fit(
        "log",
        _tail(lambda z: mp.atanh(_root(z)) / _root(z), lambda z: mpf(1), lambda z: z / 2),
        lambda z: z / 2,
        0,
        0.02945,
        {"f64": 6, "f32": 2},
    ),
    Fit(
        "sin_half_pi",
        _tail(lambda u: mp.sin(_root(u)) / _root(u), lambda u: mpf(1), lambda u: u),
        lambda u: u * _root(u) / mp.sin(_root(u)),
        0,
        2.4676,
        {"f64": 7, "f32": 3},
    ),
    Fit(
        "sin_quarter_pi",
        _tail(lambda u: mp.sin(_root(u)) / _root(u), lambda u: mpf(1), lambda u: u),
        lambda u: u,
        0,
        0.6170,
        {"f64": 5, "f32": 2},
    ),
    Fit(
        "cos_quarter_pi",
        _tail(lambda u: mp.cos(_root(u)), lambda u: 1 - u / 2, lambda u: u * u),
        lambda u: u * u,
        0,
        0.6170,
        {"f64": 5, "f32": 2},
    ),
    Fit(
        "asin",
        _tail(lambda u: mp.asin(_root(u)) / _root(u), lambda u: mpf(1), lambda u: u),
        lambda u: u,
        0,
        0.25,
        {"f64": 11, "f32": 4},
    ),
    Fit(
        "atan",
        _tail(lambda u: mp.atan(_root(u)) / _root(u), lambda u: mpf(1), lambda u: u),
        lambda u: u,
        0,
        0.1717,
        {"f64": 10, "f32": 4},
    ),
    Fit(
        "erf",
        lambda u: mp.erf(_root(u)) / _root(u) - 1,
        lambda u: _root(u) / mp.erf(_root(u)),
        0,
        1.0,
        {"f64": 11, "f32": 6},
    ),
    Fit(
        "atanh_tail",  # atanh(s) = s + s z / 3 + s z^2 p(z)
        _tail(lambda z: mp.atanh(_root(z)) / _root(z), lambda z: 1 + z / 3, lambda z: z * z),
        lambda z: z * z,
        0,
        0.02945,
        {"f64": 7},
    ),
)
SCALED_ERFC = {
    kind: Fit(
        "erfcx",
        _erfcx,
        lambda t: mp.exp(-(_erfcx_argument(t) ** 2)),
        _map(1.0),
        _map(ERF_SPLIT[kind]),
        degree,
    )
    for kind, degree in (("f64", {"f64": 15}), ("f32", {"f32": 5}))
}


def main(names: list[str]) -> None:
    """Print the coefficients, lowest power first, rounded to their format."""
    for fit in (*FITS, *SCALED_ERFC.values()):
        if names and fit.name not in names:
            continue
        for kind, degree in fit.degree.items():
            coefficients, error = minimax(fit, degree)
            rounding = float if kind == "f64" else np.float32
            numbers = ", ".join(repr(float(rounding(float(c)))) for c in coefficients)
            print(f"{fit.name} {kind}: 2^{float(mp.log(error, 2)):.1f}\n    ({numbers},)")


if __name__ == "__main__":
    main(sys.argv[1:])
