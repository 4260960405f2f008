"""Arrays joined along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dims import Dim
from ..core.dtypes import INT64
from ..errors import ShapeError
from ..ir.program import Operation
from ..ir.types import Attributes, TensorType
from .fill import full
from .movement import register_movement
from .primitive import Axes, Operand, Operands, Primitive, Sample, Tangents, Types, bind, type_of
from .samples import GRID
from .slice import slice_

__all__ = ["concatenate"]


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


concatenate: Primitive = register_movement(
    "concatenate",
    infer=_concatenate_infer,
    evaluate=lambda arrays, a: np.concatenate(arrays, axis=a["axis"]),
    jvp=_concatenate_jvp,
    transpose=_concatenate_transpose,
    lift=lambda a, size: {"axis": a["axis"] + 1},
    axes=_concatenate_axes,
    element=_concatenate_element,
    samples=(
        Sample((GRID, GRID[:1] + 1.0, GRID * 2), {"axis": 0}),
        Sample((GRID, GRID[:, :2]), {"axis": 1}),
    ),
)
