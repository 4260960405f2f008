"""The batched matrix product over any axes, `dot_general`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.dtypes import FLOAT32, Array
from ..errors import DtypeError, ShapeError
from ..ir.types import Attributes, TensorType
from .elementwise import add
from .lowering import Contraction
from .mapped import to_front
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
from .samples import BLOCK, GRID, OTHER
from .transpose import transpose

Pairs = tuple[tuple[int, ...], tuple[int, ...]]


def free_axes(rank: int, *used: Sequence[int]) -> tuple[int, ...]:
    """Return the axes of an operand that are neither contracted nor in the batch."""
    taken = {a for axes in used for a in axes}
    return tuple(i for i in range(rank) if i not in taken)


def _pairs(attributes: Attributes) -> tuple[Pairs, Pairs]:
    return attributes["contract"], attributes["batch"]


def _infer(types: Types, attributes: Attributes) -> TensorType:
    (lc, rc), (lb, rb) = _pairs(attributes)
    lhs, rhs = types
    if lhs.dtype != rhs.dtype or lhs.dtype.kind != "f":
        raise DtypeError(f"dot: operands must be of one floating type, got {lhs} and {rhs}")
    for a, b in zip((*lc, *lb), (*rc, *rb), strict=True):
        if lhs.shape[a] != rhs.shape[b]:
            raise ShapeError(
                f"dot: axis {a} of {lhs} and axis {b} of {rhs} have different sizes "
                f"{lhs.shape[a]} and {rhs.shape[b]}"
            )
    shape = (
        *(lhs.shape[i] for i in lb),
        *(lhs.shape[i] for i in free_axes(lhs.rank, lc, lb)),
        *(rhs.shape[i] for i in free_axes(rhs.rank, rc, rb)),
    )
    return TensorType(shape, lhs.dtype)


def _labels(types: Types, attributes: Attributes) -> Axes:
    (lc, rc), (lb, rb) = _pairs(attributes)
    left = list(range(types[0].rank))
    right = [types[0].rank + i for i in range(types[1].rank)]
    for a, b in zip((*lc, *lb), (*rc, *rb), strict=True):
        right[b] = left[a]
    result = (
        *(left[i] for i in lb),
        *(left[i] for i in free_axes(len(left), lc, lb)),
        *(right[i] for i in free_axes(len(right), rc, rb)),
    )
    return Axes((tuple(left), tuple(right)), result)


def _evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    axes = _labels([TensorType(a.shape, a.dtype) for a in arrays], attributes)
    letters = ["".join(chr(97 + int(i or 0)) for i in a) for a in (*axes.operands, axes.result)]
    text = f"{letters[0]},{letters[1]}->{letters[2]}"
    result = np.einsum(text, arrays[0], arrays[1], optimize=True)
    return np.asarray(result, dtype=arrays[0].dtype)


def _jvp(
    result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
) -> Operand | None:
    (x, y), (dx, dy) = operands, tangents
    left = None if dx is None else bind(dot_general, (dx, y), attributes)
    right = None if dy is None else bind(dot_general, (x, dy), attributes)
    if left is None or right is None:
        return left if right is None else right
    return add(left, right)


def _transpose(
    ct: Operand, index: int, operands: Sequence[Operand], attributes: Attributes
) -> Operand:
    (lc, rc), (lb, rb) = _pairs(attributes)
    if index == 1:
        lc, rc, lb, rb = rc, lc, rb, lb
    own, other = type_of(operands[index]), operands[1 - index]
    own_free, other_free = free_axes(own.rank, lc, lb), free_axes(type_of(other).rank, rc, rb)
    # axes of the cotangent: batch, free of operand 0, free of operand 1
    first, second = (own_free, other_free) if index == 0 else (other_free, own_free)
    start = len(lb) + (0 if index == 1 else len(first))
    ct_other = tuple(range(start, start + len(other_free)))
    ct_batch = tuple(range(len(lb)))
    assert len(first) + len(second) + len(lb) == type_of(ct).rank
    # keep the order "cotangent, other" or "other, cotangent" that gives a plain product
    if index == 0:
        product = dot_general(ct, other, contract=(ct_other, other_free), batch=(ct_batch, rb))
        produced = (*lb, *own_free, *_by_position(lc, rc))
    else:
        product = dot_general(other, ct, contract=(other_free, ct_other), batch=(rb, ct_batch))
        produced = (*lb, *_by_position(lc, rc), *own_free)
    order = tuple(int(i) for i in np.argsort(produced))
    return product if order == tuple(range(len(order))) else transpose(product, permutation=order)


def _by_position(own: Sequence[int], other: Sequence[int]) -> list[int]:
    """Own contracted axes in the order in which the other operand holds their partners."""
    return [own[k] for k in np.argsort(other, kind="stable")]


def _batch(
    operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
) -> tuple[Operand, int]:
    (lc, rc), (lb, rb) = _pairs(attributes)
    left, right = axes

    def shift(dims: Sequence[int]) -> tuple[int, ...]:
        return tuple(d + 1 for d in dims)

    if left is not None and right is not None:
        x, y = to_front(operands[0], left, size), to_front(operands[1], right, size)
        result = dot_general(
            x, y, contract=(shift(lc), shift(rc)), batch=((0, *shift(lb)), (0, *shift(rb)))
        )
        return result, 0
    if left is not None:
        x = to_front(operands[0], left, size)
        result = dot_general(x, operands[1], contract=(shift(lc), rc), batch=(shift(lb), rb))
        return result, len(lb)
    y = to_front(operands[1], right, size)
    result = dot_general(operands[0], y, contract=(lc, shift(rc)), batch=(lb, shift(rb)))
    return result, len(lb) + len(free_axes(type_of(operands[0]).rank, lc, lb))


_MATRIX = {"contract": ((1,), (0,)), "batch": ((), ())}

dot_general = primitives.register(
    Primitive(
        name="dot_general",
        infer=_infer,
        evaluate=_evaluate,
        jvp=_jvp,
        linearity="multi",
        transpose=_transpose,
        batch=_batch,
        axes=_labels,
        lowering=Contraction(),
        samples=(
            Sample((GRID, OTHER.T.copy()), _MATRIX),
            Sample((GRID.astype(FLOAT32), OTHER.T.astype(FLOAT32)), _MATRIX),
            Sample((GRID, OTHER), {"contract": ((0,), (0,)), "batch": ((), ())}),
            Sample((GRID, OTHER), {"contract": ((1,), (1,)), "batch": ((), ())}),
            Sample((BLOCK, BLOCK * 0.3), {"contract": ((2,), (2,)), "batch": ((0,), (0,))}),
            Sample((BLOCK, BLOCK + 0.1), {"contract": ((2, 0), (2, 0)), "batch": ((), ())}),
            Sample((BLOCK, GRID), {"contract": ((1,), (1,)), "batch": ((), ())}),
            Sample((GRID[0], OTHER[1]), {"contract": ((0,), (0,)), "batch": ((), ())}),
        ),
        source="definition",
    )
)
