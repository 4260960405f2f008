"""Append operations to a block, sharing equal ones, and capture values of outer blocks."""

from __future__ import annotations

from collections.abc import Sequence

from .compare import same_attribute
from .program import Block, Operation, Program, Value
from .types import Attributes, TensorType

__all__ = ["Builder"]


class Builder:
    """Builds the block of a program.

    Every operation is pure, so an operation that is already there with the same operands and
    attributes is returned instead of a second copy (hash-consing). A value that belongs to
    another builder's block becomes an extra input, recorded in `captures`.
    """

    __slots__ = ("_known", "_local", "block", "captures")

    def __init__(self, argument_types: Sequence[TensorType] = ()) -> None:
        self.block = Block(argument_types)
        self.captures: dict[object, tuple[object, Value]] = {}
        self._local: set[Value] = set(self.block.arguments)
        self._known: dict[object, Operation] = {}

    def argument(self, type: TensorType, hint: str = "") -> Value:
        """Append an input."""
        value = self.block.add_argument(type, hint)
        self._local.add(value)
        return value

    def owns(self, value: Value) -> bool:
        """Return whether the value was made by this builder."""
        return value in self._local

    def capture(self, source: object, key: object, type: TensorType) -> Value:
        """Return the input that stands for something from outside, making it at first use."""
        if key not in self.captures:
            self.captures[key] = (source, self.argument(type))
        return self.captures[key][1]

    def emit(
        self,
        name: str,
        operands: Sequence[Value],
        attributes: Attributes,
        result_types: Sequence[TensorType],
        commutative: bool = False,
    ) -> Operation:
        """Append an operation, or return the equal one that is already there."""
        identities = [id(v) for v in operands]
        if commutative:
            identities.sort()
        key = (name, *identities, *attributes.items())
        found = self._known.get(key)
        # equal as Python objects is not the same: 1 == True == 1.0, and 0.0 == -0.0
        if found is not None and _same_attributes(found.attributes, attributes):
            return found
        operation = Operation(name, operands, attributes, result_types)
        self.append(operation)
        self._known[key] = operation
        return operation

    def append(self, operation: Operation) -> None:
        """Append an operation that is never shared, such as one with regions."""
        self.block.operations.append(operation)
        self._local.update(operation.results)

    def finish(self, name: str, outputs: Sequence[Value]) -> Program:
        """Set the outputs and return the program."""
        self.block.outputs = list(outputs)
        return Program(name, self.block)


def _same_attributes(a: Attributes, b: Attributes) -> bool:
    return a is b or all(x is b[k] or same_attribute(x, b[k]) for k, x in a.items())
