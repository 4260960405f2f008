"""`Tensor`, a traced or recorded value: operators, indexing and methods."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ..core.dims import Dim, Shape
from ..core.dtypes import BOOL, FLOAT32, FLOAT64, INT64, DType, is_float
from ..errors import ShapeError, TraceError
from ..ir.program import Value
from . import contraction, indexing, math
from .broadcast import broadcast
from .concrete import ConcreteMethods
from .convert import convert
from .elementwise import add, mul, neg, select, sub
from .fill import dim_value, full
from .primitive import Concrete, Operand, Primitive, bind, type_of
from .transpose import transpose

if TYPE_CHECKING:
    import numpy.typing as npt

    from .complex import Complex

__all__ = [
    "ArrayLike", "Tensor", "array_ufunc", "binary", "broadcast_shapes", "broadcast_to", "by_parts",
    "common_type", "is_complex", "matmul", "take", "unwrap", "where", "wrap",
]  # fmt: skip

ArrayLike: TypeAlias = (
    "Tensor | Complex | npt.NDArray[Any] | np.generic | Dim | complex | float | int | bool"
)


class Tensor(ConcreteMethods):
    """A value inside a traced function, or an array whose operations are recorded (`tensor`).

    It behaves as a NumPy array does, with three differences that keep a loss from being silently
    wrong: it has no truth value while traced, element types are never widened behind the user's
    back by a Python number, and two operands of different rank are refused where broadcasting
    would make the result larger than both, as (N,) against (N, 1) does.
    """

    __slots__ = ("value",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Value | Concrete) -> None:
        self.value = value

    @property
    def shape(self) -> Shape:
        """Sizes; a symbolic size is a `Dim`."""
        return self.value.type.shape

    @property
    def dtype(self) -> DType:
        """Element type."""
        return self.value.type.dtype

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int | Dim:
        """Number of elements."""
        return self.value.type.size

    @property
    def T(self) -> Tensor:
        """The array with its axes reversed."""
        order = tuple(reversed(range(self.ndim)))
        return _tensor(wrap(transpose(self.value, permutation=order)))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a tensor of rank 0 has no length")
        return int(self.shape[0])

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return array_ufunc(ufunc, method, inputs, kwargs)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def __neg__(self) -> Tensor:
        return _tensor(wrap(neg(self.value)))

    def __pos__(self) -> Tensor:
        return self

    def __abs__(self) -> Tensor:
        return _tensor(wrap(math.abs(self.value)))

    def __add__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(add, self, other))

    def __radd__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(add, other, self))

    def __sub__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(sub, self, other))

    def __rsub__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(sub, other, self))

    def __mul__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(mul, self, other))

    def __rmul__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(mul, other, self))

    def __truediv__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(math.div, self, other))

    def __rtruediv__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(math.div, other, self))

    def __pow__(self, other: ArrayLike) -> Tensor:
        if isinstance(other, int | np.integer) and not isinstance(other, bool):
            return _tensor(wrap(math.integer_pow(self.value, exponent=int(other))))
        if isinstance(other, float) and other.is_integer() and abs(other) <= 64:
            return _tensor(wrap(math.integer_pow(self.value, exponent=int(other))))
        if isinstance(other, float) and other == 0.5:
            return _tensor(wrap(math.sqrt(self.value)))
        return _tensor(binary(math.pow, self, other))

    def __rpow__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(math.pow, other, self))

    def __matmul__(self, other: ArrayLike) -> Tensor:
        return _tensor(matmul(self, other))

    def __rmatmul__(self, other: ArrayLike) -> Tensor:
        return _tensor(matmul(other, self))

    def __eq__(self, other: ArrayLike) -> Tensor:  # type: ignore[override]
        return _tensor(binary(math.eq, self, other))

    def __ne__(self, other: ArrayLike) -> Tensor:  # type: ignore[override]
        return _tensor(binary(math.ne, self, other))

    def __lt__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(math.lt, self, other))

    def __le__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(math.le, self, other))

    def __gt__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(math.gt, self, other))

    def __ge__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(math.ge, self, other))

    def __and__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(math.logical_and, self, other))

    def __or__(self, other: ArrayLike) -> Tensor:
        return _tensor(binary(math.logical_or, self, other))

    def __invert__(self) -> Tensor:
        return _tensor(wrap(math.logical_not(self.value)))

    def __getitem__(self, index: object) -> Tensor:
        from .index import take_index

        return _tensor(wrap(take_index(self.value, index)))

    def astype(self, dtype: npt.DTypeLike) -> Tensor:
        """Convert the element type."""
        return _tensor(wrap(convert(self.value, dtype=np.dtype(dtype))))

    def reshape(self, *new_shape: int | Dim | tuple[int | Dim, ...]) -> Tensor:
        """Return the elements in another shape; one size may be -1."""
        from .functions import reshape

        sizes: Any = new_shape
        if len(new_shape) == 1 and isinstance(new_shape[0], tuple):
            sizes = new_shape[0]
        return _tensor(reshape(self, sizes))

    def transpose(self, *axes: int) -> Tensor:
        """Permute the axes; without arguments, reverse them."""
        order = axes or tuple(reversed(range(self.ndim)))
        return _tensor(wrap(transpose(self.value, permutation=tuple(order))))

    def sum(self, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Tensor:
        """Sum over axes."""
        from . import functions

        return _tensor(functions.sum(self, axis, keepdims))

    def mean(self, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Tensor:
        """Mean over axes."""
        from . import functions

        return _tensor(functions.mean(self, axis, keepdims))

    def max(self, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Tensor:
        """Maximum over axes."""
        from . import functions

        return _tensor(functions.max(self, axis, keepdims))

    def min(self, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Tensor:
        """Minimum over axes."""
        from . import functions

        return _tensor(functions.min(self, axis, keepdims))

    def prod(self, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Tensor:
        """Product over axes."""
        from . import functions

        return _tensor(functions.prod(self, axis, keepdims))


def array_ufunc(ufunc: Any, method: str, inputs: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Answer the operators of an array on the left; refuse every other NumPy function."""
    operator = _OPERATORS.get(ufunc.__name__)
    if operator is not None and method == "__call__" and len(inputs) == 2 and not kwargs:
        return operator(*inputs)
    from . import functions

    name = _OTHER_NAMES.get(ufunc.__name__, ufunc.__name__)
    known = name in functions.__all__ and method == "__call__"
    instead = f"sciml.framework.{name}" if known else "the functions of sciml.framework"
    called = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
    raise TraceError(
        f"numpy.{called} does not know traced, recorded or Complex values; use {instead}"
    )


def is_complex(x: object) -> bool:
    """Return whether this is a `Complex`, or a complex number or array of Python or NumPy."""
    return isinstance(x, complex) or getattr(getattr(x, "dtype", None), "kind", "") == "c"


def by_parts(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function that is linear in its first argument take a complex one."""

    @functools.wraps(function)
    def apply(x: Any, *arguments: Any, **options: Any) -> Any:
        if is_complex(x):
            from .complex import Complex

            return Complex(x).each(lambda part: function(part, *arguments, **options))
        return function(x, *arguments, **options)

    return apply


def _tensor(result: Any) -> Tensor:
    """The result of an operation with a tensor is a tensor."""
    return cast(Tensor, result)


def _power(x: Any, y: Any) -> Any:
    return y.__rpow__(x) if isinstance(x, np.ndarray | np.generic) else x**y


def wrap(operand: Operand) -> Any:
    """Return a Tensor for a traced or recorded value and the array itself for an array."""
    return Tensor(operand) if isinstance(operand, Value | Concrete) else operand


def unwrap(x: ArrayLike, like: DType | None = None) -> Operand:
    """Return the operand behind an argument; a Python number takes the element type `like`."""
    if isinstance(x, Tensor):
        return x.value
    if isinstance(x, Dim):
        return dim_value(dim=x, dtype=like if like is not None else INT64)
    if is_complex(x):
        raise TraceError(
            f"cannot use {type(x).__name__} {x!r} as an array of numbers, which are real here; "
            "complex ones enter as sciml.framework.Complex, or by .real, .imag or abs"
        )
    if isinstance(x, bool | int | float) and like is not None:
        if isinstance(x, float) and not is_float(like):
            like = FLOAT64
        if like == BOOL:
            like = INT64
        return _array(x, np.dtype(np.bool_) if isinstance(x, bool) else like)
    array = _array(x, None)
    if array.dtype.kind not in "fiub":
        raise TraceError(f"cannot use {type(x).__name__} {x!r} as an array of numbers")
    return array


def _array(x: Any, dtype: DType | None) -> npt.NDArray[Any]:
    try:
        return np.asarray(x, dtype=dtype)
    except (OverflowError, ValueError) as error:
        raise TraceError(
            f"cannot use {type(x).__name__} {x!r} as an array of "
            f"{'numbers' if dtype is None else dtype}: {error}"
        ) from None


def broadcast_shapes(a: Shape, b: Shape) -> Shape:
    """Return the common shape of two operands.

    Raises
    ------
    ShapeError
        If the sizes differ and neither is 1, or if operands of different rank would both be
        enlarged.
    """
    rank = max(len(a), len(b))
    wide_a, wide_b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    result = []
    for x, y in zip(wide_a, wide_b, strict=True):
        if x != y and x != 1 and y != 1:
            raise ShapeError(f"shapes {_text(a)} and {_text(b)} do not fit: sizes {x} and {y}")
        result.append(y if x == 1 else x)
    shape = tuple(result)
    if len(a) != len(b) and shape not in (wide_a, wide_b):
        raise ShapeError(
            f"shapes {_text(a)} and {_text(b)} would broadcast to {_text(shape)}, "
            "larger than both; give both the same rank, for example x[:, None] or x.reshape(-1, 1)"
        )
    return shape


def _text(shape: Shape) -> str:
    return "(" + ", ".join(map(str, shape)) + (",)" if len(shape) == 1 else ")")


def broadcast_to(operand: Operand, target: Shape) -> Operand:
    """Repeat an operand to a shape by NumPy's rule."""
    own = type_of(operand).shape
    if own == target:
        return operand
    if isinstance(operand, np.ndarray) and operand.size == 1:
        return full(target, operand.item(), operand.dtype)
    dimensions = tuple(range(len(target) - len(own), len(target)))
    return broadcast(operand, shape=tuple(target), dimensions=dimensions)


def common_type(x: ArrayLike, y: ArrayLike) -> tuple[Operand, Operand]:
    """Bring two arguments to one element type; Python numbers follow the other operand."""
    weak_x = isinstance(x, bool | int | float | Dim)
    weak_y = isinstance(y, bool | int | float | Dim)
    if weak_x and not weak_y:
        b = unwrap(y)
        return _match(unwrap(x, type_of(b).dtype), b)
    if weak_y and not weak_x:
        a = unwrap(x)
        return _match(a, unwrap(y, type_of(a).dtype))
    return _match(unwrap(x, FLOAT64), unwrap(y, FLOAT64))


def _match(a: Operand, b: Operand) -> tuple[Operand, Operand]:
    left, right = type_of(a).dtype, type_of(b).dtype
    if left == right:
        return a, b
    if {left, right} == {FLOAT32, FLOAT64}:
        raise TraceError(
            "float32 and float64 arrays meet in one operation; "
            "convert one of them with .astype(...) so that the precision is chosen on purpose"
        )
    common = np.promote_types(left, right)
    return (
        a if left == common else convert(a, dtype=common),
        b if right == common else convert(b, dtype=common),
    )


def binary(primitive: Primitive, x: ArrayLike, y: ArrayLike) -> Any:
    """Apply a two-operand elementwise primitive after matching element types and shapes."""
    if is_complex(x) or is_complex(y):
        from .complex import combine

        return combine(primitive.name, x, y)
    a, b = common_type(x, y)
    if primitive.name in ("div", "pow", "atan2") and not is_float(type_of(a).dtype):
        a, b = convert(a, dtype=FLOAT64), convert(b, dtype=FLOAT64)
    target = broadcast_shapes(type_of(a).shape, type_of(b).shape)
    return wrap(bind(primitive, (broadcast_to(a, target), broadcast_to(b, target)), {}))


def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike) -> Any:
    """Choose by element: x where the condition holds, y elsewhere."""
    if is_complex(x) or is_complex(y):
        from .complex import choose

        return choose(condition, x, y)
    a, b = common_type(x, y)
    c = unwrap(condition)
    target = broadcast_shapes(type_of(a).shape, type_of(b).shape)
    target = broadcast_shapes(type_of(c).shape, target)
    return wrap(select(broadcast_to(c, target), broadcast_to(a, target), broadcast_to(b, target)))


def matmul(x: ArrayLike, y: ArrayLike) -> Any:
    """Matrix product by NumPy's rule for operands of rank 1 and 2, and stacks of equal rank."""
    if is_complex(x) or is_complex(y):
        from .complex import multiplied

        return multiplied(matmul, x, y)
    a, b = common_type(x, y)
    rank_a, rank_b = type_of(a).rank, type_of(b).rank
    if rank_a == 0 or rank_b == 0:
        raise ShapeError("matmul: operands must have at least one axis")
    if rank_a > 2 and rank_b > 2:
        if rank_a != rank_b:
            raise ShapeError(f"matmul: stacks of rank {rank_a} and {rank_b} do not fit")
        stack = tuple(range(rank_a - 2))
        dims = {"contract": ((rank_a - 1,), (rank_b - 2,)), "batch": (stack, stack)}
    elif rank_b > 2:
        raise ShapeError("matmul: a stack on the right needs a stack on the left")
    else:
        dims = {"contract": ((rank_a - 1,), (max(rank_b - 2, 0),)), "batch": ((), ())}
    return wrap(bind(contraction.dot_general, (a, b), dims))


@by_parts
def take(x: ArrayLike, indices: ArrayLike, axis: int = 0) -> Any:
    """Take rows at integer indices along an axis."""
    operand = unwrap(x)
    axis = axis % type_of(operand).rank
    return wrap(indexing.gather(operand, unwrap(indices, INT64), axis=axis))


_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType({
    "add": partial(binary, add), "subtract": partial(binary, sub), "multiply": partial(binary, mul),
    "divide": partial(binary, math.div), "power": _power, "matmul": matmul,
    "equal": partial(binary, math.eq), "not_equal": partial(binary, math.ne),
    "less": partial(binary, math.lt), "less_equal": partial(binary, math.le),
    "greater": partial(binary, math.gt), "greater_equal": partial(binary, math.ge),
})  # fmt: skip
"""What NumPy calls an operator between an array and a tensor."""

_OTHER_NAMES = MappingProxyType({
    "absolute": "abs", "arccos": "acos", "arcsin": "asin", "arctan": "atan", "arctan2": "atan2",
})  # fmt: skip
