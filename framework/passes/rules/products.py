"""Rules of `dot_general` with a repeated operand, and of products of vectors.

Taylor coefficients of the first layer start from a direction that is the same at every point,
so their products with weights need one row and not one per point; in the reverse sweep the
products with such a row need only the sum of the other operand over the points.

- A repeated free axis: the product of the unrepeated operand, repeated. The sums are the same ones,
  but BLAS may order their terms differently for another number of rows.
- A repeated contracted axis: sum over n of v y_n = v (sum over n of y_n). Equal up to rounding of
  the sums (and where a sum overflows though its terms times v would not).

- A contracted axis with one element: an elementwise product, which is fused with its neighbours.

A factor is not taken out of a product, not even a power of two: a scaled operand may underflow
where the scaled result does not, and the factor costs nothing in the fused loop that makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...core.dims import Shape
from ...ir.types import Attribute
from ...ops.contraction import free_axes
from ..patterns import Match, OperationPattern, Pattern, Rule, attr, op, var

__all__ = ["PRODUCTS"]

V, Y = var("v"), var("y")
Axes = tuple[int, ...]


@dataclass(frozen=True)
class _Product:
    """A product whose operand number `side` is ``broadcast(v, shape, d)``."""

    side: int
    shape: Shape
    dimensions: Axes
    contract: tuple[Axes, Axes]
    batch: tuple[Axes, Axes]
    ranks: tuple[int, int]

    def added(self, axes: Sequence[int]) -> list[int]:
        """Positions in a list of axes of those that the repeat has added."""
        return [k for k, a in enumerate(axes) if a not in self.dimensions]

    @property
    def free(self) -> Axes:
        """Free axes of the repeated operand."""
        return self.free_axes(self.side)

    def free_axes(self, side: int) -> Axes:
        return free_axes(self.ranks[side], self.contract[side], self.batch[side])


def _axes(value: Attribute) -> Axes:
    assert isinstance(value, tuple)
    return tuple(v for v in value if isinstance(v, int))


def _product(match: Match, side: int) -> _Product:
    contract, batch, shape = match["contract"], match["batch"], match["shape"]
    assert isinstance(contract, tuple)
    assert isinstance(batch, tuple)
    assert isinstance(shape, tuple)
    ranks = (len(shape), match.type_of("y").rank)
    return _Product(
        side,
        shape,  # type: ignore[arg-type]
        match.axes("d"),
        (_axes(contract[0]), _axes(contract[1])),
        (_axes(batch[0]), _axes(batch[1])),
        ranks if side == 0 else ranks[::-1],
    )


def _without(axes: Sequence[int], removed: Sequence[int]) -> Axes:
    """Renumber axes after some have been taken out of the array."""
    return tuple(a - sum(r < a for r in removed) for a in axes)


def _rest(shape: Shape, removed: Sequence[int]) -> Shape:
    return tuple(s for i, s in enumerate(shape) if i not in removed)


def _pair(side: int, own: Axes, other: Axes) -> Attribute:
    return (own, other) if side == 0 else (other, own)


Take = Callable[[_Product], Axes]


def _added_free(p: _Product) -> Axes:
    return tuple(p.free[k] for k in p.added(p.free))


def _added_contracted(p: _Product) -> Axes:
    own = p.contract[p.side]
    return tuple(own[k] for k in p.added(own))


def _narrow(side: int, take: Take) -> Pattern:
    """The repeated operand without the axes."""

    def shape(match: Match) -> Attribute:
        p = _product(match, side)
        return _rest(p.shape, take(p))

    def dimensions(match: Match) -> Attribute:
        p = _product(match, side)
        return _without(p.dimensions, take(p))

    return op("broadcast", V, shape=shape, dimensions=dimensions)


def _operands(side: int, own: Pattern, other: Pattern) -> tuple[Pattern, Pattern]:
    return (own, other) if side == 0 else (other, own)


# --- a repeated free axis -------------------------------------------------------------------


def _free_rule(side: int) -> Rule:
    def moved(key: str) -> Callable[[Match], Attribute]:
        def pairs(match: Match) -> Attribute:
            p = _product(match, side)
            both = p.contract if key == "contract" else p.batch
            return _pair(side, _without(both[side], _added_free(p)), both[1 - side])

        return pairs

    def dimensions(match: Match) -> Attribute:
        """Axes of the result that stay: all but the added ones."""
        p = _product(match, side)
        start = len(p.batch[side]) + (0 if side == 0 else len(p.free_axes(0)))
        gone = {start + k for k in p.added(p.free)}
        return tuple(i for i in range(match.type.rank) if i not in gone)

    product = op(
        "dot_general",
        *_operands(side, _narrow(side, _added_free), Y),
        contract=moved("contract"),
        batch=moved("batch"),
    )
    return Rule(
        f"product with operand {side} repeated along a free axis",
        _source(side),
        op("broadcast", product, shape=lambda m: m.type.shape, dimensions=dimensions),
        lambda m: bool(_added_free(_product(m, side))),
    )


# --- a repeated contracted axis -------------------------------------------------------------


def _contracted_rule(side: int) -> Rule:
    def partners(p: _Product) -> Axes:
        return tuple(sorted(p.contract[1 - side][k] for k in p.added(p.contract[side])))

    def axes(match: Match) -> Attribute:
        return partners(_product(match, side))

    def moved(key: str) -> Callable[[Match], Attribute]:
        def pairs(match: Match) -> Attribute:
            p = _product(match, side)
            own, other = p.contract[side], p.contract[1 - side]
            if key == "batch":
                own, other = p.batch[side], p.batch[1 - side]
            else:
                gone = p.added(own)
                own = tuple(a for k, a in enumerate(own) if k not in gone)
                other = tuple(a for k, a in enumerate(other) if k not in gone)
            return _pair(side, _without(own, _added_contracted(p)), _without(other, partners(p)))

        return pairs

    return Rule(
        f"product with operand {side} repeated along a contracted axis",
        _source(side),
        op(
            "dot_general",
            *_operands(side, _narrow(side, _added_contracted), op("reduce_sum", Y, axes=axes)),
            contract=moved("contract"),
            batch=moved("batch"),
        ),
        lambda m: bool(_added_contracted(_product(m, side))),
    )


def _source(side: int) -> OperationPattern:
    repeated = op("broadcast", V, shape=attr("shape"), dimensions=attr("d"))
    return op(
        "dot_general",
        *_operands(side, repeated, Y),
        contract=attr("contract"),
        batch=attr("batch"),
    )


# --- products of vectors --------------------------------------------------------------------

X = var("x")


def _outer_rule() -> Rule:
    """The product over axes of one element each, such as (n, 1) with (1, m), is elementwise."""

    def pairs(match: Match, key: str) -> tuple[Axes, Axes]:
        both = match[key]
        assert isinstance(both, tuple)
        return _axes(both[0]), _axes(both[1])

    def kept(match: Match, side: int) -> Axes:
        gone = pairs(match, "contract")[side]
        rank = match.type_of("xy"[side]).rank
        return tuple(i for i in range(rank) if i not in gone)

    def places(match: Match, side: int) -> Axes:
        """Where the kept axes of an operand are found in the result."""
        contract, batch = pairs(match, "contract"), pairs(match, "batch")
        free = [
            free_axes(match.type_of(name).rank, contract[k], batch[k])
            for k, name in enumerate("xy")
        ]
        start = len(batch[0]) + (len(free[0]) if side else 0)
        where = {a: i for i, a in enumerate(batch[side])}
        where.update({a: start + i for i, a in enumerate(free[side])})
        return tuple(where[a] for a in kept(match, side))

    def applies(match: Match) -> bool:
        contract = pairs(match, "contract")
        shape = match.type_of("x").shape
        ordered = all(list(places(match, k)) == sorted(places(match, k)) for k in (0, 1))
        return bool(contract[0]) and all(shape[a] == 1 for a in contract[0]) and ordered

    def narrow(side: int) -> Pattern:
        def shape(match: Match) -> Attribute:
            own = match.type_of("xy"[side]).shape
            return tuple(own[a] for a in kept(match, side))

        return op(
            "broadcast",
            op("reshape", (X, Y)[side], shape=shape),
            shape=lambda m: m.type.shape,
            dimensions=lambda m: places(m, side),
        )

    return Rule(
        "product over axes of one element",
        op("dot_general", X, Y, contract=attr("contract"), batch=attr("batch")),
        op("mul", narrow(0), narrow(1)),
        applies,
    )


PRODUCTS: tuple[Rule, ...] = (
    *(_free_rule(side) for side in (0, 1)),
    *(_contracted_rule(side) for side in (0, 1)),
    _outer_rule(),
)
