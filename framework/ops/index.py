"""NumPy indexing as slices, reshapes and gathers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dims import Dim
from ..errors import ShapeError
from .indexing import gather
from .primitive import Operand, type_of
from .reshape import reshape
from .reverse import reverse
from .slice import slice_
from .tensor import Tensor, unwrap

__all__ = ["take_index"]


def _expand(index: object, rank: int) -> list[object]:
    """Return one entry per axis (None entries kept), with the ellipsis written out."""
    entries = list(index) if isinstance(index, tuple) else [index]
    given = sum(e is not None and e is not Ellipsis for e in entries)
    if given > rank:
        raise ShapeError(f"{given} indices for {rank} axes")
    dots = [k for k, e in enumerate(entries) if e is Ellipsis]
    if len(dots) > 1:
        raise ShapeError("an index may hold only one ellipsis")
    at = dots[0] if dots else len(entries)
    rest = entries[at + 1 :] if dots else []
    return [*entries[:at], *[slice(None)] * (rank - given), *rest]


def _is_array(entry: object) -> bool:
    return isinstance(entry, Tensor | np.ndarray | list)


def take_index(operand: Operand, index: object) -> Operand:
    """Apply ``operand[index]`` for integers, slices, None, an ellipsis and one integer array."""
    entries = _expand(index, type_of(operand).rank)
    arrays = [e for e in entries if _is_array(e)]
    if len(arrays) > 1:
        raise ShapeError("only one integer array may be used in an index")
    axis = 0
    dropped: list[int] = []
    added: list[int] = []
    position = 0
    for entry in entries:
        if entry is None:
            added.append(position)
            position += 1
            continue
        if _is_array(entry):
            rank_before = type_of(operand).rank
            operand = _gather(operand, entry, axis)
            extra = type_of(operand).rank - rank_before + 1
            axis += extra
            position += extra
            continue
        if isinstance(entry, slice):
            operand = _slice(operand, entry, axis)
            position += 1
        elif isinstance(entry, int | np.integer):
            operand = _row(operand, int(entry), axis)
            dropped.append(axis)
        else:
            raise ShapeError(f"cannot index with {type(entry).__name__} {entry!r}")
        axis += 1
    sizes = [s for k, s in enumerate(type_of(operand).shape) if k not in dropped]
    for at in added:
        sizes.insert(at, 1)
    if tuple(sizes) == type_of(operand).shape:
        return operand
    return reshape(operand, shape=tuple(sizes))


def _gather(operand: Operand, entry: Any, axis: int) -> Operand:
    indices = unwrap(np.asarray(entry) if isinstance(entry, list) else entry)
    if type_of(indices).dtype.kind == "b":
        raise ShapeError("a boolean mask has a result of unknown size; use where(mask, x, 0)")
    if isinstance(indices, np.ndarray):
        size = type_of(operand).shape[axis]
        if isinstance(size, int):
            if indices.size and (indices.min() < -size or indices.max() >= size):
                raise IndexError(f"indices {indices} do not lie in size {size}")
            indices = np.where(indices < 0, indices + size, indices)
    return gather(operand, indices, axis=axis)


def _cut(operand: Operand, axis: int, start: int, limit: int | Dim, stride: int) -> Operand:
    sizes = type_of(operand).shape
    if (start, limit, stride) == (0, sizes[axis], 1):
        return operand
    return slice_(
        operand,
        start=tuple(start if k == axis else 0 for k in range(len(sizes))),
        limit=tuple(limit if k == axis else s for k, s in enumerate(sizes)),
        stride=tuple(stride if k == axis else 1 for k in range(len(sizes))),
    )


def _row(operand: Operand, i: int, axis: int) -> Operand:
    size = type_of(operand).shape[axis]
    if isinstance(size, Dim):
        if i < 0:
            raise ShapeError(f"index {i} counts from the end of the symbolic size {size}")
        return _cut(operand, axis, i, i + 1, 1)
    if not -size <= i < size:
        raise IndexError(f"index {i} does not lie in size {size}")
    return _cut(operand, axis, i % size, i % size + 1, 1)


def _slice(operand: Operand, entry: slice, axis: int) -> Operand:
    size = type_of(operand).shape[axis]
    if isinstance(size, Dim):
        start = entry.start or 0
        limit = size if entry.stop is None else entry.stop
        if entry.step not in (None, 1) or start < 0:
            raise ShapeError(f"only a forward slice of the symbolic size {size} is known")
        if isinstance(limit, int) and limit < 0:
            limit = size + limit
        return _cut(operand, axis, start, limit, 1)
    start, stop, step = entry.indices(size)
    if step > 0:
        return _cut(operand, axis, start, max(start, stop), step)
    count = max(0, -(-(start - stop) // -step))
    last = start + (count - 1) * step if count else start
    piece = _cut(operand, axis, last, start + 1 if count else start, -step)
    return reverse(piece, axes=(axis,))
