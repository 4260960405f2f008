"""vmap: a program over one example becomes a program over a batch of examples."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.dims import Dim
from ..errors import ShapeError
from ..ir.builder import Builder
from ..ir.program import Program, Value
from ..ir.types import TensorType
from ..ops.mapped import to_front
from ..ops.primitive import Operand, bind, building, owned, primitives, type_of
from .trace import bind_sizes, resize

__all__ = ["map_results", "vmap_into", "vmap_program"]


def vmap_into(
    program: Program, operands: Sequence[Operand], axes: Sequence[int | None], size: int | Dim
) -> list[Operand]:
    """Apply a program over a mapped axis; every result has the mapped axis first."""
    return [to_front(o, a, size) for o, a in map_results(program, operands, axes, size)]


def map_results(
    program: Program, operands: Sequence[Operand], axes: Sequence[int | None], size: int | Dim
) -> list[tuple[Operand, int | None]]:
    """Apply a program over a mapped axis; each result comes with its mapped axis, None if none."""
    environment: dict[Value, Operand] = dict(zip(program.inputs, operands, strict=True))
    mapped: dict[Value, int] = {
        v: a for v, a in zip(program.inputs, axes, strict=True) if a is not None
    }
    sizes = bind_sizes(
        program, [_without(type_of(o), a) for o, a in zip(operands, axes, strict=True)]
    )
    renames = {n: s for n, s in sizes.items() if repr(s) != n}
    for operation in program.operations:
        record = primitives[operation.name]
        attributes = resize(operation.attributes, renames) if renames else operation.attributes
        arguments = [environment[v] for v in operation.operands]
        where = [mapped.get(v) for v in operation.operands]
        if all(a is None for a in where):
            environment[operation.result] = bind(record, arguments, attributes)
            continue
        result, axis = record.batch(arguments, where, size, attributes)
        environment[operation.result] = result
        mapped[operation.result] = axis
    return [(environment[v], mapped.get(v)) for v in program.outputs]


def _without(type: TensorType, axis: int | None) -> TensorType:
    if axis is None:
        return type
    return TensorType(tuple(s for i, s in enumerate(type.shape) if i != axis), type.dtype)


def vmap_program(program: Program, mapped: Sequence[bool], size: int | Dim) -> Program:
    """Return the program over a new leading axis of the given size on the chosen inputs."""
    if len(mapped) != len(program.inputs):
        raise ShapeError(f"{len(program.inputs)} flags expected, got {len(mapped)}")
    types = [
        TensorType((size, *v.type.shape), v.type.dtype) if m else v.type
        for v, m in zip(program.inputs, mapped, strict=True)
    ]
    builder = Builder(types)
    with building(builder):
        axes = [0 if m else None for m in mapped]
        outputs = vmap_into(program, builder.block.arguments, axes, size)
        results = [owned(builder, o) for o in outputs]
    return builder.finish(f"{program.name}_vmap", results)
