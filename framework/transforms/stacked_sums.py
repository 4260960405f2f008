"""Sums over a stacked axis are taken before matrix products instead of after them.

Taylor coefficients along D directions lie in one array with D in front. Where only their sum over
the directions is asked for, the sum of the coefficients of highest order is carried instead:

    sum_D c_D (h_D W) = (sum_D c_D h_D) W,        sum_D c_D (s z_D) = s (sum_D c_D z_D),

and so on down to the first layer. A Laplacian of 2-jets along the d axes becomes the forward
Laplacian, with 1 + d + 1 rows per point and layer instead of 1 + 2 d. The rewrite is kept only
where it makes a product smaller.

References
----------
Li et al.: A computational framework for neural network-based variational Monte Carlo with forward
Laplacian (2024). Dangel et al.: Collapsing Taylor mode automatic differentiation (2025).
"""

from __future__ import annotations

import functools
from collections import Counter

from ..core.dims import Dim
from ..ir.program import Operation, Program, Value
from ..ops.broadcast import broadcast
from ..ops.contraction import free_axes
from ..ops.elementwise import add, mul, neg, sub
from ..ops.fill import full
from ..ops.primitive import Operand, bind, primitives, type_of
from ..ops.reduction import reduce_sum
from ..ops.reshape import reshape
from ..ops.slice import slice_
from .trace import rebuild

__all__ = ["pull_sums"]

Axes = tuple[int, ...]
# the sum of a value, and whether a product became smaller in making it
Total = tuple[Operand, bool]


def pull_sums(program: Program) -> Program:
    """Return the program with sums over static axes taken before products that share them."""
    sums = [o for o in program.operations if o.name == "reduce_sum" and _is_static(o)]
    if not sums or not any(o.name == "dot_general" for o in program.operations):
        return program
    return _Pull(program).run()


def _is_static(operation: Operation) -> bool:
    """Whether a sum is over floating numbers along axes of known size."""
    (value,) = operation.operands
    axes = operation.attributes["axes"]
    dims = any(isinstance(value.type.shape[a], Dim) for a in axes)
    return value.type.dtype.kind == "f" and not dims


class _Pull:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.uses = Counter(v for o in program.operations for v in o.operands)
        # what is returned is needed as it is, whatever else uses it
        self.uses.update(v for v in program.outputs for _ in range(2))
        self.made: dict[Value, Operand] = {}

    def run(self) -> Program:
        return rebuild(self.program, self.made, self._apply)

    def _apply(self, operation: Operation) -> Operand:
        if operation.name == "reduce_sum" and _is_static(operation):
            total, saved = self._total(operation.operands[0], operation.attributes["axes"])
            if saved:
                return total
        operands = [self.made[v] for v in operation.operands]
        return bind(primitives[operation.name], operands, operation.attributes)

    def _total(self, value: Value, axes: Axes, weights: Operand | None = None) -> Total:
        """Return the sum of a value over axes; `weights` are factors along the only axis."""
        operation = value.operation
        if operation is not None and self.uses[value] == 1:
            rule = getattr(self, f"_{operation.name}", None)
            found: Total | None = rule(operation, axes, weights) if rule else None
            if found is not None:
                return found
        return _reduced(self.made[value], axes, weights), False

    def _add(self, operation: Operation, axes: Axes, weights: Operand | None) -> Total:
        (x, first), (y, second) = (self._total(v, axes, weights) for v in operation.operands)
        return (add if operation.name == "add" else sub)(x, y), first or second

    _sub = _add

    def _neg(self, operation: Operation, axes: Axes, weights: Operand | None) -> Total:
        total, saved = self._total(operation.operands[0], axes, weights)
        return neg(total), saved

    def _mul(self, operation: Operation, axes: Axes, weights: Operand | None) -> Total | None:
        same, other, given = [], [], weights
        for factor in self._factors(operation):
            narrow = self._along(factor, axes)
            own = None if weights is not None else self._weights(factor, axes)
            if narrow is not None:
                same.append(narrow)
            elif own is not None:
                weights = own
            else:
                other.append(factor)
        if not other or (not same and weights is given):
            return None
        if len(other) == 1:
            total, saved = self._total(other[0], axes, weights)
        else:
            product = functools.reduce(mul, [self.made[v] for v in other])
            total, saved = _reduced(product, axes, weights), False
        return functools.reduce(mul, same, total), saved

    def _weights(self, value: Value, axes: Axes) -> Operand | None:
        """Return the factors of a value that varies only along one summed axis."""
        operation = value.operation
        if operation is None or operation.name != "broadcast" or len(axes) != 1:
            return None
        (source,) = operation.operands
        placed = zip(source.type.shape, operation.attributes["dimensions"], strict=True)
        wide = [d for size, d in placed if size != 1]
        return (
            reshape(self.made[source], shape=(value.type.shape[axes[0]],))
            if wide == [*axes]
            else None
        )

    def _factors(self, operation: Operation) -> list[Value]:
        """Return the factors of a product, written out where only this product uses them."""
        found: list[Value] = []
        stack = list(operation.operands[::-1])
        while stack:
            value = stack.pop()
            inner = value.operation
            if inner is not None and inner.name == "mul" and self.uses[value] == 1:
                stack.extend(inner.operands[::-1])
            else:
                found.append(value)
        return found

    def _along(self, value: Value, axes: Axes) -> Operand | None:
        """Return a value that is equal all along the axes without them; None if it is not."""
        operation = value.operation
        kept = [i for i in range(value.type.rank) if i not in axes]
        shape = tuple(value.type.shape[i] for i in kept)
        if operation is None or not kept:
            return None
        if operation.name == "full":
            return full(shape, operation.attributes["value"].array, value.type.dtype)
        if operation.name != "broadcast":
            return None
        (source,) = operation.operands
        dimensions = operation.attributes["dimensions"]
        if any(d in axes and source.type.shape[k] != 1 for k, d in enumerate(dimensions)):
            return None
        inner = self.made[source]
        if any(d in axes for d in dimensions):
            sizes = tuple(
                s for s, d in zip(source.type.shape, dimensions, strict=True) if d not in axes
            )
            inner = reshape(inner, shape=sizes)
        placed = tuple(kept.index(d) for d in dimensions if d not in axes)
        return broadcast(inner, shape=shape, dimensions=placed)

    def _dot_general(
        self, operation: Operation, axes: Axes, weights: Operand | None
    ) -> Total | None:
        """Sum over free axes of one operand before the product."""
        pairs = operation.attributes["contract"], operation.attributes["batch"]
        ranks = [v.type.rank for v in operation.operands]
        start = len(pairs[1][0])
        for side, operand in enumerate(operation.operands):
            free = free_axes(ranks[side], *(own[side] for own in pairs))
            positions = [a - start for a in axes]
            start += len(free)
            if not all(0 <= p < len(free) for p in positions):
                continue
            summed = tuple(free[p] for p in positions)
            total, _ = self._total(operand, summed, weights)
            operands = [self.made[v] for v in operation.operands]
            operands[side] = total
            contract, batch = (_without_summed(own, side, summed) for own in pairs)
            smaller = any(operand.type.shape[a] != 1 for a in summed)
            product = primitives["dot_general"]
            return bind(product, operands, {"contract": contract, "batch": batch}), smaller
        return None

    def _reshape(self, operation: Operation, axes: Axes, weights: Operand | None) -> Total | None:
        """A reshape that keeps all axes up to the last summed one."""
        (x,) = operation.operands
        shape = operation.result.type.shape
        if x.type.shape[: axes[-1] + 1] != shape[: axes[-1] + 1]:
            return None
        total, saved = self._total(x, axes, weights)
        rest = tuple(s for i, s in enumerate(shape) if i not in axes)
        return reshape(total, shape=rest), saved

    def _slice(self, operation: Operation, axes: Axes, weights: Operand | None) -> Total | None:
        """A slice that takes the summed axes whole."""
        (x,) = operation.operands
        attributes = operation.attributes
        cuts = ("start", "limit", "stride")
        if any(
            (attributes["start"][a], attributes["limit"][a], attributes["stride"][a])
            != (0, x.type.shape[a], 1)
            for a in axes
        ):
            return None
        total, saved = self._total(x, axes, weights)
        kept = {
            name: tuple(n for i, n in enumerate(attributes[name]) if i not in axes) for name in cuts
        }
        return slice_(total, **kept), saved

    def _transpose(self, operation: Operation, axes: Axes, weights: Operand | None) -> Total:
        (x,) = operation.operands
        order = operation.attributes["permutation"]
        before = tuple(sorted(order[a] for a in axes))
        total, saved = self._total(x, before, weights)
        left = [p for i, p in enumerate(order) if i not in axes]
        renumbered = tuple(p - sum(b < p for b in before) for p in left)
        return bind(primitives["transpose"], (total,), {"permutation": renumbered}), saved


def _without_summed(pair: tuple[Axes, Axes], side: int, summed: Axes) -> tuple[Axes, Axes]:
    """Renumber the axes of one operand of a product after some have been summed."""
    own = tuple(a - sum(s < a for s in summed) for a in pair[side])
    return (own, pair[1]) if side == 0 else (pair[0], own)


def _reduced(x: Operand, axes: Axes, weights: Operand | None) -> Operand:
    if weights is not None:
        x = mul(x, broadcast(weights, shape=type_of(x).shape, dimensions=axes))
    return reduce_sum(x, axes=axes)
