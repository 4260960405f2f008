"""Permutation of axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import ShapeError
from ..ir.types import Attributes, TensorType
from .movement import register_movement
from .primitive import Axes, Primitive, Sample, Types
from .samples import BLOCK, GRID

__all__ = ["transpose"]


def _transpose_infer(types: Types, attributes: Attributes) -> TensorType:
    order = attributes["permutation"]
    if sorted(order) != list(range(types[0].rank)):
        raise ShapeError(f"transpose: {order} is not a permutation of the axes of {types[0]}")
    return TensorType(tuple(types[0].shape[i] for i in order), types[0].dtype)


def _inverse(order: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argsort(order))


transpose: Primitive = register_movement(
    "transpose",
    infer=_transpose_infer,
    evaluate=lambda arrays, a: arrays[0].transpose(a["permutation"]),
    transpose=lambda ct, i, x, a: transpose(ct, permutation=_inverse(a["permutation"])),
    lift=lambda a, size: {"permutation": (0, *(i + 1 for i in a["permutation"]))},
    axes=lambda types, a: Axes((tuple(range(types[0].rank)),), a["permutation"]),
    element=lambda e, load, index, op: load(
        0, [index[i] for i in _inverse(op.attributes["permutation"])]
    ),
    samples=(
        Sample((BLOCK,), {"permutation": (2, 0, 1)}),
        Sample((GRID,), {"permutation": (1, 0)}),
    ),
)
