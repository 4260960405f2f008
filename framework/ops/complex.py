"""Complex values as pairs of real arrays, for tensors and NumPy arrays alike.

Programs have no complex element type. `Complex` is a container of two leaves, so that every
transform sees two real arrays and every derivative is a real one; holomorphic functions obey the
Cauchy-Riemann equations through their formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..core.dtypes import FLOAT32, FLOAT64, Array, DType, is_float
from ..core.tree import register_container
from ..errors import TraceError
from . import functions, math
from .convert import convert
from .elementwise import add, filled, mul, neg, sub
from .primitive import type_of
from .tensor import (
    Tensor,
    array_ufunc,
    binary,
    broadcast_shapes,
    broadcast_to,
    is_complex,
    matmul,
    unwrap,
    where,
    wrap,
)

if TYPE_CHECKING:
    from ..core.dims import Dim, Shape

__all__ = [
    "Complex", "abs2", "angle", "choose", "combine", "conj", "imag", "multiplied", "real",
]  # fmt: skip

# Real and imaginary part; None stands for an exact zero, which costs nothing and stays exact.
Parts: TypeAlias = "tuple[Any, Any]"


class Complex:
    """Complex numbers real + i imag, held as two real arrays of one shape.

    Arithmetic, the functions of `sciml.framework` and the field operators take it where they take
    an array, together with real arrays, complex NumPy arrays and Python's ``1j``. To transforms
    and `jit` it is a container of two arrays. A loss must be real, for example
    ``residual.abs2().mean()``.

    Parameters
    ----------
    real, imag
        Real arrays, tensors or numbers. Without the second argument the first one may be complex.

    Raises
    ------
    TraceError
        If a part is not real, or the parts differ in precision.
    ShapeError
        If the shapes of the parts do not fit.

    Examples
    --------
    >>> z = Complex(np.array([3.0, 0.0]), np.array([4.0, 1.0]))
    >>> abs(z), (z * 1j).numpy()
    (array([5., 1.]), array([-4.+3.j, -1.+0.j]))
    """

    __slots__ = ("imag", "real")
    __hash__ = None  # type: ignore[assignment]
    real: Any
    imag: Any

    def __init__(self, real: Any, imag: Any = None) -> None:
        if imag is None:
            real, imag = _parts(real)
        elif is_complex(real) or is_complex(imag):
            raise TraceError("Complex: the real and the imaginary part must both be real")
        self.real, self.imag = _pair(real, imag)

    @property
    def shape(self) -> Shape:
        """Sizes."""
        return tuple(self.real.shape)

    @property
    def dtype(self) -> DType:
        """Complex element type of the precision of the parts."""
        return np.result_type(self.real.dtype, np.complex64)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int | Dim:
        """Number of elements."""
        size: int | Dim = self.real.size
        return size

    @property
    def T(self) -> Complex:
        """The array with its axes reversed, not conjugated."""
        return self.each(lambda part: part.T)

    def __repr__(self) -> str:
        return f"Complex({self.real!r}, {self.imag!r})"

    def __len__(self) -> int:
        return len(self.real)

    def __iter__(self) -> Iterator[Complex]:
        return (self[i] for i in range(len(self)))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return array_ufunc(ufunc, method, inputs, kwargs)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        result = _joined(np.asarray(self.real), np.asarray(self.imag), self.dtype)
        return result if dtype is None else result.astype(dtype)

    def numpy(self) -> Array:
        """Return a complex NumPy array, without the record of recorded parts."""
        a, b = (p.numpy() if isinstance(p, Tensor) else p for p in (self.real, self.imag))
        return _joined(a, b, self.dtype)

    def __complex__(self) -> complex:
        return complex(self.numpy().item())

    def __bool__(self) -> bool:
        return bool(self.__array__())

    def each(self, function: Callable[[Any], Any]) -> Complex:
        """Apply a function that is linear over the reals to both parts."""
        return Complex(function(self.real), function(self.imag))

    def __neg__(self) -> Complex:
        return self.each(lambda part: -part)

    def __pos__(self) -> Complex:
        return self

    def __abs__(self) -> Any:
        return functions.abs(self)

    def __add__(self, other: Any) -> Complex:
        return _add(self, other)

    def __radd__(self, other: Any) -> Complex:
        return _add(other, self)

    def __sub__(self, other: Any) -> Complex:
        return _subtract(self, other)

    def __rsub__(self, other: Any) -> Complex:
        return _subtract(other, self)

    def __mul__(self, other: Any) -> Complex:
        return _multiply(self, other)

    def __rmul__(self, other: Any) -> Complex:
        return _multiply(other, self)

    def __truediv__(self, other: Any) -> Complex:
        return _divide(self, other)

    def __rtruediv__(self, other: Any) -> Complex:
        return _divide(other, self)

    def __pow__(self, other: Any) -> Complex:
        return _power(self, other)

    def __rpow__(self, other: Any) -> Complex:
        return _power(other, self)

    def __matmul__(self, other: Any) -> Complex:
        return multiplied(matmul, self, other)

    def __rmatmul__(self, other: Any) -> Complex:
        return multiplied(matmul, other, self)

    def __eq__(self, other: Any) -> Any:
        return _equal(self, other)

    def __ne__(self, other: Any) -> Any:
        return wrap(math.logical_not(unwrap(_equal(self, other))))

    def __getitem__(self, index: object) -> Complex:
        return self.each(lambda part: part[index])

    def conj(self) -> Complex:
        """Return the complex conjugate."""
        return Complex(self.real, -self.imag)

    def abs2(self) -> Any:
        """Return the square of the modulus, real^2 + imag^2, which is smooth everywhere."""
        return _plus(_times(self.real, self.real), _times(self.imag, self.imag))

    def angle(self) -> Any:
        """Return the argument in (-pi, pi]."""
        return binary(math.atan2, self.imag, self.real)

    def astype(self, dtype: Any) -> Complex:
        """Convert the precision; the element type must be complex."""
        wanted = np.dtype(dtype)
        if wanted.kind != "c":
            raise TraceError(f"Complex.astype: {wanted} is not complex; take .real, .imag or abs")
        part = FLOAT32 if wanted == np.complex64 else FLOAT64
        return self.each(lambda p: p.astype(part))

    def reshape(self, *new_shape: Any) -> Complex:
        """Return the elements in another shape; one size may be -1."""
        return self.each(lambda part: part.reshape(*new_shape))

    def transpose(self, *axes: int) -> Complex:
        """Permute the axes; without arguments, reverse them."""
        return self.each(lambda part: part.transpose(*axes))

    def sum(self, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Complex:
        """Sum over axes."""
        return self.each(lambda part: functions.sum(part, axis, keepdims))

    def mean(self, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Complex:
        """Mean over axes."""
        return self.each(lambda part: functions.mean(part, axis, keepdims))


def _from_leaves(real: Any, imag: Any) -> Complex:
    """Put leaves together as they are: a transform may hold something else than arrays there."""
    result = object.__new__(Complex)
    result.real, result.imag = real, imag
    return result


register_container(Complex, ("real", "imag"), _from_leaves)


def real(x: Any) -> Any:
    """Real part; a real array is its own."""
    return Complex(x).real if is_complex(x) else wrap(unwrap(x, FLOAT64))


def imag(x: Any) -> Any:
    """Imaginary part; zero for a real array."""
    return Complex(x).imag if is_complex(x) else functions.zeros_like(x)


def conj(x: Any) -> Any:
    """Complex conjugate; a real array is its own."""
    return Complex(x).conj() if is_complex(x) else real(x)


def abs2(x: Any) -> Any:
    """Square of the modulus, smooth everywhere: the loss of a complex residual.

    Examples
    --------
    >>> abs2(np.array([3.0 + 4.0j, 1.0j]))
    array([25.,  1.])
    """
    return Complex(x).abs2() if is_complex(x) else functions.square(x)


def angle(x: Any) -> Any:
    """Argument of complex numbers, in (-pi, pi]."""
    return Complex(x).angle()


def _joined(a: Array, b: Array, dtype: DType) -> Array:
    # a + 1j * b would turn an infinite part into a NaN in the other
    result = np.empty(np.shape(a), dtype=dtype)
    result.real, result.imag = a, b
    return result


# --- parts, where None is an exact zero -----------------------------------------------------


def _parts(x: Any) -> Parts:
    if isinstance(x, Complex):
        return x.real, x.imag
    if not is_complex(x):
        return x, None
    if isinstance(x, np.ndarray | np.generic):
        return np.array(x.real), np.array(x.imag)
    return (x.real or None, x.imag or None) if x else (0.0, None)


def _pair(a: Any, b: Any) -> tuple[Any, Any]:
    """Return two parts as real floating arrays of one shape and precision."""
    if a is None or b is None:
        given = unwrap(b if a is None else a, FLOAT64)
        given = given if is_float(type_of(given).dtype) else convert(given, dtype=FLOAT64)
        zero = filled(0.0, given)
        return (wrap(zero), wrap(given)) if a is None else (wrap(given), wrap(zero))
    x, y = (
        o if is_float(type_of(o).dtype) else convert(o, dtype=FLOAT64)
        for o in (unwrap(a, _precision(b)), unwrap(b, _precision(a)))
    )
    if type_of(x).dtype != type_of(y).dtype:
        raise TraceError(
            f"Complex: the parts are {type_of(x)} and {type_of(y)}; "
            "convert one of them with .astype(...) so that the precision is chosen on purpose"
        )
    target = broadcast_shapes(type_of(x).shape, type_of(y).shape)
    return wrap(broadcast_to(x, target)), wrap(broadcast_to(y, target))


def _precision(part: Any) -> DType:
    """Return the element type that a Python number beside this part takes."""
    found = getattr(part, "dtype", None)
    return found if found is not None and is_float(found) else FLOAT64


def _join(a: Any, b: Any) -> Complex:
    return _from_leaves(*_pair(a, b))


def _times(x: Any, y: Any) -> Any:
    return None if x is None or y is None else binary(mul, x, y)


def _plus(x: Any, y: Any) -> Any:
    if x is None or y is None:
        return y if x is None else x
    return binary(add, x, y)


def _minus(x: Any, y: Any) -> Any:
    if x is None or y is None:
        return x if y is None else wrap(neg(unwrap(y, FLOAT64)))
    return binary(sub, x, y)


def _over(x: Any, y: Any) -> Any:
    return None if x is None else binary(math.div, x, y)


# --- arithmetic -----------------------------------------------------------------------------


def _add(x: Any, y: Any) -> Complex:
    (a, b), (c, d) = _parts(x), _parts(y)
    return _join(_plus(a, c), _plus(b, d))


def _subtract(x: Any, y: Any) -> Complex:
    (a, b), (c, d) = _parts(x), _parts(y)
    return _join(_minus(a, c), _minus(b, d))


def multiplied(times: Callable[[Any, Any], Any], x: Any, y: Any) -> Complex:
    """Return a product of complex operands from a bilinear product of real ones."""

    def product(p: Any, q: Any) -> Any:
        return None if p is None or q is None else times(p, q)

    (a, b), (c, d) = _parts(x), _parts(y)
    return _join(_minus(product(a, c), product(b, d)), _plus(product(a, d), product(b, c)))


def _multiply(x: Any, y: Any) -> Complex:
    return _square(Complex(x)) if x is y else multiplied(_times, x, y)


def _square(z: Complex) -> Complex:
    # (a - b)(a + b) keeps the digits that a^2 - b^2 loses where the moduli are close
    a, b = z.real, z.imag
    return _join(_times(_minus(a, b), _plus(a, b)), _times(2.0, _times(a, b)))


def _divide(x: Any, y: Any) -> Complex:
    """Divide by Smith's method, which does not overflow where the quotient does not.

    The operands are exchanged and not the results, so that what is not chosen has no derivative.
    """
    (a, b), (c, d) = _parts(x), _parts(y)
    if d is None:
        return _join(_over(a, c), _over(b, c))
    if c is None:
        return _join(_over(b, d), _minus(None, _over(a, d)) if a is not None else None)
    large = binary(math.ge, functions.abs(c), functions.abs(d))
    p, q = where(large, c, d), where(large, d, c)
    ratio = _over(q, p)
    scale = _plus(p, _times(q, ratio))
    a_scaled, b_scaled = _times(a, ratio), _times(b, ratio)
    if b is None:
        top, bottom = where(large, a, a_scaled), where(large, _minus(None, a_scaled), -a)
    elif a is None:
        top, bottom = where(large, b_scaled, b), where(large, b, b_scaled)
    else:
        top = where(large, _plus(a, b_scaled), _plus(a_scaled, b))
        bottom = where(large, _minus(b, a_scaled), _minus(b_scaled, a))
    return _join(_over(top, scale), _over(bottom, scale))


def _power(x: Any, y: Any) -> Complex:
    exact = isinstance(y, int | np.integer) and not isinstance(y, bool)
    if exact or (isinstance(y, float) and y.is_integer() and abs(y) <= 64):
        return _integer_power(Complex(x), int(y))
    if isinstance(y, float) and y == 0.5:
        root: Complex = functions.sqrt(Complex(x))
        return root
    power: Complex = functions.exp(y * functions.log(Complex(x)))
    return power


def _integer_power(z: Complex, n: int) -> Complex:
    if n < 0:
        return _divide(1.0, _integer_power(z, -n))
    result, base = None, z
    while n:
        if n & 1:
            result = base if result is None else multiplied(_times, result, base)
        n >>= 1
        if n:
            base = _square(base)
    return Complex(functions.ones_like(z.real)) if result is None else result


def _equal(x: Any, y: Any) -> Any:
    first, second = _parts(x), _parts(y)
    same = [
        binary(math.eq, 0.0 if p is None else p, 0.0 if q is None else q)
        for p, q in zip(first, second, strict=True)
    ]
    return binary(math.logical_and, *same)


_OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType({
    "add": _add, "sub": _subtract, "mul": _multiply, "div": _divide, "pow": _power, "eq": _equal,
    "ne": lambda x, y: Complex(x) != y,
})  # fmt: skip


def combine(name: str, x: Any, y: Any) -> Any:
    """Apply a two-operand primitive, by name, to operands of which one is complex."""
    if name not in _OPERATIONS:
        raise TraceError(
            f"{name} is not defined for complex values; use the modulus, .real or .imag"
        )
    return _OPERATIONS[name](x, y)


def choose(condition: Any, x: Any, y: Any) -> Complex:
    """Choose by element between operands of which one is complex."""
    return _join(where(condition, real(x), real(y)), where(condition, imag(x), imag(y)))
