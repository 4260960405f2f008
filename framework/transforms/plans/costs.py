"""What a propagation of Taylor coefficients costs per point, counted from the records.

The model is short enough to check by hand. A value that depends on the points carries `rows`
coefficient arrays; one that depends on them affinely carries one, since its other coefficients
are the same at all points.

- A product with a constant matrix of shape (n, m) takes 2 n m operations for each row.
- Any other operation that is linear in what depends on the points takes one for each row.
- A nonlinear elementwise operation takes as many as its Taylor expansion has operations, counted
  in the program that the rules derive from its record; a transcendental function counts twenty.
- Every value that a product or a nonlinear operation makes is written and read once.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...ir.builder import Builder
from ...ir.program import Operation, Value
from ...ir.types import Attributes, TensorType
from ...ops.lowering import Contraction, Elementwise
from ...ops.primitive import bind, building, owned, primitives
from ..fields import Field
from ..taylor import MultiIndex, below, taylor_program

__all__ = ["Carried", "Cost", "closure", "propagation_cost"]

_FUNCTION = 20
# Repeats and constants cost nothing inside a loop.
_FREE = frozenset(("broadcast", "full", "reshape", "slice", "transpose", "convert"))


@dataclass(frozen=True)
class Cost:
    """Coefficient arrays carried, operations per point and bytes moved per point."""

    coefficients: int
    operations: float
    bytes: float


@dataclass(frozen=True)
class Carried:
    """What a plan propagates.

    Attributes
    ----------
    rows
        Coefficient arrays of a value that depends on the points in a general way.
    expansions
        Sets of multi-indices that are expanded separately, with the number of copies of each.
    """

    rows: int
    expansions: Mapping[tuple[MultiIndex, ...], int] = field(default_factory=dict)


def closure(indices: Iterable[MultiIndex]) -> tuple[MultiIndex, ...]:
    """Return all multi-indices below any of the given ones, by order."""
    found = {b for a in indices for b in below(a)}
    return tuple(sorted(found, key=lambda b: (sum(b), b[::-1])))


def propagation_cost(field: Field, carried: Carried) -> Cost:
    """Return the cost of one propagation through a field, counted in bodies, not in rules."""
    field = field.expanded
    operations, moved = 0.0, 0.0
    for operation in field.program.operations:
        result = operation.result
        degree = field.degree.get(result)
        if degree is None:
            continue
        elements = field.elements(result)
        rows = 1 if degree == 1 else carried.rows
        nonlinear = _nonlinear(field, operation)
        product = isinstance(primitives[operation.name].lowering, Contraction)
        if product:
            flops = 2.0 * elements * _contracted(operation)
            # both factors depend on the points: each pair of coefficients is multiplied
            pairs = _expanded(field, operation, carried, "mul") / 2 if nonlinear else rows
            operations += flops * pairs
        elif nonlinear:
            operations += elements * _expanded(field, operation, carried, operation.name)
        elif operation.name not in _FREE:
            operations += elements * rows
        if product or nonlinear:
            moved += 2.0 * rows * elements * result.type.dtype.itemsize
    return Cost(carried.rows, operations, moved)


def _nonlinear(field: Field, operation: Operation) -> bool:
    record = primitives[operation.name]
    if record.linearity == "multi":
        return sum(v in field.degree for v in operation.operands) > 1
    return record.linearity == "none"


def _contracted(operation: Operation) -> int:
    shape = operation.operands[0].type.shape
    total = 1
    for axis in operation.attributes["contract"][0]:
        size = shape[axis]
        total *= size if isinstance(size, int) else 1
    return total


def _expanded(field: Field, operation: Operation, carried: Carried, name: str) -> float:
    """Return the operations for each element of all expansions of one operation."""
    if not isinstance(primitives[name].lowering, Elementwise):
        name = "mul"
    degrees = tuple(field.degree.get(v, 0) for v in operation.operands)
    if name == "mul" and len(degrees) != 2:
        degrees = (2, 2)
    attributes = operation.attributes if name == operation.name else {}
    kinds = tuple(v.type.dtype for v in operation.operands)[: len(degrees)]
    if name == "mul":
        kinds = (operation.result.type.dtype,) * 2
    types = tuple(TensorType((), k) for k in kinds)
    arguments = (name, tuple(attributes.items()), types, degrees)
    variables = {len(s[0]) for s in carried.expansions}
    once = _count(*arguments, ((0,) * next(iter(variables), 1),))
    total = once
    for indices, copies in carried.expansions.items():
        total += copies * (_count(*arguments, indices) - once)
    return total


@functools.lru_cache(maxsize=4096)
def _count(
    name: str,
    attributes: tuple[tuple[str, object], ...],
    types: tuple[TensorType, ...],
    degrees: tuple[int, ...],
    indices: tuple[MultiIndex, ...],
) -> float:
    """Return the operations of the Taylor expansion of one elementwise operation."""
    builder = Builder(types)
    given: Attributes = dict(attributes)
    with building(builder):
        result = bind(primitives[name], builder.block.arguments, given)
        program = builder.finish(name, [owned(builder, result)])
    higher: dict[int, Sequence[MultiIndex]] = {
        0: (),
        1: [a for a in indices if sum(a) == 1],
        2: [a for a in indices if any(a)],
    }
    expanded = taylor_program(program, [higher[d] for d in degrees], indices)
    return sum(_weight(o) for o in expanded.operations)


def _weight(operation: Operation) -> int:
    if operation.name in _FREE:
        return 0
    return _FUNCTION if _is_function(operation.results[0]) else 1


_ARITHMETIC = frozenset((
    "abs", "add", "div", "integer_pow", "max", "min", "mul", "neg", "rsqrt", "select", "sign",
    "sqrt", "sub", "eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_not",
    "floor", "stop_gradient",
))  # fmt: skip


def _is_function(value: Value) -> bool:
    return value.operation is not None and value.operation.name not in _ARITHMETIC
