"""Padding around and between elements; negative padding cuts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.dims import Dim, assume_not_negative
from ..core.dtypes import INT64, Array
from ..errors import ShapeError
from ..ir.program import Operation
from ..ir.types import Attributes, TensorType
from .fill import full
from .mapped import to_front
from .movement import register_movement
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
from .samples import BLOCK, GRID

__all__ = ["pad"]


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
    low, high, interior = attributes["low"], attributes["high"], attributes["interior"]
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
    inside = bind(primitives["slice"], (wide,), {"start": start, "limit": limit, "stride": stride})
    if index == 0:
        return inside
    everything = {"axes": tuple(range(type_of(ct).rank))}
    sums = [bind(primitives["reduce_sum"], (part,), everything) for part in (ct, inside)]
    return bind(primitives["sub"], sums, {})


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
    value = bind(primitives["broadcast"], (operands[1],), {"shape": shape, "dimensions": (0,)})
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


pad: Primitive = register_movement(
    "pad",
    infer=_pad_infer,
    evaluate=_pad_evaluate,
    jvp=_pad_jvp,
    transpose=_pad_transpose,
    batch=_pad_batch,
    axes=_pad_axes,
    element=_pad_element,
    samples=(
        Sample((GRID, np.asarray(0.5)), {"low": (1, 0), "high": (0, 2), "interior": (0, 1)}),
        Sample(
            (BLOCK, np.asarray(0.0)),
            {"low": (0, -1, 2), "high": (1, 0, -1), "interior": (0, 0, 0)},
        ),
    ),
)
