"""Where a NaN or infinity first appears in a residual."""

from __future__ import annotations

from typing import Any

import numpy as np

from sciml.framework.core.tree import flatten
from sciml.framework.ops.primitive import bind, primitives
from sciml.framework.transforms.trace import trace_call
from sciml.networks import Parameters

from .constraint import Constraint


def first_non_finite(constraint: Constraint, parameters: Parameters) -> str | None:
    """Run a residual operation by operation and describe the first bad value.

    Parameters
    ----------
    constraint : Constraint
        What to evaluate.
    parameters : Parameters
        Where.

    Returns
    -------
    str or None
        The operation and the point, or None when all values are finite.
    """
    leaves = [np.asarray(leaf) for leaf in flatten(parameters)[0]]
    if not all(np.isfinite(leaf).all() for leaf in leaves):
        return "the parameters themselves are not finite"
    for name, array in zip(("points", "normals", "more"), constraint.arrays, strict=False):
        if not np.isfinite(array).all():
            return f"the {name} are not finite"
    traced, operands = trace_call(constraint.residual, (parameters, *constraint.arrays))
    values: dict[Any, Any] = dict(zip(traced.program.inputs, operands, strict=True))
    points = constraint.arrays[0].shape[0]
    with np.errstate(all="ignore"):
        for number, operation in enumerate(traced.program.operations):
            inputs = [values[v] for v in operation.operands]
            result = np.asarray(bind(primitives[operation.name], inputs, operation.attributes))
            values[operation.result] = result
            if result.dtype.kind == "f" and not np.isfinite(result).all():
                where = np.argwhere(~np.isfinite(result))[0]
                return f"first in operation {number}, {operation.name}" + _at(
                    result, where, points, constraint
                )
    return None


def _at(result: Any, where: Any, points: int, constraint: Constraint) -> str:
    for axis, size in enumerate(result.shape):
        if size == points:
            point = constraint.arrays[0][where[axis]]
            return f", at point ({', '.join(f'{c:.6g}' for c in point)})"
    return ""
