"""Loop nests in LLVM: control flow, index arithmetic, and the generic element-by-element loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.dims import Dim, Shape
from ...core.dtypes import BOOL, INT64, DType
from ...ir.program import Operation
from ...ops.lowering import neutral
from ...ops.primitive import primitives
from .emitter import I8, I64, LlvmEmitter, element_type, memory_type

__all__ = [
    "SizeOf", "Target", "count_loop", "emit_fold_into", "emit_movement", "emit_reduction",
    "emit_scatter", "flat_index", "nest", "polynomial",
]  # fmt: skip

SizeOf = Callable[[int | Dim], Any]


class Target:
    """An array in memory: base address, shape and element type."""

    def __init__(self, pointer: Any, shape: Shape, dtype: DType) -> None:
        self.pointer = pointer
        self.shape = shape
        self.dtype = dtype

    def address(self, builder: Any, flat: Any) -> Any:
        """Return a typed pointer to the element at a flat index."""
        typed = builder.bitcast(self.pointer, memory_type(self.dtype).as_pointer())
        return builder.gep(typed, [flat])

    def load(self, emitter: LlvmEmitter, flat: Any) -> Any:
        """Load one element."""
        b = emitter.builder
        value = b.load(self.address(b, flat))
        if self.dtype == BOOL:
            return b.icmp_unsigned("!=", value, I8(0))
        return emitter.mark(value, self.dtype)

    def store(self, emitter: LlvmEmitter, flat: Any, value: Any) -> None:
        """Store one element."""
        b = emitter.builder
        if self.dtype == BOOL:
            value = b.zext(value, I8)
        b.store(value, self.address(b, flat))


def flat_index(builder: Any, index: Sequence[Any], shape: Shape, size_of: SizeOf) -> Any:
    """Return the row-major position of an index."""
    flat: Any = I64(0)
    for i, size in zip(index, shape, strict=True):
        flat = builder.add(builder.mul(flat, size_of(size)), i)
    return flat


def polynomial(builder: Any, dim: int | Dim, sizes: Mapping[str, Any]) -> Any:
    """Return the i64 value of a size from the values of the names in it."""
    if not isinstance(dim, Dim):
        return I64(dim)
    total: Any = None
    for monomial, coefficient in dim.terms:
        term: Any = None if coefficient == 1 and monomial else I64(coefficient)
        for name in monomial:
            term = sizes[name] if term is None else builder.mul(term, sizes[name])
        total = term if total is None else builder.add(total, term)
    return total


@contextmanager
def count_loop(builder: Any, start: Any, stop: Any, step: Any = 1) -> Iterator[Any]:
    """Emit ``for (i = start; i < stop; i += step)`` around the body; yields i."""
    function = builder.function
    before = builder.block
    head = function.append_basic_block("head")
    body = function.append_basic_block("body")
    after = function.append_basic_block("after")
    builder.branch(head)
    builder.position_at_end(head)
    i = builder.phi(I64)
    i.add_incoming(start, before)
    builder.cbranch(builder.icmp_signed("<", i, stop), body, after)
    builder.position_at_end(body)
    yield i
    following = builder.add(i, I64(step) if isinstance(step, int) else step)
    i.add_incoming(following, builder.block)
    builder.branch(head)
    builder.position_at_end(after)


def nest(builder: Any, shape: Shape, size_of: SizeOf, body: Callable[[list[Any]], None]) -> None:
    """Run a body at every index of a shape."""

    def level(index: list[Any]) -> None:
        if len(index) == len(shape):
            body(index)
            return
        with count_loop(builder, I64(0), size_of(shape[len(index)])) as i:
            level([*index, i])

    level([])


def emit_movement(
    builder: Any, operation: Operation, operands: Sequence[Target], result: Target, size_of: SizeOf
) -> None:
    """Compute each element of the result from its index."""
    emitter = LlvmEmitter(builder, 1, size_of)

    def load(k: int, index: Sequence[Any]) -> Any:
        source = operands[k]
        return source.load(emitter, flat_index(builder, index, source.shape, size_of))

    def body(index: list[Any]) -> None:
        lowering: Any = primitives[operation.name].lowering
        marked = [emitter.mark(i, INT64) for i in index]
        value = lowering.element(emitter, load, marked, operation)
        result.store(emitter, flat_index(builder, index, result.shape, size_of), value)

    nest(builder, result.shape, size_of, body)


def fold_step(emitter: LlvmEmitter, kind: str, total: Any, value: Any) -> Any:
    """Combine an accumulator and a value."""
    if kind == "sum":
        return emitter.add(total, value)
    if kind == "prod":
        return emitter.mul(total, value)
    relation = "gt" if kind == "max" else "lt"
    better = emitter.compare(relation, value, total)
    # a NaN is kept, as NumPy does
    better = emitter.logical("or", better, emitter.compare("ne", value, value))
    return emitter.select(better, value, total)


def emit_reduction(
    builder: Any, operation: Operation, source: Target, result: Target, size_of: SizeOf
) -> None:
    """Fold over the axes of the operation, one result element after the other."""
    emitter = LlvmEmitter(builder, 1, size_of)
    lowering: Any = primitives[operation.name].lowering
    axes: Any = operation.attributes["axes"]
    rank = len(source.shape)
    kept = [i for i in range(rank) if i not in axes]
    with builder.goto_entry_block():
        slot = builder.alloca(element_type(result.dtype))

    def outer(index: list[Any]) -> None:
        start = emitter.constant(neutral(lowering.kind, result.dtype), result.dtype)
        builder.store(start, slot)

        def inner(folded: list[Any]) -> None:
            full = dict(zip(kept, index, strict=True)) | dict(zip(axes, folded, strict=True))
            flat = flat_index(builder, [full[i] for i in range(rank)], source.shape, size_of)
            total = emitter.mark(builder.load(slot), result.dtype)
            value = source.load(emitter, flat)
            builder.store(fold_step(emitter, lowering.kind, total, value), slot)

        nest(builder, tuple(source.shape[a] for a in axes), size_of, inner)
        flat = flat_index(builder, index, result.shape, size_of)
        result.store(emitter, flat, emitter.mark(builder.load(slot), result.dtype))

    nest(builder, result.shape, size_of, outer)


def emit_scatter(
    builder: Any, operation: Operation, operands: Sequence[Target], result: Target, size_of: SizeOf
) -> None:
    """Copy the operand, then add every update at its index; out of range is dropped."""
    emitter = LlvmEmitter(builder, 1, size_of)
    operand, indices, updates = operands
    axis: Any = operation.attributes["axis"]
    count = len(indices.shape)

    def copy(index: list[Any]) -> None:
        flat = flat_index(builder, index, result.shape, size_of)
        result.store(emitter, flat, operand.load(emitter, flat))

    def add(index: list[Any]) -> None:
        at = flat_index(builder, index[axis : axis + count], indices.shape, size_of)
        row = emitter.convert(indices.load(emitter, at), indices.dtype, INT64)
        low = emitter.compare("ge", row, I64(0))
        high = emitter.compare("lt", row, size_of(result.shape[axis]))
        with builder.if_then(builder.and_(low, high)):
            target = [*index[:axis], row, *index[axis + count :]]
            flat = flat_index(builder, target, result.shape, size_of)
            value = updates.load(emitter, flat_index(builder, index, updates.shape, size_of))
            result.store(emitter, flat, emitter.add(result.load(emitter, flat), value))

    nest(builder, result.shape, size_of, copy)
    nest(builder, updates.shape, size_of, add)


def emit_fold_into(builder: Any, kind: str, source: Target, total: Target, size_of: SizeOf) -> None:
    """Fold an array into an accumulator of the same shape, element by element."""
    emitter = LlvmEmitter(builder, 1, size_of)

    def body(index: list[Any]) -> None:
        flat = flat_index(builder, index, source.shape, size_of)
        value = fold_step(emitter, kind, total.load(emitter, flat), source.load(emitter, flat))
        total.store(emitter, flat, value)

    nest(builder, source.shape, size_of, body)
