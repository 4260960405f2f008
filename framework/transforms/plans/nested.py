"""Nested first-order differentiation: one reverse sweep for all first derivatives of an output,
and forward mode over it for higher ones.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from ...errors import DifferentiationError
from ...ir.builder import Builder
from ...ir.dead_code import drop_dead
from ...ir.program import Program
from ...ir.types import Literal
from ...ops.broadcast import broadcast
from ...ops.elementwise import filled
from ...ops.fill import constant, full
from ...ops.primitive import Operand, bind, building, owned, type_of
from ...ops.reshape import reshape
from ...ops.slice import slice_
from ...ops.transpose import transpose
from ..batching import vmap_into
from ..fields import Field
from ..forward import jvp_program
from ..reverse import vjp_program
from ..taylor import MultiIndex
from ..trace import inline
from .costs import Carried, Cost, propagation_cost
from .request import Request, Results, row_of, weighted

__all__ = ["Nested", "first_derivatives"]

# The program doubles with each forward derivative.
_HIGHEST = 6


class Nested:
    """Reverse mode for one derivative, forward mode over it for the others."""

    name = "nested"

    def refusal(self, field: Field, request: Request) -> str:
        if not request.order:
            return "no derivative is asked for"
        if request.order > _HIGHEST:
            return f"the program doubles with each order, and {request.order} exceeds {_HIGHEST}"
        for value in field.program.outputs:
            if value in field.point_axes and (value.type.rank > 2 or field.point_axes[value] != 0):
                return f"reverse mode is for (points,) or (points, m), not {value.type}"
        return ""

    def cost(self, field: Field, request: Request) -> Cost:
        components = sum(field.elements(v) for v in field.program.outputs if v in field.point_axes)
        # a forward and a backward sweep of the value, and of each derivative that is carried;
        # equal tangents make equal derivatives, so one direction taken n times makes n + 1
        values = 1
        for prefixes in _levels(request.indices).values():
            columns = Counter(zip(*map(_steps, prefixes), strict=True))
            values += len(prefixes) * (math.prod(n + 1 for n in columns.values()) - 1)
        rows = 2 * values
        whole = tuple((k,) for k in range(2))
        return propagation_cost(field, Carried(rows * components, {whole: rows * components}))

    def run(self, field: Field, request: Request) -> Results:
        outputs = range(len(field.program.outputs))
        found = [self._of_output(field, o, request.indices) for o in outputs]
        parts = [[found[o][k] for o in outputs] for k in range(len(request.indices))]
        return weighted(parts, request)

    @staticmethod
    def _of_output(field: Field, output: int, indices: Sequence[MultiIndex]) -> list[Operand]:
        value = field.program.outputs[output]
        base = inline(field.program, field.operands)[output]
        if value not in field.point_axes:
            return [filled(0.0, base) if any(a) else base for a in indices]
        gradient = _gradient_program(_only(field.program, output))
        raised: dict[MultiIndex, Operand] = {}
        for order, prefixes in _levels(indices).items():
            found = _raised(field, gradient, order, prefixes)
            raised.update(zip(prefixes, found, strict=True))
        return [
            _component(raised[_split(a)[0]], _split(a)[1], value.type.rank) if any(a) else base
            for a in indices
        ]


def first_derivatives(field: Field) -> list[Operand]:
    """Return the gradient of each output, (points, d) or (points, m, d), by one reverse sweep."""
    refusal = Nested().refusal(field, Request((_first(field.dimension),)))
    if refusal:
        raise DifferentiationError(f"{field.program.name}: {refusal}")
    results = []
    for output, value in enumerate(field.program.outputs):
        base = inline(field.program, field.operands)[output]
        shape = (*type_of(base).shape, field.dimension)
        if value not in field.point_axes:
            results.append(full(shape, 0.0, type_of(base).dtype))
            continue
        (stack,) = inline(_gradient_program(_only(field.program, output)), field.operands)
        moved = transpose(stack, permutation=(1, 0, 2))
        results.append(reshape(moved, shape=shape))
    return results


def _first(dimension: int) -> MultiIndex:
    return (1, *(0 for _ in range(dimension - 1)))


def _split(a: MultiIndex) -> tuple[MultiIndex, int]:
    """Return the part that forward mode takes, and the coordinate left to reverse mode.

    The last coordinate is left, so that d_x d_y and d_y d_y share the forward derivative in y
    no less often than another rule would have it.
    """
    last = max(i for i, n in enumerate(a) if n)
    return tuple(n - (i == last) for i, n in enumerate(a)), last


def _levels(indices: Sequence[MultiIndex]) -> dict[int, list[MultiIndex]]:
    """Return what forward mode takes, by order."""
    levels: dict[int, list[MultiIndex]] = defaultdict(list)
    for prefix in dict.fromkeys(_split(a)[0] for a in indices if any(a)):
        levels[sum(prefix)].append(prefix)
    return levels


def _steps(prefix: MultiIndex) -> list[int]:
    """Return the coordinates of the forward derivatives, one after the other."""
    return [i for i, n in enumerate(prefix) for _ in range(n)]


def _only(program: Program, output: int) -> Program:
    """Return the program with one of its outputs, of shape (points, m)."""
    builder = Builder([v.type for v in program.inputs])
    with building(builder):
        result = inline(program, builder.block.arguments)[output]
        type = type_of(result)
        if type.rank == 1:
            result = reshape(result, shape=(*type.shape, 1))
        return drop_dead(builder.finish(program.name, [owned(builder, result)]))


def _gradient_program(program: Program) -> Program:
    """Return (X, others) -> the first derivatives of each component, of shape (m, points, d)."""
    pull = vjp_program(program, [0])
    output = program.outputs[0].type
    points, count = output.shape
    if not isinstance(count, int):
        raise DifferentiationError(f"{program.name}: {output} has a symbolic inner size")
    builder = Builder([v.type for v in program.inputs])
    with building(builder):
        given = list(builder.block.arguments)
        # a constant of the program, however large: it has no other inputs than the field
        literal = Literal.of(np.eye(count, dtype=output.dtype))
        basis = bind(constant, (), {"value": literal})
        seeds = broadcast(basis, shape=(count, points, count), dimensions=(0, 2))
        axes = [*(None for _ in given), 0]
        gradient = vmap_into(pull, [*given, seeds], axes, count)[1]
        return drop_dead(builder.finish(f"{program.name}_gradient", [owned(builder, gradient)]))


def _raised(
    field: Field, gradient: Program, order: int, prefixes: Sequence[MultiIndex]
) -> list[Operand]:
    """Return the gradient differentiated once more for every prefix of one order."""
    if order == 0:
        return inline(gradient, field.operands)
    program = gradient
    for _ in range(order):
        program = jvp_program(program, [0])
        program.block.outputs = program.block.outputs[1:]
    points = type_of(field.points)
    shape = (len(prefixes), *points.shape)
    rows: dict[tuple[int, ...], Operand] = {}
    for column in zip(*map(_steps, prefixes), strict=True):
        # equal tangents are one array, so that what follows from them is shared
        if column not in rows:
            unit = np.eye(field.dimension, dtype=points.dtype)[list(column)]
            rows[column] = broadcast(unit, shape=shape, dimensions=(0, 2))
    tangents = [rows[column] for column in zip(*map(_steps, prefixes), strict=True)]
    axes = [*(None for _ in field.operands), *(0 for _ in tangents)]
    (stack,) = vmap_into(drop_dead(program), [*field.operands, *tangents], axes, len(prefixes))
    return [row_of(stack, k) for k in range(len(prefixes))]


def _component(raised: Operand, i: int, rank: int) -> Operand:
    """Return the derivative by coordinate i from an array of shape (m, points, d)."""
    count, points, _ = type_of(raised).shape
    part = slice_(raised, start=(0, 0, i), limit=(count, points, i + 1), stride=(1, 1, 1))
    if rank == 1:
        return reshape(part, shape=(points,))
    return transpose(reshape(part, shape=(count, points)), permutation=(1, 0))
