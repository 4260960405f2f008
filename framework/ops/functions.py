"""The array functions of `sciml.framework`: NumPy names, for tensors and NumPy arrays alike."""

from __future__ import annotations

import math as _math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.dims import Dim, product
from ..core.dtypes import FLOAT32, FLOAT64, UINT32, is_float
from ..errors import DtypeError, ShapeError
from . import indexing, math, reduction
from .concatenate import concatenate as concatenate_primitive
from .convert import convert
from .elementwise import mul
from .fill import full
from .primitive import Operand, Primitive, bind, type_of
from .reshape import reshape as reshape_primitive
from .tensor import (
    ArrayLike,
    Tensor,
    binary,
    by_parts,
    is_complex,
    matmul,
    take,
    unwrap,
    where,
    wrap,
)
from .tensor import broadcast_to as broadcast_operand

__all__ = [
    "abs", "acos", "asin", "atan", "atan2", "broadcast_to", "concatenate", "cos", "cosh", "dot",
    "erf", "exp", "expm1", "floor", "log", "log1p", "logistic", "matmul", "max", "maximum", "mean",
    "min", "minimum", "normal", "ones_like", "prod", "random_bits", "random_key", "reshape",
    "rsqrt", "sign", "sin", "sinh", "sqrt", "square", "stack", "stop_gradient", "sum", "take",
    "tan", "tanh", "uniform", "where", "zeros_like",
]  # fmt: skip


def _unary(primitive: Primitive, x: ArrayLike) -> Any:
    if is_complex(x):
        from .complex_functions import apply

        return apply(primitive.name, x)
    operand = unwrap(x, FLOAT64)
    if not is_float(type_of(operand).dtype) and primitive.name not in ("abs", "sign"):
        operand = convert(operand, dtype=FLOAT64)
    return wrap(bind(primitive, (operand,), {}))


def abs(x: ArrayLike) -> Any:
    """Absolute value."""
    return _unary(math.abs, x)


def sign(x: ArrayLike) -> Any:
    """Sign: -1, 0 or 1."""
    return _unary(math.sign, x)


def floor(x: ArrayLike) -> Any:
    """Largest integer not above x."""
    return _unary(math.floor, x)


def exp(x: ArrayLike) -> Any:
    """Exponential function."""
    return _unary(math.exp, x)


def expm1(x: ArrayLike) -> Any:
    """exp(x) - 1, exact near zero."""
    return _unary(math.expm1, x)


def log(x: ArrayLike) -> Any:
    """Natural logarithm."""
    return _unary(math.log, x)


def log1p(x: ArrayLike) -> Any:
    """log(1 + x), exact near zero."""
    return _unary(math.log1p, x)


def sqrt(x: ArrayLike) -> Any:
    """Square root."""
    return _unary(math.sqrt, x)


def rsqrt(x: ArrayLike) -> Any:
    """1 / sqrt(x)."""
    return _unary(math.rsqrt, x)


def square(x: ArrayLike) -> Any:
    """x * x."""
    return binary(mul, x, x)


def sin(x: ArrayLike) -> Any:
    """Sine."""
    return _unary(math.sin, x)


def cos(x: ArrayLike) -> Any:
    """Cosine."""
    return _unary(math.cos, x)


def tan(x: ArrayLike) -> Any:
    """Tangent."""
    return _unary(math.tan, x)


def asin(x: ArrayLike) -> Any:
    """Inverse sine."""
    return _unary(math.asin, x)


def acos(x: ArrayLike) -> Any:
    """Inverse cosine."""
    return _unary(math.acos, x)


def atan(x: ArrayLike) -> Any:
    """Inverse tangent."""
    return _unary(math.atan, x)


def atan2(y: ArrayLike, x: ArrayLike) -> Any:
    """Angle of the point (x, y)."""
    return binary(math.atan2, y, x)


def sinh(x: ArrayLike) -> Any:
    """Hyperbolic sine."""
    return _unary(math.sinh, x)


def cosh(x: ArrayLike) -> Any:
    """Hyperbolic cosine."""
    return _unary(math.cosh, x)


def tanh(x: ArrayLike) -> Any:
    """Hyperbolic tangent."""
    return _unary(math.tanh, x)


def logistic(x: ArrayLike) -> Any:
    """1 / (1 + exp(-x))."""
    return _unary(math.logistic, x)


def erf(x: ArrayLike) -> Any:
    """Error function."""
    return _unary(math.erf, x)


@by_parts
def stop_gradient(x: ArrayLike) -> Any:
    """Return x with all derivatives zero."""
    return wrap(math.stop_gradient(unwrap(x, FLOAT64)))


def maximum(x: ArrayLike, y: ArrayLike) -> Any:
    """Larger of two, by element."""
    return binary(math.max, x, y)


def minimum(x: ArrayLike, y: ArrayLike) -> Any:
    """Smaller of two, by element."""
    return binary(math.min, x, y)


def dot(x: ArrayLike, y: ArrayLike) -> Any:
    """Matrix product; the same as ``x @ y``."""
    return matmul(x, y)


def _axes(x: Operand, axis: int | Sequence[int] | None) -> tuple[int, ...]:
    rank = type_of(x).rank
    if axis is None:
        return tuple(range(rank))
    chosen = (axis,) if isinstance(axis, int) else tuple(axis)
    if any(not -rank <= a < rank for a in chosen):
        raise ShapeError(f"axis {axis} does not lie in {type_of(x)}")
    return tuple(sorted({a % rank for a in chosen}))


def _reduce(
    primitive: Primitive, x: ArrayLike, axis: int | Sequence[int] | None, keepdims: bool
) -> Any:
    operand = unwrap(x, FLOAT64)
    axes = _axes(operand, axis)
    result = bind(primitive, (operand,), {"axes": axes}) if axes else operand
    if keepdims:
        kept = tuple(1 if i in axes else s for i, s in enumerate(type_of(operand).shape))
        result = reshape_primitive(result, shape=kept)
    return wrap(result)


@by_parts
def sum(x: ArrayLike, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """Sum over axes."""
    return _reduce(reduction.reduce_sum, x, axis, keepdims)


def prod(x: ArrayLike, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """Product over axes."""
    return _reduce(reduction.reduce_prod, x, axis, keepdims)


def max(x: ArrayLike, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """Maximum over axes."""
    return _reduce(reduction.reduce_max, x, axis, keepdims)


def min(x: ArrayLike, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """Minimum over axes."""
    return _reduce(reduction.reduce_min, x, axis, keepdims)


@by_parts
def mean(x: ArrayLike, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """Arithmetic mean over axes."""
    operand = unwrap(x, FLOAT64)
    count = product(type_of(operand).shape[a] for a in _axes(operand, axis))
    if count == 0:
        raise ShapeError("the mean of no elements is not defined")
    return binary(math.div, sum(wrap(operand), axis, keepdims), count)


@by_parts
def reshape(x: ArrayLike, new_shape: int | Dim | Sequence[int | Dim]) -> Any:
    """Return the elements in another shape; one size may be -1."""
    operand = unwrap(x, FLOAT64)
    sizes = [new_shape] if isinstance(new_shape, int | Dim) else list(new_shape)
    unknown = [k for k, s in enumerate(sizes) if isinstance(s, int) and s == -1]
    if len(unknown) > 1:
        raise ShapeError("only one size may be -1")
    if unknown:
        known = product(s for k, s in enumerate(sizes) if k != unknown[0])
        total = type_of(operand).size
        if isinstance(total, int) and isinstance(known, int) and (not known or total % known):
            raise ShapeError(f"cannot reshape {type_of(operand)} to {tuple(sizes)}")
        sizes[unknown[0]] = total // known
    if tuple(sizes) == type_of(operand).shape:
        return wrap(operand)
    return wrap(reshape_primitive(operand, shape=tuple(sizes)))


@by_parts
def broadcast_to(x: ArrayLike, shape: Sequence[int | Dim]) -> Any:
    """Repeat an array to a shape by NumPy's rule.

    Raises
    ------
    ShapeError
        If the last axes of the shape are neither those of the array nor axes of size one there.

    Examples
    --------
    >>> broadcast_to(np.arange(2.0), (3, 2))
    array([[0., 1.],
           [0., 1.],
           [0., 1.]])
    """
    operand, target = unwrap(x, FLOAT64), tuple(shape)
    if type_of(operand).rank > len(target):
        raise ShapeError(f"cannot repeat {type_of(operand)} to {target}, which has fewer axes")
    return wrap(broadcast_operand(operand, target))


def _join_parts(join: Callable[..., Any], arrays: Sequence[Any], axis: int) -> Any:
    from .complex import Complex, imag, real

    return Complex(join([real(a) for a in arrays], axis), join([imag(a) for a in arrays], axis))


def concatenate(arrays: Sequence[ArrayLike], axis: int = 0) -> Any:
    """Join arrays along an axis."""
    if any(is_complex(a) for a in arrays):
        return _join_parts(concatenate, arrays, axis)
    operands = [unwrap(a, FLOAT64) for a in arrays]
    axis = axis % type_of(operands[0]).rank
    return wrap(bind(concatenate_primitive, operands, {"axis": axis}))


def stack(arrays: Sequence[ArrayLike], axis: int = 0) -> Any:
    """Join arrays of equal shape along a new axis."""
    if any(is_complex(a) for a in arrays):
        return _join_parts(stack, arrays, axis)
    operands = [unwrap(a, FLOAT64) for a in arrays]
    sizes = type_of(operands[0]).shape
    for operand in operands[1:]:
        if type_of(operand).shape != sizes:
            raise ShapeError(f"stack: shapes must be equal, got {sizes} and {type_of(operand)}")
    axis = axis % (len(sizes) + 1)
    lifted = [reshape_primitive(o, shape=(*sizes[:axis], 1, *sizes[axis:])) for o in operands]
    return wrap(bind(concatenate_primitive, lifted, {"axis": axis}))


@by_parts
def zeros_like(x: ArrayLike) -> Any:
    """Zeros of the same shape and element type."""
    type = type_of(unwrap(x, FLOAT64))
    return wrap(full(type.shape, 0.0, type.dtype))


def ones_like(x: ArrayLike) -> Any:
    """Ones of the same shape and element type."""
    type = type_of(unwrap(x, FLOAT64))
    return wrap(full(type.shape, 1.0, type.dtype))


def random_key(seed: int) -> np.ndarray:
    """Return the u32[2] key of a seed; nothing random happens without one."""
    if not 0 <= seed < 2**64:
        raise ShapeError(f"a seed must lie in [0, 2**64), got {seed}")
    return np.array([seed >> 32, seed & 0xFFFFFFFF], dtype=UINT32)


def random_bits(key: ArrayLike, shape: tuple[int, ...]) -> Any:
    """Uniform 32-bit words from a key, by a counter, so every element is independent of order."""
    return wrap(indexing.random_bits(unwrap(key), shape=tuple(shape)))


def uniform(key: ArrayLike, shape: tuple[int, ...], dtype: Any = np.float64) -> Any:
    """Uniform numbers in the open interval (0, 1).

    Float64 carries 32 random bits, float32 carries 23.
    """
    bits = random_bits(key, shape)
    if np.dtype(dtype) == FLOAT32:
        # 23 bits and a half step keep both ends of the interval out after rounding
        exact = (floor(_as_float(bits) * 2.0**-9) + 0.5) * 2.0**-23
        return exact.astype(FLOAT32)
    if np.dtype(dtype) != FLOAT64:
        raise DtypeError(f"uniform: dtype must be float32 or float64, got {dtype}")
    return (_as_float(bits) + 0.5) * 2.0**-32


def _as_float(bits: Tensor | np.ndarray) -> Any:
    return bits.astype(FLOAT64)


def normal(key: ArrayLike, shape: tuple[int, ...], dtype: Any = np.float64) -> Any:
    """Standard normal numbers by the Box-Muller transform."""
    both = uniform(key, (2, _math.prod(shape)))
    radius = sqrt(-2.0 * log(both[0]))
    values = reshape(radius * cos(2.0 * _math.pi * both[1]), shape)
    return values.astype(np.dtype(dtype))
