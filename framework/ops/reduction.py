"""Folds over axes: sum, prod, max and min."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..core.dims import Dim
from ..core.dtypes import Array
from ..errors import DifferentiationError, DtypeError, ShapeError
from ..ir.types import Attributes, TensorType
from .broadcast import broadcast
from .convert import convert
from .elementwise import mul
from .fill import full
from .lowering import Reduction
from .mapped import fronted
from .math import eq
from .primitive import (
    Axes,
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
from .samples import BLOCK, GRID, INTEGERS
from .slice import slice_


def _infer_extremum(types: Types, attributes: Attributes) -> TensorType:
    result = _infer(types, attributes)
    if any(types[0].shape[a] == 0 for a in attributes["axes"]):
        raise ShapeError(f"reduction: no elements in {types[0]} to take the extremum of")
    return result


def _infer(types: Types, attributes: Attributes) -> TensorType:
    axes = attributes["axes"]
    assert isinstance(axes, tuple)
    if list(axes) != sorted(set(axes)) or any(not 0 <= a < types[0].rank for a in axes):
        raise ShapeError(f"reduction: axes {axes} are not distinct axes of {types[0]}")
    if types[0].dtype.kind == "b":
        raise DtypeError("reduction: not defined for bool; convert first")
    kept = tuple(s for i, s in enumerate(types[0].shape) if i not in axes)
    return TensorType(kept, types[0].dtype)


def _axes(types: Types, attributes: Attributes) -> Axes:
    labels = tuple(range(types[0].rank))
    return Axes((labels,), tuple(i for i in labels if i not in attributes["axes"]))


def repeat(reduced: Operand, operand: Operand, axes: Sequence[int]) -> Operand:
    """Broadcast a reduced value back over the axes that were reduced."""
    shape = type_of(operand).shape
    kept = tuple(i for i in range(len(shape)) if i not in axes)
    return broadcast(reduced, shape=shape, dimensions=kept)


def _sum_jvp(
    result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
) -> Operand | None:
    return None if tangents[0] is None else reduce_sum(tangents[0], axes=attributes["axes"])


def _extremum_jvp(
    result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
) -> Operand | None:
    """The mean of the tangents at the positions that attain the extremum."""
    if tangents[0] is None:
        return None
    axes, x = attributes["axes"], operands[0]
    hits = convert(eq(x, repeat(result, x, axes)), dtype=type_of(x).dtype)
    share = bind(primitives["div"], (hits, repeat(reduce_sum(hits, axes=axes), x, axes)), {})
    return reduce_sum(mul(tangents[0], share), axes=axes)


def _prod_jvp(
    result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
) -> Operand | None:
    """Sum over elements of tangent times the product of the others, right at zeros too."""
    if tangents[0] is None:
        return None
    x, t = operands[0], tangents[0]
    for axis in reversed(attributes["axes"]):
        x, t = _product_along(x, t, axis)
    return t


def _product_along(x: Operand, t: Operand, axis: int) -> tuple[Operand, Operand]:
    size = type_of(x).shape[axis]
    if isinstance(size, Dim):
        raise DifferentiationError(
            f"the derivative of a product over the size {size} needs a number"
        )
    type = type_of(x)
    shape = tuple(s for k, s in enumerate(type.shape) if k != axis)
    value, tangent = full(shape, 1.0, type.dtype), full(shape, 0.0, type.dtype)
    for i in range(size):
        xi, ti = _take(x, axis, i), _take(t, axis, i)
        tangent = bind(primitives["add"], (mul(tangent, xi), mul(value, ti)), {})
        value = mul(value, xi)
    return value, tangent


def _take(x: Operand, axis: int, i: int) -> Operand:
    shape = type_of(x).shape
    start = tuple(i if k == axis else 0 for k in range(len(shape)))
    limit = tuple(i + 1 if k == axis else s for k, s in enumerate(shape))
    part = slice_(x, start=start, limit=limit, stride=(1,) * len(shape))
    return reduce_sum(part, axes=(axis,))


def _reduction(
    name: str,
    kind: str,
    fold: Callable[..., Array],
    jvp: Callable[..., Operand | None],
    *,
    transpose: Callable[..., Operand] | None = None,
    samples: Sequence[Sample] = (),
) -> Primitive:
    def evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
        result = fold(arrays[0], axis=attributes["axes"])
        return np.asarray(result, dtype=arrays[0].dtype)

    record = Primitive(
        name=name,
        infer=_infer_extremum if kind in ("max", "min") else _infer,
        evaluate=evaluate,
        jvp=jvp,
        linearity="joint" if transpose else "none",
        transpose=transpose,
        batch=fronted(name, lambda a, size: {"axes": tuple(i + 1 for i in a["axes"])}),
        axes=_axes,
        lowering=Reduction(kind),
        samples=(
            Sample((GRID,), {"axes": (0,)}),
            Sample((GRID,), {"axes": (1,)}),
            Sample((BLOCK,), {"axes": (0, 2)}),
            Sample((BLOCK,), {"axes": (0, 1, 2)}),
            Sample((INTEGERS,), {"axes": (1,)}),
            *samples,
        ),
        source="elementary calculus",
    )
    return primitives.register(record)


reduce_sum = _reduction(
    "reduce_sum", "sum", np.sum, _sum_jvp,
    transpose=lambda ct, i, x, a: repeat(ct, x[0], a["axes"]),
)  # fmt: skip
reduce_prod = _reduction("reduce_prod", "prod", np.prod, _prod_jvp)
reduce_max = _reduction("reduce_max", "max", np.max, _extremum_jvp)
reduce_min = _reduction("reduce_min", "min", np.min, _extremum_jvp)
