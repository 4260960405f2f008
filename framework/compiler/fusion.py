"""Fusion: elementwise work into loops over one index space, products into stacked matrix products.

Within a block every value gets a level: how many library calls and reductions lie before it.
Elementwise operations of one shape and level form one ``loop.fused`` operation, whatever number of
Taylor coefficients they belong to; it computes everything it needs from values that exist in
memory, so cheap forward work is done again in the backward loop instead of being stored. Sums
over leading axes, or over all axes, are folded in the same loop.

``loop.fused`` attributes: ``space`` is the index space; ``maps`` gives for each operand the axis
of the space that each of its axes walks with (-1: its only element); ``kept`` gives for each
result the axes of the space it keeps (all of them for a plain result). Its region works on single
elements.

``kernel.product`` multiplies a stack of left matrices by one right matrix (``form`` is
``stacked``) or sums products of pairs (``form`` is ``summed``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..core.dims import Shape
from ..ir.program import Block, Operation, Program, Region, Value
from ..ir.types import Attributes, TensorType
from ..ops.lowering import Contraction, Elementwise, Reduction
from ..ops.primitive import primitives

__all__ = ["fuse_block", "fuse_program"]

# Functions whose cost is worth one store and load when another loop needs the value again.
_EXPENSIVE = frozenset((
    "acos", "asin", "atan", "atan2", "cos", "cosh", "erf", "exp", "expm1", "log", "log1p",
    "logistic", "pow", "sin", "sinh", "tan", "tanh",
))  # fmt: skip


def _is_elementwise(operation: Operation) -> bool:
    return operation.name != "full" and isinstance(
        getattr(primitives.get(operation.name), "lowering", None), Elementwise
    )


def _is_free(operation: Operation | None) -> bool:
    """Operations that cost nothing inside a fused loop: repeats and constants."""
    return operation is not None and operation.name in ("broadcast", "full")


def _fusible_sum(operation: Operation) -> bool:
    lowering = getattr(primitives.get(operation.name), "lowering", None)
    if not isinstance(lowering, Reduction) or lowering.kind != "sum":
        return False
    axes = operation.attributes["axes"]
    assert isinstance(axes, tuple)
    return axes == tuple(range(len(axes))) and len(axes) > 0


class _Fuser:
    def __init__(self, block: Block) -> None:
        self.block = block
        self.level: dict[Value, int] = dict.fromkeys(block.arguments, 0)
        self.users: dict[Value, list[Operation]] = defaultdict(list)
        for operation in block.operations:
            for value in operation.operands:
                self.users[value].append(operation)
        for operation in block.operations:
            self._set_level(operation)
        self.stored = self._find_stored()

    def _set_level(self, operation: Operation) -> None:
        level = 0
        for value in operation.operands:
            source = value.operation
            step = 0
            # what a repeat reads must be in memory, except a constant
            if operation.name == "broadcast" and source is not None and _is_elementwise(source):
                step = 1
            level = max(level, self.level.get(value, 0) + step)
        inline = _is_elementwise(operation) or _is_free(operation)
        for result in operation.results:
            self.level[result] = level if inline else level + 1

    def _find_stored(self) -> dict[Value, None]:
        """Elementwise results (and repeats) that must exist in memory."""
        stored: dict[Value, None] = {}
        outputs = set(self.block.outputs)
        for operation in self.block.operations:
            for result in operation.results:
                if _is_free(operation):
                    anchored = any(
                        not _is_elementwise(u) and not _is_free(u) and not _fusible_sum(u)
                        for u in self.users[result]
                    )
                    if anchored or result in outputs:
                        stored[result] = None
                elif _is_elementwise(operation) and self._must_store(operation, result, outputs):
                    stored[result] = None
        return stored

    def _must_store(self, operation: Operation, result: Value, outputs: set[Value]) -> bool:
        if result in outputs:
            return True
        for user in self.users[result]:
            if _is_elementwise(user):
                if operation.name in _EXPENSIVE and self.level[user.result] > self.level[result]:
                    return True
            elif not _fusible_sum(user):
                return True
        return False

    # --- groups -----------------------------------------------------------------------------

    def run(self) -> Block:
        roots: dict[tuple[int, Shape], list[Operation]] = defaultdict(list)
        schedule: list[tuple[tuple[int, int, int], list[Operation]]] = []
        for position, operation in enumerate(self.block.operations):
            if operation.results and operation.results[0] in self.stored:
                key = (self.level[operation.result], operation.result.type.shape)
                roots[key].append(operation)
            elif _is_elementwise(operation) or _is_free(operation):
                continue
            elif _fusible_sum(operation):
                source = operation.operands[0]
                roots[(self.level[source], source.type.shape)].append(operation)
            else:
                level = max((self.level[v] for v in operation.operands), default=0)
                schedule.append(((level, 1, position), [operation]))
        for order, ((level, _), group) in enumerate(roots.items()):
            schedule.append(((level, 0, order), group))
        result = Block()
        result.arguments = list(self.block.arguments)
        self.mapping: dict[Value, Value] = {v: v for v in result.arguments}
        for (_, kind, _), group in sorted(schedule, key=lambda item: item[0]):
            if kind == 0:
                self._emit_fused(group, result)
            else:
                self._emit_plain(group[0], result)
        result.outputs = [self.mapping[v] for v in self.block.outputs]
        return result

    def _emit_plain(self, operation: Operation, target: Block) -> None:
        regions = operation.regions
        if regions:
            regions = tuple(Region(fuse_block(r.block)) for r in regions)
        copy = Operation(
            operation.name,
            [self.mapping[v] for v in operation.operands],
            operation.attributes,
            [r.type for r in operation.results],
            regions,
        )
        target.operations.append(copy)
        self.mapping.update(zip(operation.results, copy.results, strict=True))

    def _emit_fused(self, group: list[Operation], target: Block) -> None:
        first = group[0]
        space = (first.operands[0] if _fusible_sum(first) else first.result).type.shape
        level = self.level[first.operands[0] if _fusible_sum(first) else first.result]
        body = _Body(self, space, level, set(group))
        outputs, kept = [], []
        for operation in group:
            if _fusible_sum(operation):
                axes = operation.attributes["axes"]
                outputs.append(body.element(operation.operands[0]))
                kept.append(tuple(i for i in range(len(space)) if i not in axes))
            else:
                outputs.append(body.element(operation.result))
                kept.append(tuple(range(len(space))))
        body.block.outputs = outputs
        fused = Operation(
            "loop.fused",
            [self.mapping[v] for v, _ in body.leaves],
            {"space": space, "maps": tuple(m for _, m in body.leaves), "kept": tuple(kept)},
            [o.result.type for o in group],
            [Region(body.block)],
        )
        target.operations.append(fused)
        self.mapping.update(zip((o.result for o in group), fused.results, strict=True))


class _Body:
    """The region of a fused loop: what is needed for one element, in depth-first order."""

    def __init__(self, fuser: _Fuser, space: Shape, level: int, group: set[Operation]) -> None:
        self.fuser = fuser
        self.space = space
        self.level = level
        self.group = group
        self.block = Block()
        self.leaves: dict[tuple[Value, tuple[int, ...]], Value] = {}
        self.made: dict[tuple[Value, tuple[int, ...]], Value] = {}

    def element(self, value: Value) -> Value:
        """Return the scalar for an element of a value of the loop's shape."""
        return self._visit(value, tuple(range(len(self.space))))

    def _visit(self, value: Value, axes: tuple[int, ...]) -> Value:
        # an explicit stack, since a Taylor expansion can be deeper than Python's recursion limit
        stack: list[tuple[Value, tuple[int, ...]]] = [(value, axes)]
        while stack:
            key = stack[-1]
            if key in self.made:
                stack.pop()
                continue
            missing = [k for k in self._needs(*key) if k not in self.made]
            if missing:
                stack.extend(reversed(missing))
                continue
            self.made[key] = self._make(*key)
            stack.pop()
        return self.made[(value, axes)]

    def _inlined(self, value: Value) -> Operation | None:
        """Return the operation to compute again here, or None where the value is in memory."""
        operation = value.operation
        if operation is None or not (_is_elementwise(operation) or _is_free(operation)):
            return None
        if value in self.fuser.stored:
            elsewhere = operation not in self.group and self.fuser.level[value] < self.level
            if elsewhere and not _is_free(operation):
                return None
        return operation

    def _needs(self, value: Value, axes: tuple[int, ...]) -> list[tuple[Value, tuple[int, ...]]]:
        operation = self._inlined(value)
        if operation is None or operation.name == "full":
            return []
        if operation.name == "broadcast":
            return [(operation.operands[0], self._through(operation, axes))]
        return [(v, axes) for v in operation.operands]

    def _through(self, operation: Operation, axes: tuple[int, ...]) -> tuple[int, ...]:
        dimensions = operation.attributes["dimensions"]
        sizes = operation.operands[0].type.shape
        shape = operation.result.type.shape
        return tuple(
            -1 if size == 1 and shape[d] != 1 else axes[d]
            for size, d in zip(sizes, dimensions, strict=True)
        )

    def _make(self, value: Value, axes: tuple[int, ...]) -> Value:
        operation = self._inlined(value)
        scalar = TensorType((), value.type.dtype)
        if operation is None:
            argument = self.block.add_argument(scalar)
            self.leaves[(value, axes)] = argument
            return argument
        if operation.name == "broadcast":
            return self.made[(operation.operands[0], self._through(operation, axes))]
        operands = [self.made[k] for k in self._needs(value, axes)]
        attributes: Attributes = dict(operation.attributes)
        if operation.name == "full":
            attributes["shape"] = ()
        made = Operation(operation.name, operands, attributes, [scalar])
        self.block.operations.append(made)
        return made.result


# --- products -------------------------------------------------------------------------------


def _stack_products(block: Block, folded: Sequence[Sequence[Value]] = ()) -> Block:
    """Join products that share the right operand, and products that are summed together."""
    depth = _depths(block)
    order = _by_depth(block, depth)
    joined: dict[Operation, list[Operation]] = {}
    for group in folded:
        for products in _alike(group, order):
            joined.update(dict.fromkeys(products, products))
    shared: dict[object, list[Operation]] = defaultdict(list)
    for operation in block.operations:
        if _is_product(operation) and operation not in joined:
            lhs, rhs = operation.operands
            key = (rhs, lhs.type, *operation.attributes.items(), depth[operation.result])
            shared[key].append(operation)
    result = Block()
    result.arguments = list(block.arguments)
    mapping: dict[Value, Value] = {v: v for v in block.arguments}
    leader = {op: group for group in shared.values() for op in group}
    done: set[int] = set()
    for operation in order:
        if operation in joined:
            # a sum is made at its last member, when all operands are there
            if operation is joined[operation][-1]:
                _emit_product(joined[operation], "summed", result, mapping)
        elif operation not in leader:
            _copy(operation, result, mapping)
        elif id(leader[operation]) not in done:
            done.add(id(leader[operation]))
            _emit_product(leader[operation], "stacked", result, mapping)
    result.outputs = [mapping[v] for v in block.outputs]
    return result


def _alike(group: Sequence[Value], order: Sequence[Operation]) -> list[list[Operation]]:
    """Split the products of a sum into those of one layout, each in order of execution."""
    members = {v.operation for v in group}
    found: dict[object, list[Operation]] = defaultdict(list)
    for operation in order:
        if operation in members and _is_product(operation):
            types = tuple(v.type for v in operation.operands)
            found[(types, *operation.attributes.items())].append(operation)
    return list(found.values())


def _is_product(operation: Operation | None) -> bool:
    return operation is not None and isinstance(
        getattr(primitives.get(operation.name), "lowering", None), Contraction
    )


def _depths(block: Block) -> dict[Value, int]:
    depth: dict[Value, int] = dict.fromkeys(block.arguments, 0)
    for operation in block.operations:
        level = max((depth[v] for v in operation.operands), default=0) + 1
        for r in operation.results:
            depth[r] = level
    return depth


def _by_depth(block: Block, depth: dict[Value, int]) -> list[Operation]:
    """Order by depth, so that a joined operation comes after all operands of its group."""
    return sorted(block.operations, key=lambda o: depth[o.results[0]] if o.results else 0)


def _copy(operation: Operation, target: Block, mapping: dict[Value, Value]) -> None:
    copy = Operation(
        operation.name,
        [mapping[v] for v in operation.operands],
        operation.attributes,
        [r.type for r in operation.results],
        operation.regions,
    )
    target.operations.append(copy)
    mapping.update(zip(operation.results, copy.results, strict=True))


def _emit_product(
    group: list[Operation], form: str, target: Block, mapping: dict[Value, Value]
) -> None:
    first = group[0]
    attributes = {"form": form, "count": len(group), **first.attributes}
    lefts = [mapping[o.operands[0]] for o in group]
    rights = [mapping[o.operands[1]] for o in group]
    if form == "stacked":
        operands, types = [*lefts, rights[0]], [o.result.type for o in group]
    else:
        operands, types = [*lefts, *rights], [first.result.type]
    product = Operation("kernel.product", operands, attributes, types)
    target.operations.append(product)
    for k, operation in enumerate(group):
        mapping[operation.result] = product.results[k if form == "stacked" else 0]


# --- whole programs -------------------------------------------------------------------------


def fuse_block(block: Block) -> Block:
    """Return a block whose elementwise work is in fused loops."""
    return _Fuser(block).run()


def fuse_program(program: Program) -> Program:
    """Fuse the top block and every tile region; join products."""
    fused = fuse_block(program.block)
    return Program(program.name, _join(fused))


def _join(block: Block) -> Block:
    """Stack products in a block and in the tile regions below it."""
    for operation in block.operations:
        if operation.name == "loop.tile":
            region = operation.regions[0]
            counts = operation.attributes["counts"]
            folds = operation.attributes["folds"]
            groups, start = [], 0
            for count, fold in zip(counts, folds, strict=True):
                values = region.block.outputs[start : start + count]
                if fold == "sum" and len(values) > 1:
                    groups.append(values)
                start += count
            region.blocks[0] = _stack_products(region.block, groups)
            operation.attributes = _recount(operation, region)
    return _stack_products(block)


def _recount(operation: Operation, region: Region) -> Attributes:
    """Drop repeated outputs that a summed product has taken together."""
    counts = operation.attributes["counts"]
    outputs = region.block.outputs
    kept, new_counts, start = [], [], 0
    for count in counts:
        distinct = list(dict.fromkeys(outputs[start : start + count]))
        kept += distinct
        new_counts.append(len(distinct))
        start += count
    region.block.outputs = kept
    return {**operation.attributes, "counts": tuple(new_counts)}
