"""Batching rules that whole families share: bring the mapped axis to the front, then apply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir.types import Attributes
from .primitive import MappedAxes, Operand, Operands, bind, primitives, type_of

__all__ = ["Lift", "fronted", "to_front", "unchanged"]

Lift = Callable[[Attributes, Any], Attributes]


def to_front(operand: Operand, axis: int | None, size: Any) -> Operand:
    """Bring a mapped axis to the front, or repeat an unmapped operand along a new one."""
    type = type_of(operand)
    if axis is None:
        attributes = {"shape": (size, *type.shape), "dimensions": tuple(range(1, type.rank + 1))}
        return bind(primitives["broadcast"], (operand,), attributes)
    if axis == 0:
        return operand
    order = (axis, *(i for i in range(type.rank) if i != axis))
    return bind(primitives["transpose"], (operand,), {"permutation": order})


def unchanged(attributes: Attributes, size: Any) -> Attributes:
    """Return the attributes as they are."""
    return attributes


def fronted(name: str, lift: Lift = unchanged) -> Callable[..., tuple[Operand, int]]:
    """Return the batching rule that brings every mapped axis to the front.

    Operands without one are repeated. `lift` turns the attributes, given the mapped size, into
    those that do the same behind a new first axis.
    """

    def batch(
        operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
    ) -> tuple[Operand, int]:
        moved = [to_front(o, a, size) for o, a in zip(operands, axes, strict=True)]
        return bind(primitives[name], moved, lift(attributes, size)), 0

    return batch
