"""Primitives that move, repeat, join and fill elements, and element type conversion."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.dims import Dim, Shape, assume_not_negative, product
from ..core.dtypes import FLOAT32, FLOAT64, INT32, INT64, Array, DType, is_float
from ..errors import ShapeError
from ..ir.program import Operation
from ..ir.types import Attributes, Literal, TensorType
from .elementwise import GRID, INTEGERS, register_elementwise
from .lowering import Elementwise, Movement
from .primitive import (
    Axes,
    MappedAxes,
    Operand,
    Operands,
    Primitive,
    Sample,
    Tangents,
    Types,
    bind,
    primitives,
    type_of,
)

BLOCK = np.arange(24.0).reshape(2, 3, 4) / 7 - 1.3


def to_front(operand: Operand, axis: int | None, size: Any) -> Operand:
    """Bring a mapped axis to the front, or repeat an unmapped operand along a new one."""
    type = type_of(operand)
    if axis is None:
        shape = (size, *type.shape)
        return broadcast(operand, shape=shape, dimensions=tuple(range(1, type.rank + 1)))
    if axis == 0:
        return operand
    order = (axis, *(i for i in range(type.rank) if i != axis))
    return transpose(operand, permutation=order)


def _no_jvp(*_: object) -> None:
    return None


def _linear_unary(name: str) -> Callable[..., Operand | None]:
    def jvp(
        result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
    ) -> Operand | None:
        if tangents[0] is None:
            return None
        return bind(primitives[name], (tangents[0],), attributes)

    return jvp


# --- fill -----------------------------------------------------------------------------------


def _constant_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    value = attributes["value"]
    assert isinstance(value, Literal)
    return value.array


def _constant_element(emitter: Any, load: Any, index: Any, operation: Operation) -> Any:
    literal = operation.attributes["value"]
    values = literal.array.reshape(-1)
    flat = emitter.constant(0, INT64)
    for i, size in zip(index, literal.shape, strict=True):
        flat = emitter.add(emitter.mul(flat, emitter.constant(size, INT64)), i)
    result = emitter.constant(values[0] if values.size else 0, literal.dtype)
    for k in range(1, values.size):
        here = emitter.compare("eq", flat, emitter.constant(k, INT64))
        result = emitter.select(here, emitter.constant(values[k], literal.dtype), result)
    return result


constant = primitives.register(
    Primitive(
        name="constant",
        infer=lambda types, attributes: attributes["value"].type,
        evaluate=_constant_evaluate,
        jvp=_no_jvp,
        linearity="constant",
        transpose=None,
        batch=lambda operands, axes, size, attributes: _unmapped("constant"),
        axes=lambda types, attributes: Axes((), (None,) * len(attributes["value"].shape)),
        lowering=Movement(_constant_element),
        samples=(Sample((), {"value": Literal.of(GRID)}), Sample((), {"value": Literal.of(3.5)})),
        source="definition",
    )
)


def _unmapped(name: str) -> tuple[Operand, int]:
    raise AssertionError(f"{name} has no operands, so it is never mapped")


def _full_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    value = attributes["value"]
    assert isinstance(value, Literal)
    return np.broadcast_to(value.array, attributes["shape"])


_full = primitives.register(
    Primitive(
        name="full",
        infer=lambda types, a: TensorType(a["shape"], a["value"].dtype),
        evaluate=_full_evaluate,
        jvp=_no_jvp,
        linearity="constant",
        transpose=None,
        batch=lambda operands, axes, size, attributes: _unmapped("full"),
        axes=lambda types, a: Axes((), tuple(range(len(a["shape"])))),
        lowering=Elementwise(
            lambda e, op: e.constant(op.attributes["value"].array.item(), op.result.type.dtype)
        ),
        samples=(Sample((), {"value": Literal.of(2.5), "shape": (2, 3)}),),
        source="definition",
    )
)


def full(shape: Shape, value: float | Dim, dtype: DType) -> Operand:
    """Return an array filled with one number, or with a symbolic size."""
    if isinstance(value, Dim):
        size = dim_value(dim=value, dtype=dtype)
        return broadcast(size, shape=tuple(shape), dimensions=())
    literal = Literal.of(np.asarray(value, dtype=dtype))
    return bind(_full, (), {"value": literal, "shape": tuple(shape)})


def _iota_infer(types: Types, attributes: Attributes) -> TensorType:
    return TensorType(attributes["shape"], attributes["dtype"])


def _iota_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    shape, axis = attributes["shape"], attributes["axis"]
    column = [1] * len(shape)
    column[axis] = shape[axis]
    row = np.arange(shape[axis], dtype=attributes["dtype"]).reshape(column)
    return np.broadcast_to(row, shape)


iota = primitives.register(
    Primitive(
        name="iota",
        infer=_iota_infer,
        evaluate=_iota_evaluate,
        jvp=_no_jvp,
        linearity="constant",
        transpose=None,
        batch=lambda operands, axes, size, attributes: _unmapped("iota"),
        axes=lambda types, a: Axes(
            (), tuple(None if i == a["axis"] else i for i in range(len(a["shape"])))
        ),
        lowering=Movement(
            lambda e, load, index, op: e.convert(
                index[op.attributes["axis"]], INT64, op.result.type.dtype
            )
        ),
        samples=(
            Sample((), {"shape": (2, 3), "axis": 1, "dtype": INT32}),
            Sample((), {"shape": (4, 2), "axis": 0, "dtype": FLOAT64}),
        ),
        source="definition",
    )
)

dim_value = primitives.register(
    Primitive(
        name="dim_value",
        infer=lambda types, a: TensorType((), a["dtype"]),
        evaluate=lambda arrays, a: np.asarray(a["dim"], dtype=a["dtype"]),
        jvp=_no_jvp,
        linearity="constant",
        transpose=None,
        batch=lambda operands, axes, size, attributes: _unmapped("dim_value"),
        axes=lambda types, attributes: Axes((), ()),
        lowering=Elementwise(lambda e, op: e.size(op.attributes["dim"], op.result.type.dtype)),
        samples=(Sample((), {"dim": 7, "dtype": FLOAT64}),),
        source="definition",
    )
)

# --- conversion -----------------------------------------------------------------------------


def _convert_jvp(
    result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
) -> Operand | None:
    if tangents[0] is None or not is_float(attributes["dtype"]):
        return None
    return convert(tangents[0], dtype=attributes["dtype"])


convert: Primitive = register_elementwise(
    "convert",
    lambda x, dtype: x.astype(dtype),
    lambda e, op, x: e.convert(x, op.operands[0].type.dtype, op.result.type.dtype),
    [
        (GRID, {"dtype": FLOAT32}), (INTEGERS, {"dtype": FLOAT64}), (GRID, {"dtype": INT32}),
        (GRID > 0, {"dtype": FLOAT64}),
    ],
    jvp=_convert_jvp,
    transpose=lambda ct, i, x, a: convert(ct, dtype=type_of(x[0]).dtype),
    linearity="joint",
    infer=lambda types, a: TensorType(types[0].shape, a["dtype"]),
)  # fmt: skip

# --- broadcast ------------------------------------------------------------------------------


def _broadcast_infer(types: Types, attributes: Attributes) -> TensorType:
    shape, dimensions = attributes["shape"], attributes["dimensions"]
    assert isinstance(shape, tuple)
    assert isinstance(dimensions, tuple)
    fits = len(dimensions) == types[0].rank and all(
        size in (1, shape[d]) for size, d in zip(types[0].shape, dimensions, strict=True)
    )
    if not fits or sorted(set(dimensions)) != list(dimensions):
        raise ShapeError(
            f"broadcast: {types[0]} does not fit shape {shape} along dimensions {dimensions}"
        )
    return TensorType(shape, types[0].dtype)


def _broadcast_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    shape = attributes["shape"]
    column: list[int] = [1] * len(shape)
    for size, d in zip(arrays[0].shape, attributes["dimensions"], strict=True):
        column[d] = size
    return np.broadcast_to(arrays[0].reshape(column), shape)


def _broadcast_transpose(
    ct: Operand, index: int, operands: Operands, attributes: Attributes
) -> Operand:
    from .reduction import reduce_sum

    shape, dimensions = attributes["shape"], attributes["dimensions"]
    kept = type_of(operands[0]).shape
    added = tuple(i for i in range(len(shape)) if i not in dimensions)
    widened = tuple(
        d for d, size in zip(dimensions, kept, strict=True) if size == 1 and shape[d] != 1
    )
    axes = tuple(sorted(added + widened))
    total = reduce_sum(ct, axes=axes) if axes else ct
    return reshape(total, shape=kept) if type_of(total).shape != kept else total


def _broadcast_batch(
    operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
) -> tuple[Operand, int]:
    x = to_front(operands[0], axes[0], size)
    dimensions = (0, *(d + 1 for d in attributes["dimensions"]))
    return broadcast(x, shape=(size, *attributes["shape"]), dimensions=dimensions), 0


def _broadcast_axes(types: Types, attributes: Attributes) -> Axes:
    shape, dimensions = attributes["shape"], attributes["dimensions"]
    operand = tuple(
        d if size == shape[d] else len(shape) + d
        for size, d in zip(types[0].shape, dimensions, strict=True)
    )
    return Axes((operand,), tuple(range(len(shape))))


def _broadcast_element(e: Any, load: Any, index: Any, op: Operation) -> Any:
    zero = e.constant(0, INT64)
    source = [
        zero if size == 1 else index[d]
        for size, d in zip(op.operands[0].type.shape, op.attributes["dimensions"], strict=True)
    ]
    return load(0, source)


broadcast: Primitive = primitives.register(
    Primitive(
        name="broadcast",
        infer=_broadcast_infer,
        evaluate=_broadcast_evaluate,
        jvp=_linear_unary("broadcast"),
        linearity="joint",
        transpose=_broadcast_transpose,
        batch=_broadcast_batch,
        axes=_broadcast_axes,
        lowering=Movement(_broadcast_element),
        samples=(
            Sample((GRID,), {"shape": (4, 2, 3), "dimensions": (1, 2)}),
            Sample((GRID[:1],), {"shape": (5, 3), "dimensions": (0, 1)}),
            Sample((np.asarray(1.5),), {"shape": (2, 2), "dimensions": ()}),
        ),
        source="definition",
    )
)

# --- reshape --------------------------------------------------------------------------------


def _reshape_infer(types: Types, attributes: Attributes) -> TensorType:
    shape = attributes["shape"]
    assert isinstance(shape, tuple)
    if product(shape) != types[0].size:
        raise ShapeError(f"reshape: {types[0]} has not as many elements as shape {shape}")
    return TensorType(shape, types[0].dtype)


def reshape_groups(old: Shape, new: Shape) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Split both shapes into the shortest runs of axes of equal size."""
    groups = []
    i = j = 0
    while i < len(old) or j < len(new):
        left, right = [], []
        a: int | Dim = 1
        b: int | Dim = 1
        if i < len(old):
            a, left, i = old[i], [i], i + 1
        if j < len(new):
            b, right, j = new[j], [j], j + 1
        while a != b:
            take_left = j >= len(new) or (
                i < len(old) and isinstance(a, int) and (isinstance(b, Dim) or a < b)
            )
            if take_left:
                a, i = a * old[i], i + 1
                left.append(i - 1)
            else:
                b, j = b * new[j], j + 1
                right.append(j - 1)
        groups.append((tuple(left), tuple(right)))
    return groups


def _reshape_axes(types: Types, attributes: Attributes) -> Axes:
    old, new = types[0].shape, attributes["shape"]
    operand: list[int | None] = [None] * len(old)
    result: list[int | None] = [None] * len(new)
    label = itertools.count()
    try:
        groups = reshape_groups(old, new)
    except IndexError:
        return Axes((tuple(operand),), tuple(result))
    for left, right in groups:
        wide_left = [i for i in left if old[i] != 1]
        wide_right = [j for j in right if new[j] != 1]
        if len(left) == 1 and len(right) == 1:
            wide_left, wide_right = list(left), list(right)
        if len(wide_left) == 1 and len(wide_right) == 1:
            operand[wide_left[0]] = result[wide_right[0]] = next(label)
        for i in left:
            if old[i] == 1 and operand[i] is None:
                operand[i] = next(label)
        for j in right:
            if new[j] == 1 and result[j] is None:
                result[j] = next(label)
    return Axes((tuple(operand),), tuple(result))


def _reshape_element(e: Any, load: Any, index: Any, op: Operation) -> Any:
    def size(d: int | Dim) -> Any:
        return e.size(d, INT64)

    old, new = op.operands[0].type.shape, op.result.type.shape
    source: list[object] = [e.constant(0, INT64)] * len(old)
    for left, right in reshape_groups(old, new):
        flat = e.constant(0, INT64)
        for j in right:
            flat = (
                index[j]
                if new[j] != 1 and len(right) == 1
                else e.add(e.mul(flat, size(new[j])), index[j])
            )
        for i in reversed(left[1:]):
            quotient = e.div(flat, size(old[i]))
            source[i] = e.sub(flat, e.mul(quotient, size(old[i])))
            flat = quotient
        if left:
            source[left[0]] = flat
    return load(0, source)


def _reshape_batch(
    operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
) -> tuple[Operand, int]:
    x = to_front(operands[0], axes[0], size)
    return reshape(x, shape=(size, *attributes["shape"])), 0


reshape: Primitive = primitives.register(
    Primitive(
        name="reshape",
        infer=_reshape_infer,
        evaluate=lambda arrays, a: arrays[0].reshape(a["shape"]),
        jvp=_linear_unary("reshape"),
        linearity="joint",
        transpose=lambda ct, i, x, a: reshape(ct, shape=type_of(x[0]).shape),
        batch=_reshape_batch,
        axes=_reshape_axes,
        lowering=Movement(_reshape_element),
        samples=(
            Sample((BLOCK,), {"shape": (6, 4)}),
            Sample((BLOCK,), {"shape": (2, 1, 12)}),
            Sample((GRID,), {"shape": (3, 2)}),
            Sample((np.asarray([[1.25]]),), {"shape": ()}),
        ),
        source="definition",
    )
)

# --- transpose ------------------------------------------------------------------------------


def _transpose_infer(types: Types, attributes: Attributes) -> TensorType:
    order = attributes["permutation"]
    if sorted(order) != list(range(types[0].rank)):
        raise ShapeError(f"transpose: {order} is not a permutation of the axes of {types[0]}")
    return TensorType(tuple(types[0].shape[i] for i in order), types[0].dtype)


def _inverse(order: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argsort(order))


def _transpose_batch(
    operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
) -> tuple[Operand, int]:
    x = to_front(operands[0], axes[0], size)
    return transpose(x, permutation=(0, *(i + 1 for i in attributes["permutation"]))), 0


transpose: Primitive = primitives.register(
    Primitive(
        name="transpose",
        infer=_transpose_infer,
        evaluate=lambda arrays, a: arrays[0].transpose(a["permutation"]),
        jvp=_linear_unary("transpose"),
        linearity="joint",
        transpose=lambda ct, i, x, a: transpose(ct, permutation=_inverse(a["permutation"])),
        batch=_transpose_batch,
        axes=lambda types, a: Axes((tuple(range(types[0].rank)),), a["permutation"]),
        lowering=Movement(
            lambda e, load, index, op: load(
                0, [index[i] for i in _inverse(op.attributes["permutation"])]
            )
        ),
        samples=(
            Sample((BLOCK,), {"permutation": (2, 0, 1)}),
            Sample((GRID,), {"permutation": (1, 0)}),
        ),
        source="definition",
    )
)

# --- slice, pad, reverse, concatenate -------------------------------------------------------


def _slice_size(start: int, limit: int | Dim, stride: int, size: int | Dim) -> int | Dim:
    if stride == 1:
        return limit - start
    if isinstance(limit, Dim):
        raise ShapeError(f"slice: stride {stride} needs a known size, got {size}")
    return max(0, -(-(limit - start) // stride))


def _slice_infer(types: Types, attributes: Attributes) -> TensorType:
    rows = list(zip(attributes["start"], attributes["limit"], attributes["stride"],
                    types[0].shape, strict=True))  # fmt: skip
    for start, limit, stride, size in rows:
        known = isinstance(size, int) and isinstance(limit, int)
        if start < 0 or stride < 1 or (known and not start <= limit <= size):
            raise ShapeError(f"slice: {start}:{limit}:{stride} does not lie in size {size}")
        assume_not_negative(size - limit)
        assume_not_negative(limit - start)
    return TensorType(tuple(_slice_size(*row) for row in rows), types[0].dtype)


def _slice_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    rows = zip(attributes["start"], attributes["limit"], attributes["stride"], strict=True)
    return arrays[0][tuple(slice(*row) for row in rows)]


def _slice_transpose(
    ct: Operand, index: int, operands: Operands, attributes: Attributes
) -> Operand:
    shape = type_of(operands[0]).shape
    out = type_of(ct).shape
    low, high, interior = [], [], []
    for start, stride, size, got in zip(
        attributes["start"], attributes["stride"], shape, out, strict=True
    ):
        covered = start + (got - 1) * stride + 1 if stride != 1 else start + got
        low.append(start)
        high.append(size - covered)
        interior.append(stride - 1)
    if not any(low) and not any(high) and not any(interior):
        return ct
    zero = full((), 0.0, type_of(ct).dtype)
    return pad(ct, zero, low=tuple(low), high=tuple(high), interior=tuple(interior))


def _slice_batch(
    operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
) -> tuple[Operand, int]:
    x = to_front(operands[0], axes[0], size)
    return slice_(
        x, start=(0, *attributes["start"]), limit=(size, *attributes["limit"]),
        stride=(1, *attributes["stride"]),
    ), 0  # fmt: skip


def _slice_axes(types: Types, attributes: Attributes) -> Axes:
    whole = [
        start == 0 and stride == 1 and limit == size
        for start, limit, stride, size in zip(
            attributes["start"], attributes["limit"], attributes["stride"],
            types[0].shape, strict=True)
    ]  # fmt: skip
    labels = tuple(i if keep else None for i, keep in enumerate(whole))
    return Axes((labels,), labels)


def _slice_element(e: Any, load: Any, index: Any, op: Operation) -> Any:
    source = []
    for i, start, stride in zip(
        index, op.attributes["start"], op.attributes["stride"], strict=True
    ):
        scaled = i if stride == 1 else e.mul(i, e.constant(stride, INT64))
        source.append(scaled if start == 0 else e.add(scaled, e.constant(start, INT64)))
    return load(0, source)


slice_: Primitive = primitives.register(
    Primitive(
        name="slice",
        infer=_slice_infer,
        evaluate=_slice_evaluate,
        jvp=_linear_unary("slice"),
        linearity="joint",
        transpose=_slice_transpose,
        batch=_slice_batch,
        axes=_slice_axes,
        lowering=Movement(_slice_element),
        samples=(
            Sample((BLOCK,), {"start": (0, 1, 0), "limit": (2, 3, 4), "stride": (1, 1, 2)}),
            Sample((BLOCK,), {"start": (1, 0, 1), "limit": (2, 3, 4), "stride": (1, 1, 3)}),
        ),
        source="definition",
    )
)


def _padded(low: int, high: int | Dim, interior: int, size: int | Dim) -> int | Dim:
    inner = size if interior == 0 else size + (size - 1) * interior
    return inner + low + high


def _pad_infer(types: Types, attributes: Attributes) -> TensorType:
    if types[1].rank != 0 or types[1].dtype != types[0].dtype:
        raise ShapeError(f"pad: the padding value must be {types[0].dtype}[], got {types[1]}")
    rows = zip(attributes["low"], attributes["high"], attributes["interior"],
               types[0].shape, strict=True)  # fmt: skip
    shape = tuple(_padded(*row) for row in rows)
    if any(isinstance(s, int) and s < 0 for s in shape):
        raise ShapeError(f"pad: negative size in {shape}")
    for size in shape:
        assume_not_negative(size)
    return TensorType(shape, types[0].dtype)


def _pad_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    x, value = arrays
    low, high, interior = attributes["low"], attributes["high"], attributes["interior"]
    rows = list(zip(low, high, interior, x.shape, strict=True))
    out = np.full([_padded(*row) for row in rows], value, dtype=x.dtype)
    target: list[Array] = []
    source: list[Array] = []
    for lo, _, step, size in rows:
        positions = lo + np.arange(size) * (step + 1)
        keep = (positions >= 0) & (positions < out.shape[len(target)])
        target.append(positions[keep])
        source.append(np.arange(size)[keep])
    out[np.ix_(*target)] = x[np.ix_(*source)]
    return out


def _pad_jvp(
    result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
) -> Operand | None:
    x, value = tangents
    if x is None and value is None:
        return None
    x = full(type_of(operands[0]).shape, 0.0, type_of(result).dtype) if x is None else x
    value = full((), 0.0, type_of(result).dtype) if value is None else value
    return pad(x, value, **attributes)


def _pad_transpose(ct: Operand, index: int, operands: Operands, attributes: Attributes) -> Operand:
    from .reduction import reduce_sum

    low, high, interior = attributes["low"], attributes["high"], attributes["interior"]
    shape = type_of(ct).shape
    # negative padding cuts, so its transpose first puts zeros back
    zero = full((), 0.0, type_of(ct).dtype)
    cut_low = tuple(max(0, -lo) for lo in low)
    cut_high = tuple(max(0, -hi) if isinstance(hi, int) else 0 for hi in high)
    wide = pad(ct, zero, low=cut_low, high=cut_high, interior=(0,) * len(low))
    start = tuple(max(0, lo) for lo in low)
    grown = type_of(wide).shape
    limit = tuple(
        size - (max(0, hi) if isinstance(hi, int) else hi)
        for size, hi in zip(grown, high, strict=True)
    )
    stride = tuple(i + 1 for i in interior)
    inside = slice_(wide, start=start, limit=limit, stride=stride)
    if index == 0:
        return inside
    axes = tuple(range(len(shape)))
    return bind(primitives["sub"], (reduce_sum(ct, axes=axes), reduce_sum(inside, axes=axes)), {})


def _pad_batch(
    operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
) -> tuple[Operand, int]:
    x = to_front(operands[0], axes[0], size)
    widened = {k: (0, *v) for k, v in attributes.items()}
    if axes[1] is None:
        return pad(x, operands[1], **widened), 0
    # a padding value per batch element: pad with zero, then fill the hole by a mask
    dtype = type_of(x).dtype
    zeros = pad(x, full((), 0.0, dtype), **widened)
    ones = full(type_of(x).shape, 1.0, dtype)
    mask = pad(ones, full((), 0.0, dtype), **widened)
    shape = type_of(zeros).shape
    value = broadcast(operands[1], shape=shape, dimensions=(0,))
    hole = bind(primitives["eq"], (mask, full(shape, 0.0, dtype)), {})
    return bind(primitives["select"], (hole, value, zeros), {}), 0


def _pad_axes(types: Types, attributes: Attributes) -> Axes:
    rows = zip(attributes["low"], attributes["high"], attributes["interior"], strict=True)
    labels = tuple(i if row == (0, 0, 0) else None for i, row in enumerate(rows))
    return Axes((labels, ()), labels)


def _pad_element(e: Any, load: Any, index: Any, op: Operation) -> Any:
    inside, source = None, []
    zero = e.constant(0, INT64)
    rows = zip(index, op.attributes["low"], op.attributes["interior"],
               op.operands[0].type.shape, strict=True)  # fmt: skip
    for i, low, interior, size in rows:
        shifted = i if low == 0 else e.sub(i, e.constant(low, INT64))
        position = shifted
        step = e.constant(interior + 1, INT64)
        checks = [e.compare("ge", shifted, zero)]
        if interior:
            position = e.div(shifted, step)
            checks.append(e.compare("eq", e.mul(position, step), shifted))
        last = e.sub(e.size(size, INT64), e.constant(1, INT64))
        checks.append(e.compare("le", position, last))
        for check in checks:
            inside = check if inside is None else e.logical("and", inside, check)
        bounded = e.select(e.compare("gt", position, last), last, position)
        source.append(e.select(e.compare("lt", bounded, zero), zero, bounded))
    if inside is None:
        return load(0, [])
    return e.select(inside, load(0, source), load(1, []))


pad: Primitive = primitives.register(
    Primitive(
        name="pad",
        infer=_pad_infer,
        evaluate=_pad_evaluate,
        jvp=_pad_jvp,
        linearity="joint",
        transpose=_pad_transpose,
        batch=_pad_batch,
        axes=_pad_axes,
        lowering=Movement(_pad_element),
        samples=(
            Sample((GRID, np.asarray(0.5)), {"low": (1, 0), "high": (0, 2), "interior": (0, 1)}),
            Sample(
                (BLOCK, np.asarray(0.0)),
                {"low": (0, -1, 2), "high": (1, 0, -1), "interior": (0, 0, 0)},
            ),
        ),
        source="definition",
    )
)


def _reverse_batch(
    operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
) -> tuple[Operand, int]:
    x = to_front(operands[0], axes[0], size)
    return reverse(x, axes=tuple(i + 1 for i in attributes["axes"])), 0


def _reverse_axes(types: Types, attributes: Attributes) -> Axes:
    labels = tuple(None if i in attributes["axes"] else i for i in range(types[0].rank))
    return Axes((labels,), labels)


def _reverse_element(e: Any, load: Any, index: Any, op: Operation) -> Any:
    one = e.constant(1, INT64)
    return load(0, [
        e.sub(e.sub(e.size(op.result.type.shape[k], INT64), one), i)
        if k in op.attributes["axes"] else i
        for k, i in enumerate(index)
    ])  # fmt: skip


reverse: Primitive = primitives.register(
    Primitive(
        name="reverse",
        infer=lambda types, attributes: types[0],
        evaluate=lambda arrays, a: np.flip(arrays[0], a["axes"]),
        jvp=_linear_unary("reverse"),
        linearity="joint",
        transpose=lambda ct, i, x, a: reverse(ct, axes=a["axes"]),
        batch=_reverse_batch,
        axes=_reverse_axes,
        lowering=Movement(_reverse_element),
        samples=(Sample((BLOCK,), {"axes": (0, 2)}), Sample((GRID,), {"axes": (1,)})),
        source="definition",
    )
)


def _concatenate_infer(types: Types, attributes: Attributes) -> TensorType:
    axis = attributes["axis"]
    first = types[0]
    if not isinstance(axis, int) or not 0 <= axis < first.rank:
        raise ShapeError(f"concatenate: axis {axis} does not lie in {first}")
    for other in types[1:]:
        rest = [s for i, s in enumerate(other.shape) if i != axis]
        if rest != [s for i, s in enumerate(first.shape) if i != axis] or (
            other.dtype != first.dtype
        ):
            raise ShapeError(
                f"concatenate along axis {axis}: {' and '.join(map(str, types))} do not fit"
            )
    total: int | Dim = 0
    for t in types:
        total = total + t.shape[axis]
    return TensorType((*first.shape[:axis], total, *first.shape[axis + 1 :]), first.dtype)


def _concatenate_jvp(
    result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
) -> Operand | None:
    if all(t is None for t in tangents):
        return None
    dtype = type_of(result).dtype
    filled = [
        full(type_of(o).shape, 0.0, dtype) if t is None else t
        for o, t in zip(operands, tangents, strict=True)
    ]
    return bind(concatenate, filled, attributes)


def _concatenate_transpose(
    ct: Operand, index: int, operands: Operands, attributes: Attributes
) -> Operand:
    axis = attributes["axis"]
    offset: int | Dim = 0
    for before in operands[:index]:
        offset = offset + type_of(before).shape[axis]
    shape = type_of(ct).shape
    size = type_of(operands[index]).shape[axis]
    start = tuple(offset if i == axis else 0 for i in range(len(shape)))
    limit = tuple(offset + size if i == axis else s for i, s in enumerate(shape))
    return slice_(ct, start=start, limit=limit, stride=(1,) * len(shape))


def _concatenate_batch(
    operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
) -> tuple[Operand, int]:
    fronted = [to_front(o, a, size) for o, a in zip(operands, axes, strict=True)]
    return bind(concatenate, fronted, {"axis": attributes["axis"] + 1}), 0


def _concatenate_axes(types: Types, attributes: Attributes) -> Axes:
    labels = tuple(None if i == attributes["axis"] else i for i in range(types[0].rank))
    return Axes(tuple(labels for _ in types), labels)


def _concatenate_element(e: Any, load: Any, index: Any, op: Operation) -> Any:
    axis = op.attributes["axis"]
    zero, one = e.constant(0, INT64), e.constant(1, INT64)
    result, offset = None, zero
    for k, operand in enumerate(op.operands):
        size = e.size(operand.type.shape[axis], INT64)
        local = e.sub(index[axis], offset)
        last = e.sub(size, one)
        bounded = e.select(e.compare("gt", local, last), last, local)
        bounded = e.select(e.compare("lt", bounded, zero), zero, bounded)
        value = load(k, [*index[:axis], bounded, *index[axis + 1 :]])
        inside = e.compare("ge", index[axis], offset)
        result = value if result is None else e.select(inside, value, result)
        offset = e.add(offset, size)
    return result


concatenate: Primitive = primitives.register(
    Primitive(
        name="concatenate",
        infer=_concatenate_infer,
        evaluate=lambda arrays, a: np.concatenate(arrays, axis=a["axis"]),
        jvp=_concatenate_jvp,
        linearity="joint",
        transpose=_concatenate_transpose,
        batch=_concatenate_batch,
        axes=_concatenate_axes,
        lowering=Movement(_concatenate_element),
        samples=(
            Sample((GRID, GRID[:1] + 1.0, GRID * 2), {"axis": 0}),
            Sample((GRID, GRID[:, :2]), {"axis": 1}),
        ),
        source="definition",
    )
)
