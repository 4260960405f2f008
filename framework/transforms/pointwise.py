"""Follow one axis through a program: which values carry it, and what mixes its elements.

The same question is asked by derivatives of pointwise functions (a function that mixes points
has no field derivative), by batch tiling and by sharding; the answer comes from the `axes` of
each primitive record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..ir.program import Operation, Program, Value
from ..ops.primitive import primitives

__all__ = ["Mixing", "follow_axis"]


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
