"""Primitives without operands: constants, filled arrays, positions and sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.dims import Dim, Shape
from ..core.dtypes import FLOAT64, INT32, INT64, Array, DType
from ..ir.program import Operation
from ..ir.types import Attributes, Literal, TensorType
from .lowering import Elementwise, Lowering, Movement
from .primitive import Axes, Operand, Primitive, Sample, Types, bind, primitives
from .samples import GRID

__all__ = ["constant", "dim_value", "full", "iota"]


def _register(
    name: str,
    infer: Callable[[Types, Attributes], TensorType],
    evaluate: Callable[[Sequence[Array], Attributes], Array],
    axes: Callable[[Types, Attributes], Axes],
    lowering: Lowering,
    *samples: dict[str, Any],
) -> Primitive:
    """Register a primitive without operands, which is never differentiated or mapped."""

    def batch(*_: object) -> tuple[Operand, int]:
        raise AssertionError(f"{name} has no operands, so it is never mapped")

    record = Primitive(
        name=name,
        infer=infer,
        evaluate=evaluate,
        jvp=lambda *_: None,
        linearity="constant",
        transpose=None,
        batch=batch,
        axes=axes,
        lowering=lowering,
        samples=tuple(Sample((), s) for s in samples),
        source="definition",
    )
    return primitives.register(record)


def _constant_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    value = attributes["value"]
    assert isinstance(value, Literal)
    return value.array


def _constant_element(emitter: Any, load: Any, index: Any, operation: Operation) -> Any:
    literal = operation.attributes["value"]
    values = literal.array.reshape(-1)
    flat = emitter.constant(0, INT64)
    for i, size in zip(index, literal.shape, strict=True):
        flat = emitter.add(emitter.mul(flat, emitter.constant(size, INT64)), i)
    result = emitter.constant(values[0] if values.size else 0, literal.dtype)
    for k in range(1, values.size):
        here = emitter.compare("eq", flat, emitter.constant(k, INT64))
        result = emitter.select(here, emitter.constant(values[k], literal.dtype), result)
    return result


constant = _register(
    "constant",
    lambda types, a: a["value"].type,
    _constant_evaluate,
    lambda types, a: Axes((), (None,) * len(a["value"].shape)),
    Movement(_constant_element),
    {"value": Literal.of(GRID)},
    {"value": Literal.of(3.5)},
)


def _full_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    value = attributes["value"]
    assert isinstance(value, Literal)
    return np.broadcast_to(value.array, attributes["shape"])


_full = _register(
    "full",
    lambda types, a: TensorType(a["shape"], a["value"].dtype),
    _full_evaluate,
    lambda types, a: Axes((), tuple(range(len(a["shape"])))),
    Elementwise(
        lambda e, op: e.constant(op.attributes["value"].array.item(), op.result.type.dtype)
    ),
    {"value": Literal.of(2.5), "shape": (2, 3)},
)


def full(shape: Shape, value: float | Dim, dtype: DType) -> Operand:
    """Return an array filled with one number, or with a symbolic size."""
    if isinstance(value, Dim):
        size = dim_value(dim=value, dtype=dtype)
        return bind(primitives["broadcast"], (size,), {"shape": tuple(shape), "dimensions": ()})
    literal = Literal.of(np.asarray(value, dtype=dtype))
    return bind(_full, (), {"value": literal, "shape": tuple(shape)})


def _iota_evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    shape, axis = attributes["shape"], attributes["axis"]
    column = [1] * len(shape)
    column[axis] = shape[axis]
    row = np.arange(shape[axis], dtype=attributes["dtype"]).reshape(column)
    return np.broadcast_to(row, shape)


def _iota_element(e: Any, load: Any, index: Any, op: Operation) -> Any:
    return e.convert(index[op.attributes["axis"]], INT64, op.result.type.dtype)


iota = _register(
    "iota",
    lambda types, a: TensorType(a["shape"], a["dtype"]),
    _iota_evaluate,
    lambda types, a: Axes((), tuple(None if i == a["axis"] else i for i in range(len(a["shape"])))),
    Movement(_iota_element),
    {"shape": (2, 3), "axis": 1, "dtype": INT32},
    {"shape": (4, 2), "axis": 0, "dtype": FLOAT64},
)

dim_value = _register(
    "dim_value",
    lambda types, a: TensorType((), a["dtype"]),
    lambda arrays, a: np.asarray(a["dim"], dtype=a["dtype"]),
    lambda types, a: Axes((), ()),
    Elementwise(lambda e, op: e.size(op.attributes["dim"], op.result.type.dtype)),
    {"dim": 7, "dtype": FLOAT64},
)
