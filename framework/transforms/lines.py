"""Taylor coefficients of a pointwise field along many lines at once, stacked in one array.

Along the line t -> x + t v a field is a function of one variable. For D directions v the
coefficients of every order but zero are arrays with D in front, so that the program is as long
for a hundred directions as for one, and its products are D times taller. The same holds of the
mixed coefficients in D planes x + s v + t w, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import ShapeError
from ..ir.builder import Builder
from ..ir.dead_code import drop_dead
from ..ir.types import TensorType
from ..ops.mapped import to_front
from ..ops.primitive import Operand, building, owned, type_of
from ..ops.tensor import broadcast_to
from .batching import map_results
from .pointwise import check_pointwise, points_operand
from .taylor import MultiIndex, TaylorContext, coefficient
from .trace import inline, trace_call

__all__ = ["direction_coefficients", "line_coefficients"]


def line_coefficients(
    u: Callable[[Any], Any], X: Any, directions: Operand, order: int
) -> tuple[Operand, list[Operand | None]]:
    """Propagate a field along D lines through every point.

    Parameters
    ----------
    u
        Pointwise field, X of shape (points, d) to (points,) or (points, m).
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
    operand, dimension = points_operand(X)
    given, points = type_of(directions[0]), type_of(operand)
    fits = given.rank in (2, 3) and given.shape[1:] in ((dimension,), points.shape)
    if not fits or given.dtype != points.dtype or any(type_of(v) != given for v in directions):
        raise ShapeError(
            f"directions must be (D, {dimension}) or (D, points, {dimension}) of the type of the "
            f"points, {points}; got {', '.join(str(type_of(v)) for v in directions)}"
        )
    traced, operands = trace_call(u, (X,))
    check_pointwise(traced.program)
    count, variables = given.shape[0], len(directions)
    builder = Builder([v.type for v in traced.program.inputs])
    context = TaylorContext(variables)
    with building(builder):
        lines = [builder.argument(TensorType(given.shape[1:], given.dtype)) for _ in directions]
        x, *rest = builder.block.arguments[:-variables]
        units = [tuple(int(k == i) for k in range(variables)) for i in range(variables)]
        seeds = {a: broadcast_to(v, points.shape) for a, v in zip(units, lines, strict=True)}
        (result,) = inline(traced.program, [context.input(x, seeds), *rest])
        parts = [coefficient(result, a) for a in (context.zero, *wanted)]
        present = [k for k, part in enumerate(parts) if part is not None]
        outputs = [owned(builder, p) for p in parts if p is not None]
    program = drop_dead(builder.finish(f"{traced.program.name}_lines", outputs))
    axes = [*([None] * len(operands)), *([0] * variables)]
    mapped = map_results(program, [*operands, *directions], axes, count)
    found = dict(zip(present, mapped, strict=True))
    value, axis = found[0]
    assert axis is None
    return value, [to_front(*found[k], count) if k in found else None for k in range(1, len(parts))]
