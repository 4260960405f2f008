"""Values, operations, blocks, regions and programs in static single assignment form.

A `Program` is one region with one block: its arguments are the inputs, its `outputs` the
results. An operation may own regions (a tile loop, a fused loop), whose blocks see the values
of the blocks around them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from ..core.dims import Dim, dim_names, evaluate_dim
from .types import Attribute, Attributes, TensorType

__all__ = [
    "Block", "Body", "Operation", "Program", "Region", "Rule", "Value", "substitute_program",
    "substitute_sizes",
]  # fmt: skip


class Value:
    """One result of an operation, or one argument of a block."""

    __slots__ = ("hint", "index", "owner", "type")

    def __init__(
        self, type: TensorType, owner: Operation | Block, index: int, hint: str = ""
    ) -> None:
        self.type = type
        self.owner = owner
        self.index = index
        self.hint = hint

    @property
    def operation(self) -> Operation | None:
        """The operation that defines the value, or None for a block argument."""
        return self.owner if isinstance(self.owner, Operation) else None

    def __repr__(self) -> str:
        return f"<value {self.hint or hex(id(self))}: {self.type}>"


class Operation:
    """A named operation on values; pure, so it may be shared, moved and dropped."""

    __slots__ = ("attributes", "name", "operands", "regions", "results")

    def __init__(
        self,
        name: str,
        operands: Sequence[Value],
        attributes: Attributes,
        result_types: Sequence[TensorType],
        regions: Sequence[Region] = (),
    ) -> None:
        self.name = name
        self.operands = tuple(operands)
        self.attributes = attributes
        self.results = tuple([Value(t, self, i) for i, t in enumerate(result_types)])
        self.regions = tuple(regions)

    @property
    def result(self) -> Value:
        """The only result."""
        return self.results[0]

    def __repr__(self) -> str:
        return f"<{self.name} {', '.join(str(r.type) for r in self.results)}>"


class Block:
    """A list of operations with arguments and the values it yields."""

    __slots__ = ("arguments", "operations", "outputs")

    def __init__(self, argument_types: Sequence[TensorType] = ()) -> None:
        self.arguments: list[Value] = [Value(t, self, i) for i, t in enumerate(argument_types)]
        self.operations: list[Operation] = []
        self.outputs: list[Value] = []

    def add_argument(self, type: TensorType, hint: str = "") -> Value:
        """Append an argument."""
        value = Value(type, self, len(self.arguments), hint)
        self.arguments.append(value)
        return value

    def walk(self) -> Iterator[Operation]:
        """Yield every operation, those of nested regions after their owner."""
        for operation in self.operations:
            yield operation
            for region in operation.regions:
                for block in region.blocks:
                    yield from block.walk()


class Region:
    """A list of blocks owned by an operation; every dialect here uses exactly one block."""

    __slots__ = ("blocks",)

    def __init__(self, *blocks: Block) -> None:
        self.blocks = list(blocks)

    @property
    def block(self) -> Block:
        """The only block."""
        return self.blocks[0]


class Program:
    """A named pure function from input values to output values.

    Parameters
    ----------
    name
        Printed after ``program @``.
    block
        Its arguments are the inputs and its outputs the results.
    """

    __slots__ = ("block", "name")

    def __init__(self, name: str, block: Block) -> None:
        self.name = name
        self.block = block

    @property
    def inputs(self) -> list[Value]:
        """The input values."""
        return self.block.arguments

    @property
    def outputs(self) -> list[Value]:
        """The output values."""
        return self.block.outputs

    @property
    def operations(self) -> list[Operation]:
        """The operations of the top block, in order."""
        return self.block.operations

    @property
    def size_names(self) -> frozenset[str]:
        """The names of symbolic sizes in the input types."""
        return frozenset().union(*(dim_names(v.type.shape) for v in self.inputs))

    def count(self) -> dict[str, int]:
        """Return how often each operation name occurs, nested regions included."""
        counts: dict[str, int] = {}
        for operation in self.block.walk():
            counts[operation.name] = counts.get(operation.name, 0) + 1
        return dict(sorted(counts.items()))

    def __str__(self) -> str:
        from .printer import print_program

        return print_program(self)


class Rule(Protocol):
    """Where the derivative of a body comes from, when it is not that of its operations."""

    def resized(self, sizes: Mapping[str, int | Dim]) -> Rule:
        """Return the rule with symbolic sizes replaced."""


class Body:
    """A program as an attribute: what an operation computes, with one output.

    Parameters
    ----------
    program
        Its inputs are the operands. It is printed as it is and must not be changed any more.
    rule
        Python code, and so no part of the text: a body that was read back has none.

    Two bodies are equal if their texts and rules are.
    """

    def __init__(self, program: Program, rule: Rule | None = None) -> None:
        self.program = program
        self.rule = rule

    @cached_property
    def text(self) -> str:
        """The program as text."""
        return str(self.program)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Body):
            return NotImplemented
        return self is other or (self.text == other.text and self.rule == other.rule)

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<body {self.program.name}>"


def substitute_sizes(value: Attribute, sizes: Mapping[str, int | Dim]) -> Attribute:
    """Replace symbolic size names inside an attribute."""
    if isinstance(value, Dim):
        return evaluate_dim(value, sizes)
    if isinstance(value, tuple):
        return tuple(substitute_sizes(v, sizes) for v in value)
    if isinstance(value, Body):
        rule = value.rule
        return Body(
            substitute_program(value.program, sizes), None if rule is None else rule.resized(sizes)
        )
    return value


def substitute_program(program: Program, sizes: Mapping[str, int | Dim]) -> Program:
    """Return a program of primitives with symbolic sizes replaced in every type and attribute."""

    def resized(type: TensorType) -> TensorType:
        return TensorType(tuple(evaluate_dim(s, sizes) for s in type.shape), type.dtype)

    block = Block([resized(v.type) for v in program.inputs])
    values = dict(zip(program.inputs, block.arguments, strict=True))
    for operation in program.operations:
        copy = Operation(
            operation.name,
            [values[v] for v in operation.operands],
            {k: substitute_sizes(a, sizes) for k, a in operation.attributes.items()},
            [resized(r.type) for r in operation.results],
        )
        block.operations.append(copy)
        values.update(zip(operation.results, copy.results, strict=True))
    block.outputs = [values[v] for v in program.outputs]
    return Program(program.name, block)
