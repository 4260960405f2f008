"""Jacobians of functions of one array, by mapped forward or reverse mode."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.dims import Dim
from ..core.tree import map_leaves
from ..errors import DifferentiationError, ShapeError
from ..ir.types import TensorType
from ..ops.convert import convert
from ..ops.fill import iota
from ..ops.math import eq
from ..ops.primitive import Operand, type_of
from ..ops.reshape import reshape
from ..ops.tensor import wrap
from .functions import jvp, vjp, vmap
from .reverse import influencing_inputs
from .trace import trace_call, unwrap_leaves

__all__ = ["jacobian"]

Function = Callable[..., Any]


def _basis(type: TensorType) -> Operand:
    """Return the unit tangents of a type, stacked along a new leading axis."""
    size = type.size
    if isinstance(size, Dim):
        raise ShapeError(f"the Jacobian of an argument of symbolic size {size} is not defined")
    shape = (size, size)
    row, column = (iota(shape=shape, axis=k, dtype=np.dtype(np.int64)) for k in (0, 1))
    return reshape(convert(eq(row, column), dtype=type.dtype), shape=(size, *type.shape))


def jacobian(function: Function, argnums: int = 0) -> Function:
    """Return the Jacobian: result axes first, then the axes of the chosen argument.

    Forward mode where the argument has no more elements than the result, reverse mode otherwise.
    The argument must be one array, the result may be a container.

    Examples
    --------
    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """

    @functools.wraps(function)
    def evaluate(*arguments: object) -> Any:
        x = arguments[argnums]
        (operand,), structure = unwrap_leaves(x)
        if structure.kind is not None:
            raise DifferentiationError("jacobian: the chosen argument must be one array")

        def along(value: object) -> Any:
            replaced = [value if k == argnums % len(arguments) else a for k, a in
                        enumerate(arguments)]  # fmt: skip
            return function(*replaced)

        type = type_of(operand)
        traced, _ = trace_call(along, (x,))
        outputs = [v.type for v in traced.program.outputs]
        if 0 not in influencing_inputs(traced.program):
            raise DifferentiationError(
                f"{getattr(function, '__name__', 'function')} does not depend on argument {argnums}"
            )
        wide = all(
            isinstance(t.size, int) and isinstance(type.size, int) and t.size < type.size
            for t in outputs
        )
        if wide and len(outputs) == 1:
            _, pull = vjp(along, x)
            rows = vmap(lambda ct: pull(ct)[0])(wrap(_basis(outputs[0])))
            return rows.reshape((*outputs[0].shape, *type.shape))
        columns = vmap(lambda t: jvp(along, (x,), (t,))[1])(wrap(_basis(type)))
        return map_leaves(lambda c: _columns_last(c, type), columns)

    return evaluate


def _columns_last(columns: Any, type: TensorType) -> Any:
    rank = len(columns.shape) - 1
    moved = columns.transpose(*range(1, rank + 1), 0)
    return moved.reshape((*columns.shape[1:], *type.shape))
