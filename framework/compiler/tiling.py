"""Batch analysis and tiling: one loop over tiles of points for the whole program.

Every value is per-point (it carries the symbolic batch size in one axis), constant, or a fold
over points. The per-point work between inputs and folds becomes one ``loop.tile`` operation whose
region computes one tile, so that intermediates never exist for all points at once. Folds of a
loop that feed per-point work again (a mean that is subtracted, say) start a second loop, which
recomputes what it needs. Operations that mix points in another way stay outside, on whole arrays.

``loop.tile`` attributes: ``size`` and ``tile`` name the whole and the tile size; ``operand_axes``
and ``result_axes`` give the axis that is cut (-1: none, the value is whole); ``folds`` says for
each result how tiles combine (``store``, ``sum``, ``prod``, ``max``, ``min``); ``counts`` says how
many values of the region are folded into each result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..core.dims import Dim, dim_names, evaluate_dim
from ..ir.program import Block, Operation, Program, Region, Value, substitute_sizes
from ..ir.types import TensorType
from ..ops.lowering import Contraction, Reduction
from ..ops.primitive import primitives

__all__ = ["tile_program"]

LoopKey = tuple[str, int]


@dataclass
class _Loop:
    size: str
    phase: int
    folds: dict[Value, tuple[str, list[Operation]]] = field(default_factory=dict)
    stores: list[Value] = field(default_factory=list)


def _axis(value: Value, name: str) -> int:
    """Return the axis whose size is exactly the name, -1 if none carries it, -2 if unclear."""
    found = [i for i, s in enumerate(value.type.shape) if name in dim_names(s)]
    if not found:
        return -1
    exact = Dim.named(name)
    return found[0] if len(found) == 1 and value.type.shape[found[0]] == exact else -2


def _fold_kind(operation: Operation) -> str | None:
    lowering = primitives[operation.name].lowering
    if isinstance(lowering, Reduction):
        return lowering.kind
    return "sum" if isinstance(lowering, Contraction) else None


class _Analysis:
    """Classify operations and group per-point work into loops."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kind: dict[Operation, str] = {}
        self.batch: dict[Operation, str] = {}
        self.phase: dict[Operation, int] = {}
        self.ready: dict[Value, int] = dict.fromkeys(program.inputs, 0)
        self.loops: dict[LoopKey, _Loop] = {}
        self.uses: dict[Value, int] = defaultdict(int)
        for operation in program.operations:
            for value in operation.operands:
                self.uses[value] += 1
        for value in program.outputs:
            self.uses[value] += 1
        for operation in program.operations:
            self._classify(operation)
            self._schedule(operation)
        self._merge_sums()
        self._find_stores()

    def _classify(self, operation: Operation) -> None:
        values = [*operation.operands, *operation.results]
        names = dim_names(tuple(s for v in values for s in v.type.shape))
        if not names:
            self.kind[operation] = "top"
            return
        self.kind[operation] = "whole"
        if len(names) != 1:
            return
        (name,) = names
        axes = [_axis(v, name) for v in operation.operands]
        result_axis = _axis(operation.result, name)
        if -2 in axes or result_axis == -2:
            return
        record = primitives[operation.name]
        labels = record.axes([v.type for v in operation.operands], operation.attributes)
        met = {
            operand_labels[a]
            for operand_labels, a in zip(labels.operands, axes, strict=True)
            if a >= 0
        }
        if None in met or len(met) > 1:
            return
        if result_axis >= 0:
            label = labels.result[result_axis]
            if label is None or (met and met != {label}):
                return
            self.kind[operation], self.batch[operation] = "tile", name
        elif met and _fold_kind(operation) is not None:
            self.kind[operation], self.batch[operation] = "fold", name

    def _schedule(self, operation: Operation) -> None:
        """Give the operation its phase: how many loops must be complete before it can run."""
        kind = self.kind[operation]
        name = self.batch.get(operation)
        phase = 0
        for value in operation.operands:
            source = value.operation
            if (
                source is not None
                and self.kind[source] == "tile"
                and self.batch[source] == name
                and kind in ("tile", "fold")
            ):
                phase = max(phase, self.phase[source])
            else:
                phase = max(phase, self._available(value))
        self.phase[operation] = phase
        self.ready[operation.result] = phase
        if kind == "fold":
            self.ready[operation.result] = phase + 1
            loop = self._loop(operation)
            fold = _fold_kind(operation)
            assert fold is not None
            loop.folds[operation.result] = (fold, [operation])

    def _available(self, value: Value) -> int:
        """Return the first phase in which the whole value exists."""
        source = value.operation
        tile = source is not None and self.kind[source] == "tile"
        return self.ready[value] + (1 if tile else 0)

    def _loop(self, operation: Operation) -> _Loop:
        key = (self.batch[operation], self.phase[operation])
        return self.loops.setdefault(key, _Loop(*key))

    def _merge_sums(self) -> None:
        """Let a sum of folds of one loop, such as H0^T Z0 + H1^T Z1, be one fold."""
        owner = {v: loop for loop in self.loops.values() for v in loop.folds}
        for operation in self.program.operations:
            if operation.name != "add" or self.kind[operation] != "top":
                continue
            a, b = operation.operands
            loop = owner.get(a)
            if loop is None or owner.get(b) is not loop or a is b:
                continue
            if loop.folds[a][0] != "sum" or loop.folds[b][0] != "sum":
                continue
            if self.uses[a] != 1 or self.uses[b] != 1:
                continue
            parts = loop.folds.pop(a)[1] + loop.folds.pop(b)[1]
            loop.folds[operation.result] = ("sum", parts)
            owner[operation.result] = loop
            self.kind[operation] = "merged"

    def _find_stores(self) -> None:
        """Per-point values that must exist for all points: outputs, and operands of others."""
        needed: list[Value] = [*self.program.outputs]
        for operation in self.program.operations:
            if self.kind[operation] == "whole":
                needed += operation.operands
            elif self.kind[operation] in ("tile", "fold"):
                needed += [
                    v
                    for v in operation.operands
                    if v.operation is not None
                    and self.kind[v.operation] == "tile"
                    and self.batch[v.operation] != self.batch[operation]
                ]
            if self.kind[operation] == "fold" and _fold_kind(operation) in ("max", "min"):
                needed += self._compared_later(operation)
        for value in dict.fromkeys(needed):
            source = value.operation
            if source is not None and self.kind[source] == "tile":
                self._loop(source).stores.append(value)

    def _compared_later(self, fold: Operation) -> list[Value]:
        """Return the operand of an extremum if a later loop needs it too.

        Computed again there it could round otherwise, and no element would equal the extremum.
        """
        (value,) = fold.operands
        later = any(
            value in o.operands and self.phase[o] > self.phase[fold]
            for o in self.program.operations
        )
        return [value] if later else []


def tile_program(program: Program) -> Program:
    """Return the program with its per-point work in ``loop.tile`` operations."""
    analysis = _Analysis(program)
    top = Block()
    top.arguments = list(program.inputs)
    mapping: dict[Value, Value] = {v: v for v in program.inputs}
    last = max([0, *analysis.phase.values()]) + 1
    for phase in range(last + 1):
        for operation in program.operations:
            if analysis.kind[operation] in ("top", "whole") and analysis.phase[operation] == phase:
                copy = Operation(
                    operation.name,
                    [mapping[v] for v in operation.operands],
                    operation.attributes,
                    [r.type for r in operation.results],
                )
                top.operations.append(copy)
                mapping[operation.result] = copy.result
        for key in sorted(analysis.loops):
            if key[1] == phase:
                _emit_loop(analysis, analysis.loops[key], top, mapping)
    top.outputs = [mapping[v] for v in program.outputs]
    return Program(program.name, top)


def _emit_loop(analysis: _Analysis, loop: _Loop, top: Block, mapping: dict[Value, Value]) -> None:
    tile = Dim.named(f"{loop.size}_tile")
    sizes = {loop.size: tile}

    def cut(type: TensorType) -> TensorType:
        return TensorType(tuple(evaluate_dim(s, sizes) for s in type.shape), type.dtype)

    targets = [o.result for _, parts in loop.folds.values() for o in parts] + loop.stores
    body_operations = _slice_back(analysis, loop, targets)
    inside = {r for o in body_operations for r in o.results}
    outer = list(dict.fromkeys(v for o in body_operations for v in o.operands if v not in inside))
    block = Block([cut(v.type) for v in outer])
    local = dict(zip(outer, block.arguments, strict=True))
    for operation in body_operations:
        copy = Operation(
            operation.name,
            [local[v] for v in operation.operands],
            {k: substitute_sizes(a, sizes) for k, a in operation.attributes.items()},
            [cut(r.type) for r in operation.results],
        )
        block.operations.append(copy)
        local[operation.result] = copy.result
    block.outputs = [local[v] for v in targets]
    results = [*loop.folds, *loop.stores]
    result = Operation(
        "loop.tile",
        [mapping[v] for v in outer],
        {
            "size": loop.size,
            "tile": repr(tile),
            "operand_axes": tuple(_axis(v, loop.size) for v in outer),
            "folds": (*(kind for kind, _ in loop.folds.values()), *("store" for _ in loop.stores)),
            "result_axes": (*(-1 for _ in loop.folds), *(_axis(v, loop.size) for v in loop.stores)),
            "counts": (*(len(p) for _, p in loop.folds.values()), *(1 for _ in loop.stores)),
        },
        [v.type for v in results],
        [Region(block)],
    )
    top.operations.append(result)
    mapping.update(zip(results, result.results, strict=True))


def _slice_back(analysis: _Analysis, loop: _Loop, targets: Sequence[Value]) -> list[Operation]:
    """Return the per-point operations of the loop's size that the targets need, in order."""
    stored = {v for other in analysis.loops.values() for v in other.stores}
    needed = set(targets)
    kept = []
    for operation in reversed(analysis.program.operations):
        if operation.result not in needed:
            continue
        kind = analysis.kind[operation]
        own = analysis.batch.get(operation) == loop.size and kind in ("tile", "fold")
        if not own or (kind == "fold" and operation.result not in targets):
            continue
        earlier = analysis.phase[operation] < loop.phase and operation.result in stored
        if earlier:
            # an earlier loop has stored the value for all points: read it
            continue
        kept.append(operation)
        needed.update(operation.operands)
    return kept[::-1]
