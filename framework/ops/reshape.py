"""The same elements in another shape."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..core.dims import Dim, Shape, product
from ..core.dtypes import INT64
from ..errors import ShapeError
from ..ir.program import Operation
from ..ir.types import Attributes, TensorType
from .movement import register_movement
from .primitive import Axes, Primitive, Sample, Types, type_of
from .samples import BLOCK, GRID

__all__ = ["reshape"]


def _reshape_infer(types: Types, attributes: Attributes) -> TensorType:
    shape = attributes["shape"]
    assert isinstance(shape, tuple)
    if product(shape) != types[0].size:
        raise ShapeError(f"reshape: {types[0]} has not as many elements as shape {shape}")
    return TensorType(shape, types[0].dtype)


def _reshape_groups(old: Shape, new: Shape) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
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
        groups = _reshape_groups(old, new)
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
    for left, right in _reshape_groups(old, new):
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


reshape: Primitive = register_movement(
    "reshape",
    infer=_reshape_infer,
    evaluate=lambda arrays, a: arrays[0].reshape(a["shape"]),
    transpose=lambda ct, i, x, a: reshape(ct, shape=type_of(x[0]).shape),
    lift=lambda a, size: {"shape": (size, *a["shape"])},
    axes=_reshape_axes,
    element=_reshape_element,
    samples=(
        Sample((BLOCK,), {"shape": (6, 4)}),
        Sample((BLOCK,), {"shape": (2, 1, 12)}),
        Sample((GRID,), {"shape": (3, 2)}),
        Sample((np.asarray([[1.25]]),), {"shape": ()}),
    ),
)
