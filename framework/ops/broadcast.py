"""Repetition of an array along new axes and axes of size one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.dtypes import INT64, Array
from ..errors import ShapeError
from ..ir.program import Operation
from ..ir.types import Attributes, TensorType
from .movement import register_movement
from .primitive import Axes, Operand, Operands, Primitive, Sample, Types, bind, primitives, type_of
from .samples import GRID

__all__ = ["broadcast"]


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
    shape, dimensions = attributes["shape"], attributes["dimensions"]
    kept = type_of(operands[0]).shape
    added = tuple(i for i in range(len(shape)) if i not in dimensions)
    widened = tuple(
        d for d, size in zip(dimensions, kept, strict=True) if size == 1 and shape[d] != 1
    )
    axes = tuple(sorted(added + widened))
    total = bind(primitives["reduce_sum"], (ct,), {"axes": axes}) if axes else ct
    if type_of(total).shape == kept:
        return total
    return bind(primitives["reshape"], (total,), {"shape": kept})


def _lift(attributes: Attributes, size: Any) -> Attributes:
    dimensions = (0, *(d + 1 for d in attributes["dimensions"]))
    return {"shape": (size, *attributes["shape"]), "dimensions": dimensions}


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


broadcast: Primitive = register_movement(
    "broadcast",
    infer=_broadcast_infer,
    evaluate=_broadcast_evaluate,
    transpose=_broadcast_transpose,
    lift=_lift,
    axes=_broadcast_axes,
    element=_broadcast_element,
    samples=(
        Sample((GRID,), {"shape": (4, 2, 3), "dimensions": (1, 2)}),
        Sample((GRID[:1],), {"shape": (5, 3), "dimensions": (0, 1)}),
        Sample((np.asarray(1.5),), {"shape": (2, 2), "dimensions": ()}),
    ),
)
