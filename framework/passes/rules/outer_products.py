"""A sum over the product of two repeated arrays is a matrix product.

x of shape (N, d) and v of shape (D, d) meet as sum over i of x_ni v_ki, for example in the Taylor
coefficients of |x|^2 along D directions. Element by element that is an array of D N d numbers;
as a product it is none larger than its operands and its result. The sums have the same terms in
another order. A constant factor of the terms goes to one of the operands, so it is equal up to
rounding too (unless the operand overflows by it).
"""

from __future__ import annotations

import numpy as np

from ...ir.types import Attribute
from ..patterns import Match, Pattern, Rule, attr, op, var

__all__ = ["OUTER_PRODUCTS"]

X, Y = var("x"), var("y")
Axes = tuple[int, ...]


def _repeated(x: Pattern, name: str) -> Pattern:
    return op("broadcast", x, shape=attr("shape"), dimensions=attr(name))


def _kept(match: Match) -> list[int]:
    """Axes of the index space that are not summed."""
    shape = match["shape"]
    assert isinstance(shape, tuple)
    return [i for i in range(len(shape)) if i not in match.axes("axes")]


def _outer(match: Match) -> bool:
    """Whether both operands hold all summed axes, and each lacks a kept one that the other has."""
    d, e = set(match.axes("d")), set(match.axes("e"))
    kept, shape = set(_kept(match)), match["shape"]
    assert isinstance(shape, tuple)
    plain = all(
        size == shape[axis]
        for name, axes in (("x", "d"), ("y", "e"))
        for size, axis in zip(match.type_of(name).shape, match.axes(axes), strict=True)
    )
    return (
        plain
        and match.type.dtype.kind == "f"
        and set(match.axes("axes")) <= d & e
        and kept <= d | e
        and bool(kept - d)
        and bool(kept - e)
    )


def _positions(match: Match, axes: list[int]) -> tuple[Axes, Axes]:
    d, e = match.axes("d"), match.axes("e")
    return tuple(d.index(a) for a in axes), tuple(e.index(a) for a in axes)


def _shared(match: Match) -> list[int]:
    return [a for a in _kept(match) if a in match.axes("d") and a in match.axes("e")]


def _contract(match: Match) -> Attribute:
    return _positions(match, list(match.axes("axes")))


def _batch(match: Match) -> Attribute:
    return _positions(match, _shared(match))


def _order(match: Match) -> Attribute:
    """From (shared axes, those of x alone, those of y alone) to the order of the index space."""
    kept, shared = _kept(match), _shared(match)
    alone = [[a for a in match.axes(k) if a in kept and a not in shared] for k in ("d", "e")]
    return tuple(int(i) for i in np.argsort([*shared, *alone[0], *alone[1]]))


def _x_shape(match: Match) -> Attribute:
    return match.type_of("x").shape


_TERMS = op("mul", _repeated(X, "d"), _repeated(Y, "e"))
_SCALED = op("mul", X, op("full", value=attr("value"), shape=_x_shape))

OUTER_PRODUCTS: tuple[Rule, ...] = (
    Rule(
        "sum over an outer product",
        op("reduce_sum", _TERMS, axes=attr("axes")),
        op(
            "transpose", op("dot_general", X, Y, contract=_contract, batch=_batch),
            permutation=_order,
        ),
        _outer,
    ),
    Rule(
        "sum over a scaled outer product",
        op("reduce_sum", op("mul", _TERMS, op("full", value=attr("value"))), axes=attr("axes")),
        op("reduce_sum", op("mul", _repeated(_SCALED, "d"), _repeated(Y, "e")), axes=attr("axes")),
        _outer,
    ),
)  # fmt: skip
