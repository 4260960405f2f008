"""Rules of `one_hot`: products with unit rows take rows, their transposes add to rows.

A direction along a coordinate axis is a unit row. In high dimension its product with the weights
of the first layer is one row of them, and in the reverse sweep only these rows have a cotangent:

- e_i W = W[i], in every layout of the product;
- sum over i of e_i^T z_i = zeros with z_i added at row i;
- x + (zeros with z_i added at row i) = x with z_i added at row i, equal up to rounding;
- (c W)[i] = c W[i] for a number c: the same bits, and W is not scaled whole;
- e_i e_i = e_i by element, sum e_i = 1, and the same with a constant factor.

The other terms of these sums are zeros, so the values are the same bits, except where weights are
infinite or NaN: zero times those is NaN in a row that is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...ir.types import Attribute, Literal
from ...ops.contraction import free_axes
from ..patterns import Match, OperationPattern, Pattern, Rule, attr, full, op, var

__all__ = ["ONE_HOT"]

INDICES, X, Y = var("i"), var("x"), var("y")
HOT = op("one_hot", INDICES, size=attr("size"), dtype=attr("dtype"))
Axes = tuple[int, ...]


def _sides(side: int, hot: Pattern, other: Pattern) -> tuple[Pattern, Pattern]:
    return (hot, other) if side == 0 else (other, hot)


def _contracted(match: Match, side: int) -> tuple[Axes, Axes] | None:
    """Contracted axes of the unit rows and of the other operand; None with batch axes."""
    contract, batch = match["contract"], match["batch"]
    assert isinstance(contract, tuple)
    if batch != ((), ()):
        return None
    own, other = contract[side], contract[1 - side]
    return own, other  # type: ignore[return-value]


def _pairs(match: Match, side: int) -> tuple[Axes, Axes]:
    found = _contracted(match, side)
    assert found is not None
    return found


def _rest(match: Match, side: int) -> Axes:
    """Free axes of the other operand."""
    return free_axes(match.type_of("y").rank, _pairs(match, side)[1])


def _inverse(order: Sequence[int]) -> Axes:
    return tuple(int(i) for i in np.argsort(order))


# --- rows taken -----------------------------------------------------------------------------


def _taken(side: int) -> Rule:
    """The hot axis alone is contracted."""

    def applies(match: Match) -> bool:
        found = _contracted(match, side)
        return found is not None and found[0] == (match.type_of("i").rank,)

    def axis(match: Match) -> Attribute:
        return _pairs(match, side)[1][0]

    def permutation(match: Match) -> Attribute:
        """From (rest before, indices, rest after) to the order of the product."""
        rank, before = match.type_of("i").rank, _pairs(match, side)[1][0]
        indices = tuple(range(before, before + rank))
        rest = tuple(i for i in range(match.type.rank) if i not in indices)
        return (*indices, *rest) if side == 0 else (*rest, *indices)

    return Rule(
        f"product with unit rows as operand {side}",
        _product(side),
        op("transpose", op("gather", Y, INDICES, axis=axis), permutation=permutation),
        applies,
    )


# --- rows added to --------------------------------------------------------------------------


def _added(side: int) -> Rule:
    """All axes of the indices are contracted and the hot axis is left."""

    def applies(match: Match) -> bool:
        found = _contracted(match, side)
        return found is not None and sorted(found[0]) == list(range(match.type_of("i").rank))

    def zero(match: Match) -> Attribute:
        return Literal.of(np.zeros((), match.type.dtype))

    def axis(match: Match) -> Attribute:
        return 0 if side == 0 else match.type.rank - 1

    def order(match: Match) -> Attribute:
        """The other operand with the axes of the indices where the hot axis is in the result."""
        own, other = _pairs(match, side)
        indices = tuple(other[k] for k in _inverse(own))
        rest = _rest(match, side)
        return (*indices, *rest) if side == 0 else (*rest, *indices)

    zeros = op("full", value=zero, shape=lambda m: m.type.shape)
    updates = op("transpose", Y, permutation=order)
    return Rule(
        f"product over unit rows as operand {side}",
        _product(side),
        op("scatter_add", zeros, INDICES, updates, axis=axis),
        applies,
    )


def _product(side: int) -> OperationPattern:
    operands = _sides(side, HOT, Y)
    return op("dot_general", *operands, contract=attr("contract"), batch=attr("batch"))


def _is_hot_axis(match: Match) -> bool:
    return match.axes("axes") == (match.type_of("i").rank,)


def _number(value: str | Callable[[Match], Attribute]) -> Pattern:
    """A filled array; in a result, of the type of the unit rows."""
    named = attr(value) if isinstance(value, str) else value
    return op("full", value=named, shape=attr("shape"))


def _scaled(value: str | Callable[[Match], Attribute]) -> Pattern:
    return op("mul", HOT, _number(value))


def _factor(match: Match) -> Attribute:
    """Equal bits: the elements are 0 and 1, so both ways round once."""
    dtype = match.type.dtype
    return Literal.of(np.asarray(match.number("a") * match.number("b"), dtype))


ONE_HOT: tuple[Rule, ...] = (
    *(rule(side) for rule in (_taken, _added) for side in (0, 1)),
    Rule(
        "rows of a scaled array",
        op("gather", op("mul", X, op("full", value=attr("value"))), INDICES, axis=attr("axis")),
        op(
            "mul",
            op("gather", X, INDICES, axis=attr("axis")),
            op("full", value=attr("value"), shape=lambda m: m.type.shape),
        ),
    ),
    Rule(
        "sum with rows added to zeros",
        op("add", X, op("scatter_add", full(0.0), INDICES, Y, axis=attr("axis"))),
        op("scatter_add", X, INDICES, Y, axis=attr("axis")),
    ),
    Rule("square of unit rows", op("mul", HOT, HOT), HOT),
    Rule("square of unit rows, scaled", op("mul", HOT, _scaled("a")), _scaled("a")),
    Rule("unit rows scaled twice", op("mul", _scaled("a"), _number("b")), _scaled(_factor)),
    Rule("sum of a unit row", op("reduce_sum", HOT, axes=attr("axes")), full(1.0), _is_hot_axis),
    Rule(
        "sum of a scaled unit row",
        op("reduce_sum", _scaled("a"), axes=attr("axes")),
        op("full", value=attr("a"), shape=lambda m: m.type.shape),
        _is_hot_axis,
    ),
)
