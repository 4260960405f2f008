"""Rows taken at integer indices, their transpose, unit rows, and counter-based random bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.dtypes import FLOAT32, FLOAT64, INT64, UINT32, Array, is_integer
from ..errors import DtypeError, ShapeError
from ..ir.program import Operation
from ..ir.types import Attributes, TensorType
from .convert import convert
from .fill import full, iota
from .lowering import Movement, Scatter
from .mapped import fronted, to_front
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
from .reshape import reshape
from .samples import BLOCK, GRID
from .transpose import transpose

# --- gather ---------------------------------------------------------------------------------


def _gather_infer(types: Types, attributes: Attributes) -> TensorType:
    operand, indices = types
    axis = attributes["axis"]
    if not is_integer(indices.dtype):
        raise DtypeError(f"gather: indices must be integers, got {indices}")
    if not isinstance(axis, int) or not 0 <= axis < operand.rank:
        raise ShapeError(f"gather: axis {axis} does not lie in {operand}")
    shape = (*operand.shape[:axis], *indices.shape, *operand.shape[axis + 1 :])
    return TensorType(shape, operand.dtype)


def _check_range(indices: Array, size: int, name: str) -> None:
    if indices.size and (indices.min() < 0 or indices.max() >= size):
        raise IndexError(
            f"{name}: indices from {indices.min()} to {indices.max()} do not lie in size {size}"
        )


def _gather_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    axis = attributes["axis"]
    _check_range(arrays[1], arrays[0].shape[axis], "gather")
    return np.take(arrays[0], arrays[1], axis=axis)


def _gather_jvp(
    result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
) -> Operand | None:
    if tangents[0] is None:
        return None
    return gather(tangents[0], operands[1], axis=attributes["axis"])


def _gather_transpose(
    ct: Operand, index: int, operands: Operands, attributes: Attributes
) -> Operand:
    type = type_of(operands[0])
    zeros = full(type.shape, 0.0, type.dtype)
    return scatter_add(zeros, operands[1], ct, axis=attributes["axis"])


def _gather_batch(
    operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
) -> tuple[Operand, int]:
    axis = attributes["axis"]
    x, indices = operands
    if axes[1] is None:
        return gather(to_front(x, axes[0], size), indices, axis=axis + 1), 0
    if axes[0] is None:
        result = gather(x, to_front(indices, axes[1], size), axis=axis)
        return result, axis
    # both mapped: flatten (batch, axis) into one and shift the indices by batch * size
    x, flat_indices, rest = _flattened(x, indices, axes, size, axis)
    rows = gather(x, flat_indices, axis=0)
    count = type_of(indices).rank
    order = (0, *range(count, count + axis), *range(1, count), *range(count + axis, count + rest))
    return transpose(rows, permutation=order), 0


def _flattened(
    x: Operand, indices: Operand, axes: MappedAxes, size: Any, axis: int
) -> tuple[Operand, Operand, int]:
    """Bring x to (batch * axis, rest...) and indices to positions in its first axis."""
    x = to_front(x, axes[0], size)
    indices = convert(to_front(indices, axes[1], size), dtype=INT64)
    shape = type_of(x).shape
    order = (0, axis + 1, *(i for i in range(1, len(shape)) if i != axis + 1))
    x = transpose(x, permutation=order)
    moved = type_of(x).shape
    x = reshape(x, shape=(moved[0] * moved[1], *moved[2:]))
    shape_i = type_of(indices).shape
    step = full(shape_i, moved[1], INT64)
    row = iota(shape=shape_i, axis=0, dtype=INT64)
    shifted = bind(primitives["add"], (indices, bind(primitives["mul"], (row, step), {})), {})
    return x, shifted, len(moved) - 2


def _gather_axes(types: Types, attributes: Attributes) -> Axes:
    axis, rank = attributes["axis"], types[0].rank
    assert isinstance(axis, int)
    operand = tuple(None if i == axis else i for i in range(rank))
    indices = tuple(rank + i for i in range(types[1].rank))
    return Axes((operand, indices), (*operand[:axis], *indices, *operand[axis + 1 :]))


def _gather_element(e: Any, load: Any, index: Any, op: Operation) -> Any:
    """Out of range gives NaN in floating types, the nearest element in others."""
    axis, count = op.attributes["axis"], op.operands[1].type.rank
    position = e.convert(load(1, index[axis : axis + count]), op.operands[1].type.dtype, INT64)
    zero = e.constant(0, INT64)
    last = e.sub(e.size(op.operands[0].type.shape[axis], INT64), e.constant(1, INT64))
    low, high = e.compare("lt", position, zero), e.compare("gt", position, last)
    bounded = e.select(low, zero, e.select(high, last, position))
    value = load(0, [*index[:axis], bounded, *index[axis + count :]])
    if op.result.type.dtype.kind != "f":
        return value
    return e.select(e.logical("or", low, high), e.constant(np.nan, op.result.type.dtype), value)


_ROWS = np.array([2, 0, 2, 1])
_TABLE = np.array([[1, 0], [2, 2]])

gather = primitives.register(
    Primitive(
        name="gather",
        infer=_gather_infer,
        evaluate=_gather_evaluate,
        jvp=_gather_jvp,
        linearity="joint",
        transpose=_gather_transpose,
        batch=_gather_batch,
        axes=_gather_axes,
        lowering=Movement(_gather_element),
        samples=(
            Sample((BLOCK, _ROWS), {"axis": 1}),
            Sample((GRID, _TABLE), {"axis": 1}),
            Sample((GRID.T.copy(), np.asarray(1)), {"axis": 0}),
        ),
        source="definition",
    )
)

# --- scatter-add ----------------------------------------------------------------------------


def _scatter_infer(types: Types, attributes: Attributes) -> TensorType:
    operand, indices, updates = types
    expected = _gather_infer((operand, indices), attributes)
    if updates != expected:
        raise ShapeError(f"scatter_add: updates must be {expected}, got {updates}")
    return operand


def _scatter_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    operand, indices, updates = arrays
    axis = attributes["axis"]
    assert isinstance(axis, int)
    _check_range(indices, operand.shape[axis], "scatter_add")
    result = operand.copy()
    rows = np.moveaxis(result, axis, 0)
    source = np.arange(axis, axis + indices.ndim)
    np.add.at(rows, indices, np.moveaxis(updates, source, np.arange(indices.ndim)))
    return result


def _scatter_jvp(
    result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
) -> Operand | None:
    x, _, updates = tangents
    if x is None and updates is None:
        return None
    if x is None:
        x = full(type_of(result).shape, 0.0, type_of(result).dtype)
    if updates is None:
        return x
    return scatter_add(x, operands[1], updates, axis=attributes["axis"])


def _scatter_transpose(
    ct: Operand, index: int, operands: Operands, attributes: Attributes
) -> Operand:
    return ct if index == 0 else gather(ct, operands[1], axis=attributes["axis"])


def _scatter_batch(
    operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
) -> tuple[Operand, int]:
    axis = attributes["axis"]
    x, indices, updates = operands
    updates = to_front(updates, axes[2], size)
    if axes[1] is None:
        return scatter_add(to_front(x, axes[0], size), indices, updates, axis=axis + 1), 0
    count = type_of(indices).rank - 1
    x = to_front(x, axes[0], size)
    original = type_of(x).shape
    flat, shifted, rest = _flattened(x, indices, (0, axes[1]), size, axis)
    order = (0, *range(axis + 1, axis + 1 + count), *range(1, axis + 1),
             *range(axis + 1 + count, count + rest + 1))  # fmt: skip
    added = scatter_add(flat, shifted, transpose(updates, permutation=order), axis=0)
    moved = (original[0], original[axis + 1], *original[1 : axis + 1], *original[axis + 2 :])
    back = (0, *range(2, axis + 2), 1, *range(axis + 2, len(original)))
    return transpose(reshape(added, shape=moved), permutation=back), 0


def _scatter_axes(types: Types, attributes: Attributes) -> Axes:
    operand, updates = types[0], types[2]
    axis, count = attributes["axis"], types[1].rank
    assert isinstance(axis, int)
    labels = tuple(None if i == axis else i for i in range(operand.rank))
    indices = tuple(operand.rank + i for i in range(count))
    wide = (*labels[:axis], *indices, *labels[axis + 1 :])
    assert len(wide) == updates.rank
    return Axes((labels, indices, wide), labels)


scatter_add = primitives.register(
    Primitive(
        name="scatter_add",
        infer=_scatter_infer,
        evaluate=_scatter_evaluate,
        jvp=_scatter_jvp,
        linearity="joint",
        transpose=_scatter_transpose,
        batch=_scatter_batch,
        axes=_scatter_axes,
        lowering=Scatter(),
        samples=(
            Sample((BLOCK, _ROWS, np.ones((2, 4, 4)) * 0.5), {"axis": 1}),
            Sample((GRID, _TABLE, BLOCK[:, :2, :2] * 2.0), {"axis": 1}),
        ),
        source="definition",
    )
)

# --- one-hot rows ---------------------------------------------------------------------------


def _one_hot_infer(types: Types, attributes: Attributes) -> TensorType:
    (indices,) = types
    size, dtype = attributes["size"], attributes["dtype"]
    if not is_integer(indices.dtype):
        raise DtypeError(f"one_hot: indices must be integers, got {indices}")
    if not isinstance(dtype, np.dtype) or dtype.kind != "f":
        raise DtypeError(f"one_hot: the element type must be floating, got {dtype}")
    if not isinstance(size, int) or size < 1:
        raise ShapeError(f"one_hot: the size must be a number >= 1, got {size}")
    return TensorType((*indices.shape, size), dtype)


def _one_hot_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    size = attributes["size"]
    _check_range(arrays[0], size, "one_hot")
    hot = arrays[0][..., None] == np.arange(size)
    return np.asarray(hot, dtype=attributes["dtype"])


def _one_hot_element(e: Any, load: Any, index: Any, op: Operation) -> Any:
    """Out of range gives NaN, as taking the row at such an index does."""
    dtype = op.result.type.dtype
    position = e.convert(load(0, index[:-1]), op.operands[0].type.dtype, INT64)
    last = e.constant(op.attributes["size"] - 1, INT64)
    low, high = e.compare("lt", position, e.constant(0, INT64)), e.compare("gt", position, last)
    one, zero = e.constant(1.0, dtype), e.constant(0.0, dtype)
    value = e.select(e.compare("eq", position, index[-1]), one, zero)
    return e.select(e.logical("or", low, high), e.constant(np.nan, dtype), value)


one_hot = primitives.register(
    Primitive(
        name="one_hot",
        infer=_one_hot_infer,
        evaluate=_one_hot_evaluate,
        jvp=lambda *_: None,
        linearity="constant",
        transpose=None,
        batch=fronted("one_hot"),
        axes=lambda types, a: Axes((tuple(range(types[0].rank)),), (*range(types[0].rank), None)),
        lowering=Movement(_one_hot_element),
        samples=(
            Sample((_ROWS,), {"size": 3, "dtype": FLOAT64}),
            Sample((_TABLE,), {"size": 4, "dtype": FLOAT32}),
        ),
        source="definition",
    )
)

# --- random bits ----------------------------------------------------------------------------

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = 0x1BD11BDA


def _random_infer(types: Types, attributes: Attributes) -> TensorType:
    (key,) = types
    if key.dtype != UINT32 or key.rank < 1 or key.shape[-1] != 2:
        raise ShapeError(f"random_bits: the key must be u32[..., 2], got {key}")
    return TensorType((*key.shape[:-1], *attributes["shape"]), UINT32)


def _rotate_left(x: Array, bits: int) -> Array:
    return (x << np.uint32(bits)) | (x >> np.uint32(32 - bits))


def _random_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    """Threefry-2x32 with 20 rounds at counters (0, i); the first word is kept."""
    key, shape = arrays[0], attributes["shape"]
    assert isinstance(shape, tuple)
    count = int(np.prod(shape, dtype=np.int64))
    lead = key.shape[:-1]
    k0, k1 = key[..., 0].reshape(*lead, 1), key[..., 1].reshape(*lead, 1)
    keys = (k0, k1, k0 ^ k1 ^ np.uint32(_PARITY))
    with np.errstate(over="ignore"):
        x0 = np.zeros(count, np.uint32) + keys[0]
        x1 = np.arange(count, dtype=np.uint32) + keys[1]
        for group in range(5):
            for bits in _ROTATIONS[group % 2]:
                x0 = x0 + x1
                x1 = _rotate_left(x1, bits) ^ x0
            x0 = x0 + keys[(group + 1) % 3]
            x1 = x1 + keys[(group + 2) % 3] + np.uint32(group + 1)
    return x0.reshape(*lead, *shape)


def _random_element(e: Any, load: Any, index: Any, op: Operation) -> Any:
    lead = op.operands[0].type.rank - 1
    zero, one = e.constant(0, INT64), e.constant(1, INT64)
    flat = zero
    for i, size in zip(index[lead:], op.attributes["shape"], strict=True):
        flat = e.add(e.mul(flat, e.size(size, INT64)), i)
    k0, k1 = load(0, [*index[:lead], zero]), load(0, [*index[:lead], one])
    parity = e.constant(_PARITY, UINT32)
    keys = (k0, k1, e.bits("xor", e.bits("xor", k0, k1), parity))
    x0, x1 = keys[0], e.add(e.convert(flat, INT64, UINT32), keys[1])
    for group in range(5):
        for amount in _ROTATIONS[group % 2]:
            x0 = e.add(x0, x1)
            left = e.bits("shl", x1, e.constant(amount, UINT32))
            right = e.bits("shr", x1, e.constant(32 - amount, UINT32))
            x1 = e.bits("xor", e.bits("or", left, right), x0)
        x0 = e.add(x0, keys[(group + 1) % 3])
        x1 = e.add(e.add(x1, keys[(group + 2) % 3]), e.constant(group + 1, UINT32))
    return x0


random_bits = primitives.register(
    Primitive(
        name="random_bits",
        infer=_random_infer,
        evaluate=_random_evaluate,
        jvp=lambda *_: None,
        linearity="constant",
        transpose=None,
        batch=fronted("random_bits"),
        axes=lambda types, a: Axes(
            ((*range(types[0].rank - 1), None),),
            (*range(types[0].rank - 1), *(None for _ in a["shape"])),
        ),
        lowering=Movement(_random_element),
        samples=(
            Sample((np.array([7, 11], np.uint32),), {"shape": (3, 2)}),
            Sample((np.array([[1, 2], [3, 4]], np.uint32),), {"shape": (4,)}),
        ),
        source="Salmon, Moraes, Dror, Shaw: Parallel random numbers, SC11 (2011), Threefry-2x32-20",
    )
)
