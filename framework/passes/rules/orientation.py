"""Which way round matrices lie for a product: what every tile reads is turned once, outside.

The reverse sweep multiplies cotangents by transposed weights in every tile. A BLAS packs the right
operand of a small product in its own order, and does so faster from rows; turning the weights
before the tile loop costs one pass over them. The sums are the same ones in the same order of the
contracted axis, though a BLAS may group them differently.
"""

from __future__ import annotations

from ...core.dims import dim_names
from ..patterns import Match, Rule, op, var

__all__ = ["ORIENTATION"]

X, W = var("x"), var("w")
_NO_BATCH = ((), ())


def _turns_once(match: Match) -> bool:
    """Whether the left operand is per point and the right one a constant matrix."""
    left, right = match.type_of("x"), match.type_of("w")
    per_point = bool(dim_names(left.shape)) and not dim_names(right.shape)
    return per_point and left.rank == 2 and right.rank == 2


ORIENTATION: tuple[Rule, ...] = (
    Rule(
        "rows per point times a transposed constant",
        op("dot_general", X, W, contract=((1,), (1,)), batch=_NO_BATCH),
        op(
            "dot_general",
            X,
            op("transpose", W, permutation=(1, 0)),
            contract=((1,), (0,)),
            batch=_NO_BATCH,
        ),
        _turns_once,
    ),
)
