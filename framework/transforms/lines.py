"""Taylor coefficients of a pointwise field along many lines at once, stacked in one array.

Along the line t -> x + t v a field is a function of one variable. For D directions v the
coefficients of every order but zero are arrays with D in front, so that the program is as long
for a hundred directions as for one, and its products are D times taller. The same holds of the
mixed coefficients in D planes x + s v + t w, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import DifferentiationError, ShapeError
from ..ir.builder import Builder
from ..ir.dead_code import drop_dead
from ..ir.types import TensorType
from ..ops.mapped import to_front
from ..ops.primitive import Operand, building, owned, type_of
from ..ops.tensor import broadcast_to
from .batching import map_results
from .fields import Field, trace_field
from .taylor import MultiIndex, TaylorContext, coefficient
from .trace import inline

__all__ = ["along_lines", "direction_coefficients", "line_coefficients"]


def line_coefficients(
    u: Callable[[Any], Any], X: Any, directions: Operand, order: int
) -> tuple[Operand, list[Operand | None]]:
    """Propagate a field along D lines through every point.

    Parameters
    ----------
    u
        Pointwise field, X of shape (points, d) to one array.
    X
        Points of shape (points, d).
    directions
        Shape (D, d), the same at all points, or (D, points, d).
    order
        Highest order K of the coefficients.

    Returns
    -------
    value
        u(X), without a stacked axis.
    coefficients
        For k = 1, ..., K the array (1/k!) d^k/dt^k u(x + t v) of shape (D, \\*value.shape), None
        where it is zero whatever X is.
    """
    return direction_coefficients(u, X, [directions], [(k,) for k in range(1, order + 1)])


def direction_coefficients(
    u: Callable[[Any], Any], X: Any, directions: Sequence[Operand], wanted: Sequence[MultiIndex]
) -> tuple[Operand, list[Operand | None]]:
    """Propagate a field along D planes x + t_1 v_1 + ... + t_m v_m through every point.

    Parameters
    ----------
    u, X
        As for `line_coefficients`.
    directions
        v_1, ..., v_m of one shape, (D, d) or (D, points, d).
    wanted
        Multi-indices of length m, not zero. All below them are propagated.

    Returns
    -------
    value
        u(X), without a stacked axis.
    coefficients
        For each a the array (1/a!) d^|a| u / dt_1^a_1 ... dt_m^a_m of shape (D, \\*value.shape),
        None where it is zero whatever X is.
    """
    field = trace_field(u, X)
    if field.structure.kind is not None:
        raise DifferentiationError(f"{field.program.name} must return one array of values")
    (value,), (coefficients,) = along_lines(field, directions, wanted)
    return value, coefficients


def along_lines(
    field: Field, directions: Sequence[Operand], wanted: Sequence[MultiIndex]
) -> tuple[list[Operand], list[list[Operand | None]]]:
    """Return the value of every output of a field, and for each its stacked coefficients."""
    given, points = type_of(directions[0]), type_of(field.points)
    fits = given.rank in (2, 3) and given.shape[1:] in (points.shape[1:], points.shape)
    if not fits or given.dtype != points.dtype or any(type_of(v) != given for v in directions):
        raise ShapeError(
            f"directions must be (D, {field.dimension}) or (D, points, {field.dimension}) of the "
            f"type of the points, {points}; got {', '.join(str(type_of(v)) for v in directions)}"
        )
    count, variables = given.shape[0], len(directions)
    builder = Builder([v.type for v in field.program.inputs])
    context = TaylorContext(variables)
    with building(builder):
        lines = [builder.argument(TensorType(given.shape[1:], given.dtype)) for _ in directions]
        x, *rest = builder.block.arguments[:-variables]
        units = [tuple(int(k == i) for k in range(variables)) for i in range(variables)]
        seeds = {a: broadcast_to(v, points.shape) for a, v in zip(units, lines, strict=True)}
        results = inline(field.program, [context.input(x, seeds), *rest])
        parts = {
            (o, a): coefficient(result, a)
            for o, result in enumerate(results)
            for a in (context.zero, *wanted)
        }
        present = {key: part for key, part in parts.items() if part is not None}
        outputs = [owned(builder, part) for part in present.values()]
    program = drop_dead(builder.finish(f"{field.program.name}_lines", outputs))
    axes = [*(None for _ in field.operands), *(0 for _ in directions)]
    mapped = map_results(program, [*field.operands, *directions], axes, count)
    found = dict(zip(present, mapped, strict=True))
    values = [found[(o, context.zero)][0] for o in range(len(results))]
    return values, [
        [to_front(*found[(o, a)], count) if (o, a) in found else None for a in wanted]
        for o in range(len(results))
    ]
