"""Reference values, from mpmath and from NumPy in higher precision."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from mpmath import mp, mpf
from numpy.typing import NDArray

MANTISSA = {"f64": 52, "f32": 23}
LOWEST_EXPONENT = {"f64": -1074, "f32": -149}


def _logistic(x: mpf) -> mpf:
    return mp.exp(x) / (1 + mp.exp(x)) if x < 0 else 1 / (1 + mp.exp(-x))


MPMATH: dict[str, Callable[..., mpf]] = {
    "exp": mp.exp, "expm1": mp.expm1, "log": mp.log, "log1p": mp.log1p, "sin": mp.sin,
    "cos": mp.cos, "tan": mp.tan, "asin": mp.asin, "acos": mp.acos, "atan": mp.atan,
    "atan2": mp.atan2, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh,
    "logistic": _logistic, "erf": mp.erf, "pow": mp.power, "sqrt": mp.sqrt,
    "rsqrt": lambda x: 1 / mp.sqrt(x),
}  # fmt: skip


def ulp_error(got: float, exact: mpf, kind: str) -> float:
    """|got - exact| in units in the last place of `exact`, denormal spacing included.

    A result that overflowed counts as the power of two after the largest number.
    """
    largest = 1023 if kind == "f64" else 127
    top = 2 ** (largest + 1)
    value = mpf(got) if abs(got) != float("inf") else mpf(top) * (1 if got > 0 else -1)
    if abs(exact) > top:
        exact = mpf(top) * mp.sign(exact)
    if exact == 0:
        return 0.0 if got == 0 else float("inf")
    exponent = int(mp.floor(mp.log(abs(exact), 2))) - MANTISSA[kind]
    exponent = min(max(exponent, LOWEST_EXPONENT[kind]), largest - MANTISSA[kind])
    return float(abs(value - exact) / mpf(2) ** exponent)


def errors(
    name: str, kind: str, got: NDArray[np.generic], *operands: NDArray[np.generic]
) -> NDArray[np.float64]:
    """ULP errors against mpmath at 40 digits, arguments reduced exactly."""
    function = MPMATH[name]
    result = np.empty(got.size)
    with mp.workdps(40):
        for i, value in enumerate(got.tolist()):
            exact = function(*(mpf(operand[i].item()) for operand in operands))
            result[i] = ulp_error(value, exact, kind)
    return result
