"""Reverse mode, derived: the transpose of a linear program, and vjp = linearize + transpose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..core.dtypes import is_float
from ..errors import DifferentiationError
from ..ir.builder import Builder
from ..ir.dead_code import drop_dead
from ..ir.program import Operation, Program, Value
from ..ops.elementwise import add, filled
from ..ops.primitive import Operand, building, owned, primitives
from .forward import check_differentiable, jvp_into
from .trace import inline

__all__ = [
    "influencing_inputs", "transpose_into", "transpose_program", "vjp_program", "without_inputs",
]  # fmt: skip


def transpose_into(
    operations: Iterable[Operation],
    linear: set[Value],
    cotangents: dict[Value, Operand],
) -> None:
    """Pull cotangents back through linear operations, last first, adding where paths meet.

    Parameters
    ----------
    operations
        All operations in order; those without an operand in `linear` are passed over.
    linear
        The values that depend linearly on the tangent inputs.
    cotangents
        Cotangents of outputs on entry; of every linear value that matters on return.
    """
    for operation in reversed(list(operations)):
        ct = cotangents.get(operation.result)
        if ct is None or operation.result not in linear:
            continue
        record = primitives[operation.name]
        moving = [v in linear for v in operation.operands]
        if record.transpose is None or (record.linearity == "multi" and sum(moving) > 1):
            raise DifferentiationError(f"{operation.name} is not linear and has no transpose")
        for index, value in enumerate(operation.operands):
            if not moving[index]:
                continue
            part = record.transpose(ct, index, operation.operands, operation.attributes)
            before = cotangents.get(value)
            cotangents[value] = part if before is None else add(before, part)


def _linear_values(operations: Iterable[Operation], tangents: Iterable[Value]) -> set[Value]:
    linear = set(tangents)
    for operation in operations:
        if any(v in linear for v in operation.operands) and is_float(operation.result.type.dtype):
            linear.add(operation.result)
    return linear


def transpose_program(program: Program, inputs: Sequence[int]) -> Program:
    """Transpose a program that is linear in the chosen inputs.

    Returns the program (other inputs, cotangents of the outputs) -> (cotangents of the chosen
    inputs).
    """
    others = [v for i, v in enumerate(program.inputs) if i not in inputs]
    builder = Builder([v.type for v in others])
    with building(builder):
        # the linear operations are copied so that their constant operands belong to this program
        tangents = [builder.argument(program.inputs[i].type) for i in inputs]
        placed = dict(zip(others, builder.block.arguments, strict=False))
        placed.update(zip((program.inputs[i] for i in inputs), tangents, strict=True))
        inlined = inline(program, [placed[v] for v in program.inputs])
        outputs = [owned(builder, o) for o in inlined]
        operations = list(builder.block.operations)
        linear = _linear_values(operations, tangents)
        cotangents: dict[Value, Operand] = {}
        for output in outputs:
            ct = builder.argument(output.type)
            before = cotangents.get(output)
            cotangents[output] = ct if before is None else add(before, ct)
        transpose_into(operations, linear, cotangents)
        results = [
            owned(builder, cotangents[t] if t in cotangents else filled(0.0, t)) for t in tangents
        ]
    return without_inputs(drop_dead(builder.finish(f"{program.name}_transpose", results)), tangents)


def vjp_program(program: Program, inputs: Sequence[int]) -> Program:
    """Return (inputs, cotangents of floating outputs) -> (outputs, cotangents of chosen inputs).

    Raises
    ------
    DifferentiationError
        If a chosen input does not influence any output: its gradient would silently be zero.
    """
    check_differentiable(program, inputs)
    builder = Builder([v.type for v in program.inputs])
    primal_inputs = list(builder.block.arguments)
    with building(builder):
        placeholders = [builder.argument(program.inputs[i].type) for i in inputs]
        tangents: list[Operand | None] = [None] * len(primal_inputs)
        for i, placeholder in zip(inputs, placeholders, strict=True):
            tangents[i] = placeholder
        outputs, moved = jvp_into(program, primal_inputs, tangents)
        operations = list(builder.block.operations)
        linear = _linear_values(operations, placeholders)
        cotangents: dict[Value, Operand] = {}
        for value, out_tangent in zip(program.outputs, moved, strict=True):
            if not is_float(value.type.dtype):
                continue
            ct = builder.argument(value.type)
            if out_tangent is not None:
                tangent = owned(builder, out_tangent)
                before = cotangents.get(tangent)
                cotangents[tangent] = ct if before is None else add(before, ct)
        transpose_into(operations, linear, cotangents)
        gradients = [cotangents[p] if p in cotangents else filled(0.0, p) for p in placeholders]
        results = [owned(builder, o) for o in [*outputs, *gradients]]
    done = drop_dead(builder.finish(f"{program.name}_vjp", results))
    return without_inputs(done, placeholders)


def influencing_inputs(program: Program) -> set[int]:
    """Return the inputs on which some output depends through floating values."""
    live = {v for v in program.outputs if is_float(v.type.dtype)}
    for operation in reversed(program.operations):
        if operation.result in live and primitives[operation.name].linearity != "constant":
            live.update(v for v in operation.operands if is_float(v.type.dtype))
    return {i for i, v in enumerate(program.inputs) if v in live}


def without_inputs(program: Program, removed: Sequence[Value]) -> Program:
    """Drop placeholder inputs that no operation uses any more."""
    gone = set(removed)
    for operation in program.operations:
        if gone.intersection(operation.operands):
            raise DifferentiationError(f"{operation.name} is not linear in its tangent")
    program.block.arguments = [v for v in program.block.arguments if v not in gone]
    for position, value in enumerate(program.block.arguments):
        value.index = position
    return program
