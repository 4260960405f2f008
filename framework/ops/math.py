"""Elementwise mathematics: one declaration per function, with its derivative as a program."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ..core.dtypes import BOOL, FLOAT32, Array
from ..errors import DtypeError
from ..ir.program import Operation
from ..ir.types import Attributes, TensorType
from .elementwise import (
    FLOATS,
    NUMBERS,
    add,
    filled,
    mul,
    neg,
    register_elementwise,
    scalar_call,
    scalar_method,
    select,
    sub,
)
from .primitive import Operand, Primitive, Types
from .samples import GRID, INTEGERS, OTHER

INSIDE = np.array([[-0.85, -0.3, 0.2], [0.45, 0.7, 0.93]])
POSITIVE = np.array([[0.25, 0.6, 1.1], [1.9, 3.2, 0.05]])

Derivative = Callable[..., Operand]


def _unary(
    name: str, evaluate: Callable[..., Any], derivative: Derivative, points: Array = GRID
) -> Primitive:
    """Register y = f(x) with f'(x) given as ``derivative(y, x)``."""
    return register_elementwise(
        name, evaluate, scalar_call(name), [(points,), (points.astype(FLOAT32),)],
        partials=[derivative],
    )  # fmt: skip


def _one_minus_square(x: Operand) -> Operand:
    return sub(filled(1.0, x), mul(x, x))


def _inverse_sine_slope(x: Operand) -> Operand:
    """1 / sqrt((1 - x)(1 + x)), which keeps its digits where x is near 1."""
    one = filled(1.0, x)
    return rsqrt(mul(sub(one, x), add(one, x)))


def _reciprocal(x: Operand) -> Operand:
    return integer_pow(x, exponent=-1)


def _integer_pow_scalar(emitter: Any, operation: Operation, x: Any) -> Any:
    """Repeated squaring; a negative power is one division at the end."""
    exponent = operation.attributes["exponent"]
    one = emitter.constant(1, operation.results[0].type.dtype)
    power, base, count = None, x, builtins.abs(exponent)
    while count:
        if count & 1:
            power = base if power is None else emitter.mul(power, base)
        count >>= 1
        if count:
            base = emitter.mul(base, base)
    if power is None:
        return one
    return power if exponent > 0 else emitter.div(one, power)


def _integer_pow_partial(y: Operand, x: Operand, exponent: int) -> Operand | None:
    if exponent == 0:
        return None
    if exponent == 1:
        return filled(1.0, x)
    if exponent < 0:
        # y / x through the reciprocal, so that the chain of derivatives is closed
        inverse = y if exponent == -1 else integer_pow(x, exponent=-1)
        return mul(filled(float(exponent), x), mul(y, inverse))
    if exponent == 2:
        return mul(filled(2.0, x), x)
    return mul(filled(float(exponent), x), integer_pow(x, exponent=exponent - 1))


def _integer_pow_infer(types: Types, attributes: Attributes) -> TensorType:
    (type,) = types
    exponent = attributes["exponent"]
    if type.dtype.kind not in (FLOATS if exponent < 0 else NUMBERS):
        raise DtypeError(f"integer_pow: exponent {exponent} is not defined for {type}")
    return type


def _evaluate_integer_pow(x: Array, exponent: int) -> Array:
    positive: Array = np.power(x, builtins.abs(exponent))
    return positive if exponent >= 0 else np.asarray(1 / positive, dtype=x.dtype)


integer_pow: Primitive = register_elementwise(
    "integer_pow", _evaluate_integer_pow, _integer_pow_scalar,
    [(GRID, {"exponent": n}) for n in (-3, -1, 0, 1, 2, 5)],
    partials=[_integer_pow_partial], infer=_integer_pow_infer,
)  # fmt: skip
div: Primitive = register_elementwise(
    "div", np.divide, scalar_method("div"), [(GRID, OTHER)],
    partials=[lambda q, x, y: _reciprocal(y), lambda q, x, y: neg(mul(q, _reciprocal(y)))],
)  # fmt: skip

exp: Primitive = _unary("exp", np.exp, lambda y, x: y)
expm1: Primitive = _unary("expm1", np.expm1, lambda y, x: add(y, filled(1.0, y)))
log: Primitive = _unary("log", np.log, lambda y, x: _reciprocal(x), POSITIVE)
log1p: Primitive = _unary(
    "log1p", np.log1p, lambda y, x: _reciprocal(add(x, filled(1.0, x))), INSIDE
)
sqrt: Primitive = _unary(
    "sqrt", np.sqrt, lambda y, x: mul(filled(0.5, y), _reciprocal(y)), POSITIVE
)
rsqrt: Primitive = _unary(
    "rsqrt", lambda x: (1 / np.sqrt(x)).astype(x.dtype),
    lambda y, x: mul(filled(-0.5, y), mul(y, mul(y, y))), POSITIVE,
)  # fmt: skip
sin: Primitive = _unary("sin", np.sin, lambda y, x: cos(x))
cos: Primitive = _unary("cos", np.cos, lambda y, x: neg(sin(x)))
tan: Primitive = _unary("tan", np.tan, lambda y, x: add(filled(1.0, y), mul(y, y)), INSIDE)
asin: Primitive = _unary("asin", np.arcsin, lambda y, x: _inverse_sine_slope(x), INSIDE)
acos: Primitive = _unary("acos", np.arccos, lambda y, x: neg(_inverse_sine_slope(x)), INSIDE)
atan: Primitive = _unary(
    "atan", np.arctan, lambda y, x: _reciprocal(add(filled(1.0, x), mul(x, x)))
)
sinh: Primitive = _unary("sinh", np.sinh, lambda y, x: cosh(x))
cosh: Primitive = _unary("cosh", np.cosh, lambda y, x: sinh(x))
tanh: Primitive = _unary("tanh", np.tanh, lambda y, x: _one_minus_square(y))
logistic: Primitive = _unary("logistic", special.expit, lambda y, x: mul(y, sub(filled(1.0, y), y)))
erf: Primitive = _unary(
    "erf", special.erf, lambda y, x: mul(filled(2 / math.sqrt(math.pi), x), exp(neg(mul(x, x))))
)


def _pow_base(y: Operand, x: Operand, p: Operand) -> Operand:
    # x**(p-1) is infinite at x = 0 for p = 0, where the derivative is zero; another base there,
    # and not another result, keeps the infinity out of the derivatives of this derivative too
    safe = select(eq(p, filled(0.0, p)), filled(1.0, x), x)
    return mul(p, pow(safe, sub(p, filled(1.0, p))))


def _pow_exponent(y: Operand, x: Operand, p: Operand) -> Operand:
    # 0**p log 0 is the limit 0, not 0 * -inf
    safe = select(eq(x, filled(0.0, x)), filled(1.0, x), x)
    return mul(y, log(safe))


pow: Primitive = register_elementwise(
    "pow", np.power, scalar_call("pow"), [(POSITIVE, OTHER)],
    partials=[_pow_base, _pow_exponent],
)  # fmt: skip


def _over_squared_radius(u: Operand, y: Operand, x: Operand) -> Operand:
    """u / (x^2 + y^2) without overflow or underflow of the squares; NaN at the origin.

    The value does not depend on the scale, so the scale has no derivative.
    """
    scale = _reciprocal(stop_gradient(max(abs(x), abs(y))))
    x, y, u = mul(x, scale), mul(y, scale), mul(u, scale)
    return mul(mul(u, scale), _reciprocal(add(mul(x, x), mul(y, y))))


atan2: Primitive = register_elementwise(
    "atan2", np.arctan2, scalar_call("atan2"), [(GRID, OTHER)],
    partials=[
        lambda z, y, x: _over_squared_radius(x, y, x),
        lambda z, y, x: neg(_over_squared_radius(y, y, x)),
    ],
)  # fmt: skip


def _chosen(relation: str) -> list[Derivative]:
    """Derivatives of max or min: one for the chosen operand, a half each at a tie."""

    def factor(x: Operand, y: Operand) -> Operand:
        half, one, zero = filled(0.5, x), filled(1.0, x), filled(0.0, x)
        wins = gt(x, y) if relation == "max" else lt(x, y)
        return select(wins, one, select(eq(x, y), half, zero))

    return [lambda r, x, y: factor(x, y), lambda r, x, y: factor(y, x)]


def _extremum_scalar(relation: str) -> Callable[..., Any]:
    def scalar(emitter: Any, operation: Operation, x: Any, y: Any) -> Any:
        # a NaN in either operand is passed on, as NumPy does
        keep = emitter.logical("or", emitter.compare(relation, x, y), emitter.compare("ne", x, x))
        return emitter.select(keep, x, y)

    return scalar


max: Primitive = register_elementwise(
    "max", np.maximum, _extremum_scalar("gt"), [(GRID, OTHER), (INTEGERS, INTEGERS[::-1])],
    partials=_chosen("max"), kinds=NUMBERS,
)  # fmt: skip
min: Primitive = register_elementwise(
    "min", np.minimum, _extremum_scalar("lt"), [(GRID, OTHER), (INTEGERS, INTEGERS[::-1])],
    partials=_chosen("min"), kinds=NUMBERS,
)  # fmt: skip


def _sign_scalar(emitter: Any, operation: Operation, x: Any) -> Any:
    dtype = operation.results[0].type.dtype
    zero, one = emitter.constant(0, dtype), emitter.constant(1, dtype)
    minus = emitter.constant(-1, dtype)
    # the sign of -0.0 is 0.0 as in NumPy, and a NaN stays one
    flat = emitter.select(emitter.compare("eq", x, zero), zero, x)
    positive = emitter.select(emitter.compare("gt", x, zero), one, flat)
    return emitter.select(emitter.compare("lt", x, zero), minus, positive)


def _abs_scalar(emitter: Any, operation: Operation, x: Any) -> Any:
    if operation.results[0].type.dtype.kind == "f":
        return emitter.call("abs", x)
    zero = emitter.constant(0, operation.results[0].type.dtype)
    return emitter.select(emitter.compare("lt", x, zero), emitter.neg(x), x)


sign: Primitive = register_elementwise(
    "sign", np.sign, _sign_scalar, [(GRID,), (INTEGERS,)], linearity="constant", kinds="fi"
)
abs: Primitive = register_elementwise(
    "abs", np.abs, _abs_scalar, [(GRID,), (INTEGERS,)],
    partials=[lambda y, x: sign(x)], kinds="fi",
)  # fmt: skip
floor: Primitive = register_elementwise(
    "floor", np.floor, scalar_call("floor"), [(GRID,)], linearity="constant"
)


def _stop_gradient_scalar(emitter: Any, operation: Operation, x: Any) -> Any:
    return x


stop_gradient: Primitive = register_elementwise(
    "stop_gradient", lambda x: x, _stop_gradient_scalar, [(GRID,)],
    linearity="constant", kinds="fiub",
)  # fmt: skip


def _comparison(name: str, evaluate: Callable[..., Any]) -> Primitive:
    def scalar(emitter: Any, operation: Operation, x: Any, y: Any) -> Any:
        return emitter.compare(name, x, y)

    return register_elementwise(
        name, evaluate, scalar, [(GRID, GRID.round()), (INTEGERS, INTEGERS[::-1])],
        linearity="constant", kinds="fiub", result=BOOL,
    )  # fmt: skip


eq: Primitive = _comparison("eq", np.equal)
ne: Primitive = _comparison("ne", np.not_equal)
lt: Primitive = _comparison("lt", np.less)
le: Primitive = _comparison("le", np.less_equal)
gt: Primitive = _comparison("gt", np.greater)
ge: Primitive = _comparison("ge", np.greater_equal)


def _logical(name: str, evaluate: Callable[..., Any], count: int) -> Primitive:
    def scalar(emitter: Any, operation: Operation, *operands: Any) -> Any:
        return emitter.logical(name, *operands)

    operands = (GRID > OTHER, GRID > 0)[:count]
    return register_elementwise(
        f"logical_{name}", evaluate, scalar, [operands], linearity="constant", kinds="b"
    )


logical_and: Primitive = _logical("and", np.logical_and, 2)
logical_or: Primitive = _logical("or", np.logical_or, 2)
logical_not: Primitive = _logical("not", np.logical_not, 1)
