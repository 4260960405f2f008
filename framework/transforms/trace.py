"""Turn a Python function into a Program, and put a Program into another one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.dims import Dim, dim_names
from ..core.tree import Structure, flatten, leaf_paths, unflatten
from ..errors import ShapeError, TraceError
from ..ir.builder import Builder
from ..ir.dead_code import drop_dead
from ..ir.program import Operation, Program, Value, substitute_sizes
from ..ir.types import Attributes, TensorType
from ..ops.primitive import Operand, bind, building, owned, primitives, type_of
from ..ops.tensor import Tensor, unwrap, wrap

__all__ = [
    "Traced", "bind_sizes", "evaluate", "inline", "rebuild", "resize", "rewrap", "trace",
    "trace_call", "unwrap_leaves",
]  # fmt: skip


@dataclass(frozen=True)
class Traced:
    """A traced function.

    Attributes
    ----------
    program
        Its inputs are the argument leaves, then the captured values.
    captured
        What the function closed over, in the order of the extra inputs.
    structure
        The container of the result.
    """

    program: Program
    captured: tuple[Operand, ...]
    structure: Structure


def unwrap_leaves(arguments: object) -> tuple[list[Operand], Structure]:
    """Flatten arguments to operands; every leaf must be an array or a number."""
    leaves, structure = flatten(arguments)
    operands = []
    for position, leaf in enumerate(leaves):
        try:
            operands.append(unwrap(leaf))
        except TraceError as error:
            path = leaf_paths(structure)[position]
            raise TraceError(f"argument {path}: {error}") from None
    return operands, structure


def trace(
    function: Callable[..., Any], structure: Structure, types: Sequence[TensorType], name: str = ""
) -> Traced:
    """Trace ``function(*arguments)``, where the arguments have this structure and these types."""
    builder = Builder(types)
    arguments = unflatten(structure, [Tensor(v) for v in builder.block.arguments])
    with building(builder):
        result = function(*arguments)
        operands, out_structure = _result_leaves(result, function)
        outputs = [owned(builder, o) for o in operands]
    captured: tuple[Any, ...] = tuple(source for source, _ in builder.captures.values())
    program = drop_dead(builder.finish(name or getattr(function, "__name__", "function"), outputs))
    return Traced(program, captured, out_structure)


def _result_leaves(result: object, function: Callable[..., Any]) -> tuple[list[Operand], Structure]:
    name = getattr(function, "__name__", "the function")
    try:
        return unwrap_leaves(result)
    except TraceError as error:
        raise TraceError(f"the result of {name} is not made of arrays: {error}") from None


def trace_call(
    function: Callable[..., Any], arguments: Sequence[object]
) -> tuple[Traced, list[Operand]]:
    """Trace a function at given arguments; return it with the operands of its call."""
    operands, structure = unwrap_leaves(tuple(arguments))
    traced = trace(function, structure, [type_of(o) for o in operands])
    return traced, [*operands, *traced.captured]


def bind_sizes(program: Program, types: Sequence[TensorType]) -> dict[str, int | Dim]:
    """Match input types against actual ones and return the sizes of the symbolic names."""
    sizes: dict[str, int | Dim] = {}
    if len(types) != len(program.inputs):
        raise ShapeError(f"{program.name} takes {len(program.inputs)} arrays, got {len(types)}")
    for position, (value, got) in enumerate(zip(program.inputs, types, strict=True)):
        expected = value.type
        fits = expected.rank == got.rank and expected.dtype == got.dtype
        for want, size in zip(expected.shape, got.shape, strict=False):
            if isinstance(want, Dim) and want.terms == (((repr(want),), 1),):
                fits = fits and sizes.setdefault(repr(want), size) == size
            elif not isinstance(want, Dim):
                fits = fits and want == size
        if not fits:
            raise ShapeError(
                f"{program.name}: input {position} must be {expected}"
                f"{' with ' + str(sizes) if dim_names(expected.shape) else ''}, got {got}"
            )
    return sizes


def inline(program: Program, operands: Sequence[Operand]) -> list[Operand]:
    """Apply a program to operands: into the current program, or at once if all are arrays."""
    sizes = bind_sizes(program, [type_of(o) for o in operands])
    environment: dict[Value, Operand] = dict(zip(program.inputs, operands, strict=True))
    renames = {n: s for n, s in sizes.items() if repr(s) != n}
    for operation in program.operations:
        arguments = [environment[v] for v in operation.operands]
        attributes = operation.attributes
        if renames:
            attributes = resize(attributes, renames)
        environment[operation.result] = bind(primitives[operation.name], arguments, attributes)
    return [environment[v] for v in program.outputs]


def rebuild(
    program: Program, made: dict[Value, Operand], apply: Callable[[Operation], Operand]
) -> Program:
    """Return the program made again, operation by operation, without what nothing needs.

    Parameters
    ----------
    program
        The program to make again.
    made
        What each value of it has become; it is filled as the operations are made.
    apply
        Makes the result of an operation from those of its operands in `made`.
    """
    builder = Builder([v.type for v in program.inputs])
    with building(builder):
        made.update(zip(program.inputs, builder.block.arguments, strict=True))
        for operation in program.operations:
            made[operation.result] = apply(operation)
        outputs = [owned(builder, made[v]) for v in program.outputs]
    return drop_dead(builder.finish(program.name, outputs))


def resize(attributes: Attributes, sizes: Mapping[str, int | Dim]) -> Attributes:
    """Replace symbolic sizes in attributes."""
    return {k: substitute_sizes(v, sizes) for k, v in attributes.items()}


def evaluate(program: Program, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Run a program with NumPy, operation by operation: the meaning of every other execution."""
    sizes = bind_sizes(program, [type_of(a) for a in arrays])
    environment = dict(zip(program.inputs, arrays, strict=True))
    for operation in program.operations:
        operands = [environment[v] for v in operation.operands]
        attributes = resize(operation.attributes, sizes) if sizes else operation.attributes
        environment[operation.result] = primitives[operation.name].evaluate(operands, attributes)
    return [np.asarray(environment[v]) for v in program.outputs]


def rewrap(structure: Structure, operands: Sequence[Operand]) -> Any:
    """Put operands back into a container as tensors or arrays."""
    return unflatten(structure, [wrap(o) for o in operands])
