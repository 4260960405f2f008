"""Conversion of the element type."""

from __future__ import annotations

from ..core.dtypes import FLOAT32, FLOAT64, INT32, is_float
from ..ir.types import Attributes, TensorType
from .elementwise import register_elementwise
from .primitive import Operand, Operands, Primitive, Tangents, type_of
from .samples import GRID, INTEGERS

__all__ = ["convert"]


def _convert_jvp(
    result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
) -> Operand | None:
    if tangents[0] is None or not is_float(attributes["dtype"]):
        return None
    return convert(tangents[0], dtype=attributes["dtype"])


convert: Primitive = register_elementwise(
    "convert",
    lambda x, dtype: x.astype(dtype),
    lambda e, op, x: e.convert(x, op.operands[0].type.dtype, op.result.type.dtype),
    [
        (GRID, {"dtype": FLOAT32}), (INTEGERS, {"dtype": FLOAT64}), (GRID, {"dtype": INT32}),
        (GRID > 0, {"dtype": FLOAT64}), (GRID, {"dtype": FLOAT64}),
    ],
    jvp=_convert_jvp,
    transpose=lambda ct, i, x, a: convert(ct, dtype=type_of(x[0]).dtype),
    linearity="joint",
    infer=lambda types, a: TensorType(types[0].shape, a["dtype"]),
)  # fmt: skip
