"""Evaluate operations on small constants while compiling."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.dtypes import Array, DType
from ..ir.program import Value
from ..ir.types import Attributes, Literal, TensorType
from ..ops.lowering import Elementwise
from ..ops.primitive import Primitive

__all__ = ["LARGEST_CONSTANT", "fold_constant"]

# Larger results would turn a program into a data file.
LARGEST_CONSTANT = 16
# What depends on a size that is not known yet, or is a constant already.
_KEPT = frozenset({"full", "constant", "dim_value"})


def fold_constant(
    record: Primitive, operands: Sequence[Value], attributes: Attributes, type: TensorType
) -> tuple[str, Attributes] | None:
    """Return name and attributes of the constant that an operation gives, or None.

    An elementwise operation on arrays that are filled with a number is evaluated once for that
    number, whatever the shape. Any other operation is evaluated if its operands are constants and
    no array has more than 16 elements or a symbolic size. A result that is not finite stays an
    operation, so that its origin can be found.
    """
    if not operands or record.name in _KEPT:
        return None
    sources = [v.operation for v in operands]
    names = {None if s is None else s.name for s in sources}
    if not names <= {"full", "constant"}:
        return None
    if names == {"full"} and isinstance(record.lowering, Elementwise):
        numbers = [_literal(v).array.reshape(()) for v in operands]
        result = _evaluate(record, numbers, attributes, type.dtype)
        if result is None:
            return None
        return "full", {"value": Literal.of(result), "shape": type.shape}
    if any(not _is_small(t) for t in (type, *(v.type for v in operands))):
        return None
    arrays = [_array(v) for v in operands]
    result = _evaluate(record, arrays, attributes, type.dtype)
    return None if result is None else ("constant", {"value": Literal.of(result)})


def _literal(value: Value) -> Literal:
    assert value.operation is not None
    literal = value.operation.attributes["value"]
    assert isinstance(literal, Literal)
    return literal


def _array(value: Value) -> Array:
    shape = tuple(s for s in value.type.shape if isinstance(s, int))
    return np.broadcast_to(_literal(value).array, shape)


def _is_small(type: TensorType) -> bool:
    # an array of shape (N, 0) has the size 0, whatever N is
    known = all(isinstance(s, int) for s in type.shape)
    return known and isinstance(type.size, int) and type.size <= LARGEST_CONSTANT


def _evaluate(
    record: Primitive, arrays: Sequence[Array], attributes: Attributes, dtype: DType
) -> Array | None:
    with np.errstate(all="ignore"):
        try:
            result = np.asarray(record.evaluate(arrays, attributes))
        except (IndexError, ZeroDivisionError):
            # out of range: left to the kernel, which says what it does there
            return None
    return result if result.dtype == dtype and bool(np.all(np.isfinite(result))) else None
