"""Compare two programs in structure: the same operations on the same operands."""

from __future__ import annotations

import struct

from .program import Block, Operation, Program, Value
from .types import Attribute

__all__ = ["first_difference", "same_attribute", "same_program"]


def same_attribute(a: Attribute, b: Attribute) -> bool:
    """Return whether two attributes are equal in type and value; floats by their bits."""
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same_attribute, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack(">d", a) == struct.pack(">d", b)
    return a == b


def same_program(a: Program, b: Program) -> bool:
    """Return whether two programs are equal in structure, their names included."""
    return first_difference(a, b) is None


def first_difference(a: Program, b: Program) -> str | None:
    """Return in words where two programs first differ, or None where they are equal."""
    if a.name != b.name:
        return f"names {a.name!r} and {b.name!r}"
    return _Comparison().blocks(a.block, b.block, "the program")


class _Comparison:
    def __init__(self) -> None:
        self.partner: dict[Value, Value] = {}

    def blocks(self, a: Block, b: Block, where: str) -> str | None:
        difference = self._pair(a.arguments, b.arguments, f"the arguments of {where}")
        if difference:
            return difference
        for number, (x, y) in enumerate(zip(a.operations, b.operations, strict=False)):
            difference = self._operations(x, y, f"operation {number} of {where}")
            if difference:
                return difference
        if len(a.operations) != len(b.operations):
            return f"{where} has {len(a.operations)} and {len(b.operations)} operations"
        if not self._same_values(a.outputs, b.outputs):
            return f"the outputs of {where}"
        return None

    def _pair(
        self, a: list[Value] | tuple[Value, ...], b: list[Value] | tuple[Value, ...], where: str
    ) -> str | None:
        if [v.type for v in a] != [v.type for v in b]:
            left, right = (", ".join(str(v.type) for v in values) for values in (a, b))
            return f"{where} have types ({left}) and ({right})"
        self.partner.update(zip(a, b, strict=True))
        return None

    def _same_values(
        self, a: list[Value] | tuple[Value, ...], b: list[Value] | tuple[Value, ...]
    ) -> bool:
        # a value from outside the programs corresponds to itself
        return len(a) == len(b) and all(
            self.partner.get(x, x) is y for x, y in zip(a, b, strict=True)
        )

    def _operations(self, a: Operation, b: Operation, where: str) -> str | None:
        if a.name != b.name:
            return f"{where}: {a.name} and {b.name}"
        if not self._same_values(a.operands, b.operands):
            return f"{where}: operands of {a.name}"
        if a.attributes.keys() != b.attributes.keys():
            return f"{where}: attributes {list(a.attributes)} and {list(b.attributes)} of {a.name}"
        for key, value in a.attributes.items():
            if not same_attribute(value, b.attributes[key]):
                return f"{where}: {key} = {value!r} and {b.attributes[key]!r} of {a.name}"
        if len(a.regions) != len(b.regions):
            return f"{where}: numbers of regions of {a.name}"
        for x, y in zip(a.regions, b.regions, strict=True):
            difference = self.blocks(x.block, y.block, f"the region of {where}")
            if difference:
                return difference
        return self._pair(a.results, b.results, f"the results of {where}")
