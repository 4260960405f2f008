"""Forward mode: the Jacobian-vector product of a program, and its linear part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..core.dims import Dim
from ..core.dtypes import is_float
from ..errors import DifferentiationError
from ..ir.builder import Builder
from ..ir.dead_code import drop_dead
from ..ir.program import Program, Value
from ..ops.elementwise import filled
from ..ops.primitive import Operand, bind, building, owned, primitives, type_of
from .trace import bind_sizes, resize

__all__ = ["jvp_into", "jvp_program", "linearize_program"]


def jvp_into(
    program: Program, operands: Sequence[Operand], tangents: Sequence[Operand | None]
) -> tuple[list[Operand], list[Operand | None]]:
    """Apply a program and push tangents through it; a tangent is None where zero."""
    sizes = bind_sizes(program, [type_of(o) for o in operands])
    renames: Mapping[str, int | Dim] = {n: s for n, s in sizes.items() if repr(s) != n}
    primal: dict[Value, Operand] = dict(zip(program.inputs, operands, strict=True))
    tangent: dict[Value, Operand] = {
        v: t for v, t in zip(program.inputs, tangents, strict=True) if t is not None
    }
    for operation in program.operations:
        record = primitives[operation.name]
        attributes = operation.attributes
        if renames:
            attributes = resize(attributes, renames)
        arguments = [primal[v] for v in operation.operands]
        result = bind(record, arguments, attributes)
        primal[operation.result] = result
        moving = [tangent.get(v) for v in operation.operands]
        if any(t is not None for t in moving) and is_float(operation.result.type.dtype):
            out = record.jvp(result, arguments, moving, attributes)
            if out is not None:
                tangent[operation.result] = out
    outputs = program.outputs
    return [primal[v] for v in outputs], [tangent.get(v) for v in outputs]


def check_differentiable(program: Program, inputs: Sequence[int]) -> None:
    """Refuse inputs that have no derivative because they are not floating point."""
    for i in inputs:
        type = program.inputs[i].type
        if not is_float(type.dtype):
            raise DifferentiationError(
                f"{program.name}: input {i} is {type}; derivatives need a floating type"
            )


def jvp_program(program: Program, inputs: Sequence[int]) -> Program:
    """Return the program (inputs, tangents of the chosen inputs) -> (outputs, their tangents)."""
    check_differentiable(program, inputs)
    builder = Builder([v.type for v in program.inputs])
    primal_inputs = list(builder.block.arguments)
    tangents: list[Operand | None] = [None] * len(primal_inputs)
    for i in inputs:
        tangents[i] = builder.argument(program.inputs[i].type)
    with building(builder):
        outputs, moved = jvp_into(program, primal_inputs, tangents)
        dense = [filled(0.0, o) if t is None else t for o, t in zip(outputs, moved, strict=True)]
        results = [owned(builder, o) for o in [*outputs, *dense]]
    return drop_dead(builder.finish(f"{program.name}_jvp", results))


def linearize_program(program: Program, inputs: Sequence[int]) -> tuple[Program, Program]:
    """Split the JVP into what does not depend on tangents and what is linear in them.

    Returns
    -------
    primal
        (inputs) -> (outputs, residuals).
    linear
        (residuals, tangents of the chosen inputs) -> (tangents of the outputs).
    """
    whole = jvp_program(program, inputs)
    count, outputs = len(program.inputs), len(program.outputs)
    moving = set(whole.inputs[count:])
    known, linear = [], []
    for operation in whole.operations:
        if any(v in moving for v in operation.operands):
            moving.update(operation.results)
            linear.append(operation)
        else:
            known.append(operation)
    tangent_outputs = whole.outputs[outputs:]
    needed = [v for operation in linear for v in operation.operands] + tangent_outputs
    residuals = list(dict.fromkeys(v for v in needed if v not in moving))
    first = Builder([v.type for v in whole.inputs[:count]])
    inside: dict[Value, Operand] = dict(zip(whole.inputs, first.block.arguments, strict=False))
    with building(first):
        for operation in known:
            arguments = [inside[v] for v in operation.operands]
            inside[operation.result] = bind(
                primitives[operation.name], arguments, operation.attributes
            )
    second = Builder([v.type for v in residuals])
    local: dict[Value, Operand] = dict(zip(residuals, second.block.arguments, strict=True))
    for value in whole.inputs[count:]:
        local[value] = second.argument(value.type)
    with building(second):
        for operation in linear:
            arguments = [local[v] for v in operation.operands]
            local[operation.result] = bind(
                primitives[operation.name], arguments, operation.attributes
            )
    primal = first.finish(
        f"{program.name}_primal",
        [owned(first, inside[v]) for v in [*whole.outputs[:outputs], *residuals]],
    )
    return primal, second.finish(
        f"{program.name}_linear", [owned(second, local[v]) for v in tangent_outputs]
    )
