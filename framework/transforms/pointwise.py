"""Follow one axis through a program: which values carry it, and what mixes its elements.

The same question is asked by derivatives of pointwise functions (a function that mixes points
has no field derivative), by batch tiling and by sharding; the answer comes from the `axes` of
each primitive record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..core.dtypes import is_float
from ..errors import DifferentiationError, ShapeError
from ..ir.program import Operation, Program, Value
from ..ops.primitive import Operand, primitives, type_of
from .reverse import influencing_inputs
from .trace import unwrap_leaves

__all__ = ["Mixing", "check_pointwise", "follow_axis", "points_operand"]


@dataclass(frozen=True)
class Mixing:
    """The first operation that combines different positions along a followed axis."""

    operation: Operation
    reason: str


def follow_axis(program: Program, start: Mapping[Value, int]) -> dict[Value, int] | Mixing:
    """Return the position of the followed axis in every value that carries it, or what mixes it."""
    carried = dict(start)
    for operation in program.operations:
        if not any(v in carried for v in operation.operands):
            continue
        axes = primitives[operation.name].axes(
            [v.type for v in operation.operands], operation.attributes
        )
        found = set()
        for value, labels in zip(operation.operands, axes.operands, strict=True):
            if value in carried:
                label = labels[carried[value]]
                if label is None:
                    return Mixing(operation, "moves elements along the axis")
                found.add(label)
        if len(found) > 1:
            return Mixing(operation, "meets the axis in two different places")
        label = found.pop()
        if label not in axes.result:
            return Mixing(operation, "sums over the axis")
        carried[operation.result] = axes.result.index(label)
    return carried


def points_operand(X: Any) -> tuple[Operand, int]:
    """Return the operand of the points and their dimension d, or refuse what is not (points, d)."""
    (operand,), structure = unwrap_leaves(X)
    type = type_of(operand)
    if structure.kind is not None or type.rank != 2 or not isinstance(type.shape[1], int):
        raise ShapeError(f"points must be one array of shape (points, d), got {type}")
    if not is_float(type.dtype):
        raise DifferentiationError(f"points must be floating point, got {type}")
    return operand, type.shape[1]


def check_pointwise(program: Program) -> None:
    """Refuse a function whose value at a point depends on other points, or not on X at all."""
    if 0 not in influencing_inputs(program):
        raise DifferentiationError(
            f"{program.name} does not depend on X, so its derivatives would silently be zero"
        )
    carried = follow_axis(program, {program.inputs[0]: 0})
    if isinstance(carried, Mixing):
        raise DifferentiationError(
            f"{program.name} is not pointwise: {carried.operation.name} {carried.reason} of points"
        )
