"""The elements along some axes in reverse order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dtypes import INT64
from ..errors import ShapeError
from ..ir.program import Operation
from ..ir.types import Attributes, TensorType
from .movement import register_movement
from .primitive import Axes, Primitive, Sample, Types
from .samples import BLOCK, GRID

__all__ = ["reverse"]


def _reverse_infer(types: Types, attributes: Attributes) -> TensorType:
    axes = attributes["axes"]
    if any(not 0 <= a < types[0].rank for a in axes) or len(set(axes)) != len(axes):
        raise ShapeError(f"reverse: axes {axes} are not distinct axes of {types[0]}")
    return types[0]


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


reverse: Primitive = register_movement(
    "reverse",
    infer=_reverse_infer,
    evaluate=lambda arrays, a: np.flip(arrays[0], a["axes"]),
    transpose=lambda ct, i, x, a: reverse(ct, axes=a["axes"]),
    lift=lambda a, size: {"axes": tuple(i + 1 for i in a["axes"])},
    axes=_reverse_axes,
    element=_reverse_element,
    samples=(Sample((BLOCK,), {"axes": (0, 2)}), Sample((GRID,), {"axes": (1,)})),
)
