"""A part of an array: every stride-th element from start to limit along each axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.dims import Dim, assume_not_negative
from ..core.dtypes import INT64, Array
from ..errors import ShapeError
from ..ir.program import Operation
from ..ir.types import Attributes, TensorType
from .fill import full
from .movement import register_movement
from .pad import pad
from .primitive import Axes, Operand, Operands, Primitive, Sample, Types, type_of
from .samples import BLOCK

__all__ = ["slice_"]


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


def _lift(attributes: Attributes, size: Any) -> Attributes:
    return {
        "start": (0, *attributes["start"]),
        "limit": (size, *attributes["limit"]),
        "stride": (1, *attributes["stride"]),
    }


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


slice_: Primitive = register_movement(
    "slice",
    infer=_slice_infer,
    evaluate=_slice_evaluate,
    transpose=_slice_transpose,
    lift=_lift,
    axes=_slice_axes,
    element=_slice_element,
    samples=(
        Sample((BLOCK,), {"start": (0, 1, 0), "limit": (2, 3, 4), "stride": (1, 1, 2)}),
        Sample((BLOCK,), {"start": (1, 0, 1), "limit": (2, 3, 4), "stride": (1, 1, 3)}),
    ),
)
