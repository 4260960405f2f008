"""Where every value of a scheduled block lives: inputs, outputs, accumulators, one static arena.

Values that a stacked product reads or writes side by side are given consecutive slots of one
stack, so that the product is one library call. Arena bytes are reused as soon as the last reader
is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..core.dims import Dim, evaluate_dim
from ..ir.program import Block, Operation, Value

__all__ = ["Place", "Run", "bytes_of", "place_block", "product_runs", "stack_slots"]

_ALIGNMENT = 64


@dataclass(frozen=True)
class Place:
    """An address: base pointer number `base`, plus `offset` bytes, plus `slot` times the value.

    `base` names a buffer ("buffer", k), an argument of a tile ("argument", k), the arena
    ("arena", 0) or the accumulators ("fold", 0).
    """

    base: tuple[str, int]
    offset: int = 0
    slot: int = 0


@dataclass(frozen=True)
class Run:
    """Consecutive members of a product: positions in its group, in slot order."""

    members: tuple[int, ...]


Slots = dict[Value, tuple[int, int]]


def bytes_of(value: Value, sizes: Mapping[str, int | Dim]) -> int:
    """Return the bytes of a value when symbolic sizes have the given numbers."""
    total = value.type.dtype.itemsize
    for size in value.type.shape:
        number = evaluate_dim(size, sizes)
        if isinstance(number, Dim):
            raise AssertionError(f"size {size} has no number")
        total *= number
    return total


def _pairs(operation: Operation) -> tuple[list[Value], list[Value]]:
    """Return left operands and their partners: results of a stack, right operands of a sum."""
    count = operation.attributes["count"]
    assert isinstance(count, int)
    lefts = list(operation.operands[:count])
    if operation.attributes["form"] == "stacked":
        return lefts, list(operation.results)
    return lefts, list(operation.operands[count:])


def stack_slots(block: Block) -> tuple[Slots, list[list[Value]]]:
    """Choose stacks: values side by side in memory because a product takes them together."""
    made = {r for o in block.operations for r in o.results if o.name != "reshape"}
    products = [o for o in block.operations if o.name == "kernel.product"]
    partner: dict[Value, list[Value]] = {}
    for operation in products:
        if operation.attributes["form"] == "summed":
            for a, b in zip(*_pairs(operation), strict=True):
                partner.setdefault(a, []).append(b)
                partner.setdefault(b, []).append(a)
    slots: Slots = {}
    stacks: list[list[Value]] = []

    def place(values: Sequence[Value]) -> None:
        new = [v for v in dict.fromkeys(values) if v not in slots and v in made]
        if len(new) < 2:
            return
        far = (len(stacks) + 1, 0)

        def order(value: Value) -> tuple[int, int]:
            return min((slots[p] for p in partner.get(value, ()) if p in slots), default=far)

        new.sort(key=order)
        stacks.append(new)
        slots.update({v: (len(stacks) - 1, k) for k, v in enumerate(new)})

    for operation in products:
        lefts, rights = _pairs(operation)
        place(lefts)
        if operation.attributes["form"] == "stacked":
            by_left = sorted(zip(lefts, rights, strict=True), key=lambda p: slots.get(p[0], (0, 0)))
            place([r for _, r in by_left])
        else:
            place(rights)
    return slots, stacks


def product_runs(operation: Operation, slots: Slots) -> list[Run]:
    """Split the members of a product into runs whose operands and results are consecutive."""
    lefts, rights = _pairs(operation)
    alone = (-1, 0)
    members = sorted(range(len(lefts)), key=lambda k: slots.get(lefts[k], alone))
    runs: list[list[int]] = []
    for k in members:
        if (
            runs
            and _follows(lefts, runs[-1][-1], k, slots)
            and _follows(rights, runs[-1][-1], k, slots)
        ):
            runs[-1].append(k)
        else:
            runs.append([k])
    return [Run(tuple(r)) for r in runs]


def _follows(values: Sequence[Value], before: int, after: int, slots: Slots) -> bool:
    a, b = slots.get(values[before]), slots.get(values[after])
    return a is not None and b is not None and a[0] == b[0] and b[1] == a[1] + 1


def place_block(
    block: Block, fixed: Mapping[Value, Place], sizes: Mapping[str, int | Dim]
) -> tuple[dict[Value, Place], Slots, int]:
    """Assign an address to every value of a block.

    Parameters
    ----------
    block
        A scheduled block.
    fixed
        Addresses that are given: outputs, accumulators, and arguments that need no copy.
    sizes
        Numbers for symbolic sizes (the tile size).

    Returns
    -------
    places, slots, arena bytes
    """
    places: dict[Value, Place] = dict(fixed)
    slots, stacks = stack_slots(block)
    # a value with a given address cannot also sit in a stack
    for stack in stacks:
        if any(v in fixed for v in stack):
            for v in stack:
                slots.pop(v, None)
    alias = {
        o.result: o.operands[0]
        for o in block.operations
        if o.name == "reshape" and o.result not in fixed
    }

    def root(value: Value) -> Value:
        while value in alias:
            value = alias[value]
        return value

    last: dict[Value, int] = {}
    end = len(block.operations)
    for position, operation in enumerate(block.operations):
        for value in operation.operands:
            last[root(value)] = position
    for value in block.outputs:
        last[root(value)] = end
    unit_of: dict[Value, tuple[Value, ...]] = {}
    for stack in stacks:
        if stack[0] in slots:
            unit_of.update(dict.fromkeys(stack, tuple(stack)))
    arena = _Arena()
    for value in block.arguments:
        if value not in places:
            size = bytes_of(value, sizes)
            places[value] = Place(("arena", 0), arena.take(size))
            arena.expire(last.get(value, 0), places[value].offset, size)
    for position, operation in enumerate(block.operations):
        for value in operation.results:
            if value in places or value in alias:
                continue
            unit = unit_of.get(value, (value,))
            size = bytes_of(value, sizes)
            offset = arena.take(size * len(unit))
            for slot, member in enumerate(unit):
                places[member] = Place(("arena", 0), offset, slot)
            expiry = max(last.get(v, position) for v in unit)
            arena.expire(expiry, offset, size * len(unit))
        arena.release(position)
    for value in alias:
        places[value] = places[root(value)]
    return places, slots, arena.peak


class _Arena:
    """First-fit allocation of byte ranges with known ends of life."""

    def __init__(self) -> None:
        self.free: list[tuple[int, int]] = []
        self.peak = 0
        self.ends: dict[int, list[tuple[int, int]]] = {}

    def take(self, size: int) -> int:
        size = -(-size // _ALIGNMENT) * _ALIGNMENT
        for k, (start, stop) in enumerate(self.free):
            if stop - start >= size:
                if stop - start == size:
                    del self.free[k]
                else:
                    self.free[k] = (start + size, stop)
                return start
        at_end = self.free and self.free[-1][1] == self.peak
        start = self.free.pop()[0] if at_end else self.peak
        self.peak = start + size
        return start

    def expire(self, position: int, offset: int, size: int) -> None:
        size = -(-size // _ALIGNMENT) * _ALIGNMENT
        self.ends.setdefault(position, []).append((offset, offset + size))

    def release(self, position: int) -> None:
        for start, stop in self.ends.pop(position, []):
            if start == stop:
                continue
            self.free.append((start, stop))
        self.free.sort()
        merged: list[tuple[int, int]] = []
        for start, stop in self.free:
            if merged and merged[-1][1] == start:
                merged[-1] = (merged[-1][0], stop)
            else:
                merged.append((start, stop))
        self.free = merged
