"""From a scheduled program to an LLVM module and the plan that runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from llvmlite import ir

from ...compiler.executable import Fold, LoopStep, Plan, Slot, TopStep
from ...compiler.memory import Place, Slots, bytes_of, place_block, product_runs
from ...core.dims import Dim, Shape, dim_names
from ...core.dtypes import dtype_name
from ...errors import LoweringError
from ...ir.program import Block, Operation, Program, Value
from ...ops.lowering import Contraction, Elementwise, Movement, Reduction, Scatter
from ...ops.primitive import primitives
from .emitter import I8, I32, I64, LlvmEmitter
from .fused import FusedLoops
from .loops import (
    Target,
    count_loop,
    emit_fold_into,
    flat_index,
    nest,
    polynomial,
)
from .outlined import OutlinedCode
from .products import can_join

__all__ = ["generate"]

# Tiles are powers of two in this range.
_FEWEST_POINTS, _MOST_POINTS = 4, 256

_POINTER = I8.as_pointer()
_TABLE = _POINTER.as_pointer()
# void f(buffers, sizes, library, first, last, arena, folds)
_STEP_TYPE = ir.FunctionType(
    ir.VoidType(), [_TABLE, I64.as_pointer(), _TABLE, I64, I64, _POINTER, _POINTER]
)


def generate(
    program: Program, vector_bytes: int, cache_bytes: int, triple: str
) -> tuple[str, Plan]:
    """Return LLVM assembly and the plan of a fused program.

    Parameters
    ----------
    program
        Result of `fuse_program`.
    vector_bytes
        Width of a vector register.
    cache_bytes
        Size of the level-2 cache of one core.
    triple
        Target triple.
    """
    module = ir.Module("sciml")
    module.triple = triple
    return _Generator(program, module, vector_bytes, cache_bytes).run()


class _Scope:
    """Where code is being emitted: builder, size values, addresses of values."""

    def __init__(self, function: Any, names: Sequence[str]) -> None:
        self.function = function
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        args = function.args
        self.buffers, self.size_table, self.library = args[0], args[1], args[2]
        self.first, self.last, self.arena, self.folds = args[3:7]
        self.extra: dict[str, Any] = {}
        self.arguments: list[Any] = []
        self.sizes = {
            name: self.builder.load(self.builder.gep(self.size_table, [I32(k)]))
            for k, name in enumerate(names)
        }
        self.bases: dict[tuple[str, int], Any] = {}

    def size_of(self, dim: int | Dim) -> Any:
        """Return the i64 value of a size."""
        return polynomial(self.builder, dim, {**self.sizes, **self.extra})

    def base(self, base: tuple[str, int]) -> Any:
        """Return the start of a memory area."""
        kind, number = base
        if kind == "arena":
            return self.arena
        if kind == "fold":
            return self.folds
        if kind == "argument":
            return self.arguments[number]
        if base not in self.bases:
            with self.builder.goto_entry_block():
                self.bases[base] = self.builder.load(self.builder.gep(self.buffers, [I32(number)]))
        return self.bases[base]


class _Generator:
    def __init__(self, program: Program, module: Any, vector_bytes: int, cache_bytes: int) -> None:
        self.program = program
        self.module = module
        self.fused = FusedLoops(module, vector_bytes)
        self.outlined = OutlinedCode(module)
        self.cache_bytes = cache_bytes
        names = {n for v in program.inputs for n in dim_names(v.type.shape)}
        self.names = sorted(names)
        self.steps: list[TopStep | LoopStep] = []

    # --- buffers ----------------------------------------------------------------------------

    def run(self) -> tuple[str, Plan]:
        block = self.program.block
        loops = [o for o in block.operations if o.name == "loop.tile"]
        places: dict[Value, Place] = {
            v: Place(("buffer", k)) for k, v in enumerate(block.arguments)
        }
        first_output = len(block.arguments)
        for k, value in enumerate(block.outputs):
            if value not in places and value.operation is not None and not self._folded(value):
                places[value] = Place(("buffer", first_output + k))
        temporaries = [
            r
            for o in block.operations
            for r in o.results
            if r not in places and dim_names(r.type.shape) and o.name != "reshape"
        ]
        start = first_output + len(block.outputs)
        places.update({v: Place(("buffer", start + k)) for k, v in enumerate(temporaries)})
        fold_buffer = start + len(temporaries)
        fold_layouts = []
        for k, loop in enumerate(loops):
            layout, total = _fold_layout(loop)
            fold_layouts.append((layout, total, fold_buffer + k))
            for result, fold in layout.items():
                places[result] = Place(("buffer", fold_buffer + k), fold.offset)
        self.arena_buffer = fold_buffer + len(loops)
        found, self.slots, arena = place_block(block, places, {})
        # inside a loop "arena" is the thread's own, so the outer one is addressed as a buffer
        self.places = {
            v: replace(p, base=("buffer", self.arena_buffer)) if p.base[0] == "arena" else p
            for v, p in found.items()
        }
        self._emit_steps(block, loops, fold_layouts)
        self._emit_output_copies(block, first_output)
        plan = Plan(
            sizes=tuple(self.names),
            inputs=tuple(_slot(v) for v in block.arguments),
            outputs=tuple(_slot(v) for v in block.outputs),
            temporaries=tuple(_slot(v) for v in temporaries),
            top_arena_bytes=arena,
            steps=tuple(self.steps),
        )
        return str(self.module), plan

    def _folded(self, value: Value) -> bool:
        operation = value.operation
        if operation is None or operation.name != "loop.tile":
            return False
        folds = operation.attributes["folds"]
        return bool(folds[value.index] != "store")

    def _emit_output_copies(self, block: Block, first_output: int) -> None:
        """Copy outputs that live elsewhere (inputs, folds, repeated outputs) at the end."""
        scope: _Scope | None = None
        for k, value in enumerate(block.outputs):
            wanted = Place(("buffer", first_output + k))
            if self.places[value] == wanted:
                continue
            if scope is None:
                scope = self._open("finish")
                self.steps.append(TopStep("finish"))
            source = self._target(scope, value, self.places[value])
            target = Target(scope.base(wanted.base), value.type.shape, value.type.dtype)
            _copy(scope, source, target)
        if scope is not None:
            scope.builder.ret_void()

    # --- steps ------------------------------------------------------------------------------

    def _open(self, name: str) -> _Scope:
        return _Scope(ir.Function(self.module, _STEP_TYPE, name), self.names)

    def _emit_steps(
        self,
        block: Block,
        loops: Sequence[Operation],
        fold_layouts: Sequence[tuple[dict[Value, Fold], int, int]],
    ) -> None:
        scope: _Scope | None = None
        for operation in block.operations:
            if operation.name == "loop.tile":
                if scope is not None:
                    scope.builder.ret_void()
                    scope = None
                k = loops.index(operation)
                self._emit_loop(operation, k, *fold_layouts[k])
                continue
            if scope is None:
                name = f"top_{len(self.steps)}"
                scope = self._open(name)
                self.steps.append(TopStep(name))
            self._emit_operation(scope, operation, self.places, self.slots, {})
        if scope is not None:
            scope.builder.ret_void()

    def _target(self, scope: _Scope, value: Value, place: Place) -> Target:
        pointer = scope.base(place.base)
        if place.base[0] == "arena" or place.offset:
            pointer = scope.builder.gep(pointer, [I64(place.offset)])
        if place.slot:
            count = scope.size_of(_elements(value.type.shape))
            step = scope.builder.mul(count, I64(place.slot * value.type.dtype.itemsize))
            pointer = scope.builder.gep(pointer, [step])
        return Target(pointer, value.type.shape, value.type.dtype)

    def _emit_operation(
        self,
        scope: _Scope,
        operation: Operation,
        places: Mapping[Value, Place],
        slots: Slots,
        folds: Mapping[Value, Fold],
    ) -> None:
        def target(value: Value) -> Target:
            return self._target(scope, value, places[value])

        b = scope.builder
        adds = [r in folds and folds[r].kind == "sum" for r in operation.results]
        if operation.name == "loop.fused":
            self.fused.call(
                b, operation, [target(v) for v in operation.operands],
                [target(v) for v in operation.results], adds, scope.size_of,
            )  # fmt: skip
            return
        if operation.name == "kernel.product":
            self._emit_product(scope, operation, target, slots, adds[0])
            return
        lowering = primitives[operation.name].lowering
        operands = [target(v) for v in operation.operands]
        result = target(operation.result)
        if operation.name == "reshape":
            if places[operation.result] != places[operation.operands[0]]:
                _copy(scope, operands[0], Target(result.pointer, operands[0].shape, result.dtype))
        elif isinstance(lowering, Movement | Reduction | Scatter):
            self.outlined.nest(scope, operation, operands, result)
        elif isinstance(lowering, Contraction):
            targets = (operands[0], operands[1], result)
            self.outlined.product(scope, operation.attributes, targets, accumulate=adds[0])
        elif isinstance(lowering, Elementwise):
            self._emit_single(scope, operation, operands, result)
        else:
            raise LoweringError(f"the CPU back end has no kernel for {operation.name}")

    def _emit_single(
        self, scope: _Scope, operation: Operation, operands: Sequence[Target], result: Target
    ) -> None:
        """An elementwise operation outside any fused loop (a fill that must be in memory)."""
        lowering: Any = primitives[operation.name].lowering
        emitter = LlvmEmitter(scope.builder, 1, scope.size_of)
        count = scope.size_of(_elements(result.shape))
        with count_loop(scope.builder, I64(0), count) as i:
            values = [t.load(emitter, i) for t in operands]
            result.store(emitter, i, lowering.scalar(emitter, operation, *values))

    def _emit_product(
        self, scope: _Scope, operation: Operation, target: Any, slots: Slots, accumulate: bool
    ) -> None:
        attributes = operation.attributes
        count, form = attributes["count"], attributes["form"]
        assert isinstance(count, int)
        assert isinstance(form, str)
        lefts = operation.operands[:count]
        rights = operation.operands[count:]
        shapes = (lefts[0].type.shape, rights[0].type.shape)
        joined = can_join(*shapes, attributes, form)
        runs = product_runs(operation, slots) if joined else None
        groups = [r.members for r in runs] if runs else [(k,) for k in range(count)]
        for position, members in enumerate(groups):
            first = members[0]
            right = rights[0] if form == "stacked" else rights[first]
            result = operation.results[first if form == "stacked" else 0]
            self.outlined.product(
                scope, attributes, (target(lefts[first]), target(right), target(result)),
                len(members), form, accumulate or (form == "summed" and position > 0),
            )  # fmt: skip

    # --- tile loops -------------------------------------------------------------------------

    def _emit_loop(
        self, loop: Operation, number: int, layout: dict[Value, Fold], total: int, buffer: int
    ) -> None:
        region = loop.regions[0].block
        attributes = loop.attributes
        size, tile_name = str(attributes["size"]), str(attributes["tile"])
        owners: dict[Value, Fold] = {}
        fixed: dict[Value, Place] = {}
        start = 0
        counts, folds = attributes["counts"], attributes["folds"]
        later: list[tuple[Value, Value, str]] = []
        for result, count, kind in zip(loop.results, counts, folds, strict=True):
            for value in region.outputs[start : start + count]:
                if kind == "sum" and value not in fixed and _adds_itself(value):
                    fixed[value] = Place(("fold", 0), layout[result].offset)
                    owners[value] = layout[result]
                else:
                    later.append((result, value, str(kind)))
            start += count
        axes = attributes["operand_axes"]
        for k, (value, axis) in enumerate(zip(region.arguments, axes, strict=True)):
            # a tile of another axis is not one piece of memory, so it is copied to the arena
            if axis <= 0:
                fixed[value] = Place(("argument", k))
        weights = sum(
            bytes_of(v, {}) for v, axis in zip(loop.operands, axes, strict=True) if axis == -1
        )
        room = self._room(weights + 2 * total)
        tile = self._choose_tile(region, fixed, tile_name, room)
        largest = self._largest_tile(region, fixed, tile_name, tile, room)
        places, slots, arena = place_block(region, fixed, {tile_name: largest})
        name = f"loop_{number}"
        scope = self._open(name)
        b = scope.builder
        # the tile is read when the loop runs, so that it can be measured without compiling again
        step = b.load(b.gep(scope.size_table, [I32(len(self.names) + number)]))
        with count_loop(b, scope.first, scope.last, step) as position:
            rest = b.sub(scope.last, position)
            short = b.icmp_signed("<", rest, step)
            scope.extra = {tile_name: b.select(short, rest, step)}
            self._load_arguments(scope, loop, region, places, position)
            for operation in region.operations:
                self._emit_operation(scope, operation, places, slots, owners)
            for result, value, kind in later:
                source = self._target(scope, value, places[value])
                if kind == "store":
                    whole = self._target(scope, result, self.places[result])
                    axis = attributes["result_axes"][result.index]
                    _copy_tile(scope, source, whole, axis, position, store=True)
                else:
                    place = Place(("fold", 0), layout[result].offset)
                    whole = self._target(scope, result, place)
                    emit_fold_into(b, kind, source, whole, scope.size_of)
        b.ret_void()
        self.steps.append(
            LoopStep(name, size, tile, largest, arena, total, buffer, tuple(layout.values()))
        )

    def _room(self, streamed: int) -> int:
        """What a tile may take: the cache, or more where every tile streams far more than that.

        The weights and their gradient of a wide layer are read and written once for every tile;
        scratch memory outside the cache then costs less than to stream them more often.
        """
        return 2 * streamed if streamed > 4 * self.cache_bytes else self.cache_bytes

    def _choose_tile(
        self, region: Block, fixed: Mapping[Value, Place], tile_name: str, room: int
    ) -> int:
        """The cost model: the largest tile whose scratch memory takes half of the room.

        The other half is left to operands that stay, such as weights and packing buffers.
        """
        tile = _MOST_POINTS
        while tile > _FEWEST_POINTS:
            if place_block(region, fixed, {tile_name: tile})[2] <= room // 2:
                break
            tile //= 2
        return tile

    def _largest_tile(
        self, region: Block, fixed: Mapping[Value, Place], tile_name: str, tile: int, room: int
    ) -> int:
        """The largest tile that is worth a measurement, for which memory is laid out.

        Twice that of the model, if it fits the room. Where not even the smallest tile fits, how
        much more is best depends on the next cache, so four times as many points are tried.
        """
        if place_block(region, fixed, {tile_name: tile})[2] > room:
            return 4 * tile
        twice = min(2 * tile, _MOST_POINTS)
        return twice if place_block(region, fixed, {tile_name: twice})[2] <= room else tile

    def _load_arguments(
        self, scope: _Scope, loop: Operation, region: Block, places: Mapping[Value, Place],
        position: Any,
    ) -> None:  # fmt: skip
        """Set the addresses of this tile's operands; copy those cut along an inner axis."""
        b = scope.builder
        axes = loop.attributes["operand_axes"]
        scope.arguments = []
        for outer, inner, axis in zip(loop.operands, region.arguments, axes, strict=True):
            whole = self._target(scope, outer, self.places[outer])
            if axis == 0:
                row = b.mul(position, scope.size_of(_elements(outer.type.shape[1:])))
                scope.arguments.append(b.bitcast(whole.address(b, row), _POINTER))
                continue
            scope.arguments.append(whole.pointer)
            if axis > 0:
                tile = self._target(scope, inner, places[inner])
                _copy_tile(scope, tile, whole, axis, position, store=False)


def _copy_tile(
    scope: _Scope, tile: Target, whole: Target, axis: int, position: Any, *, store: bool
) -> None:
    """Copy a tile to (`store`) or from its place along an axis of the whole array."""
    b = scope.builder
    emitter = LlvmEmitter(b, 1, scope.size_of)

    def body(index: list[Any]) -> None:
        moved = list(index)
        moved[axis] = b.add(index[axis], position)
        inside = flat_index(b, index, tile.shape, scope.size_of)
        outside = flat_index(b, moved, whole.shape, scope.size_of)
        if store:
            whole.store(emitter, outside, tile.load(emitter, inside))
        else:
            tile.store(emitter, inside, whole.load(emitter, outside))

    nest(b, tile.shape, scope.size_of, body)


def _adds_itself(value: Value) -> bool:
    """Whether the operation that makes a sum can add to the accumulator directly."""
    operation = value.operation
    if operation is None:
        return False
    if operation.name == "loop.fused":
        kept = operation.attributes["kept"]
        return len(kept[value.index]) != len(operation.attributes["space"])
    if operation.name == "kernel.product":
        return True
    return operation.name == "dot_general"


def _fold_layout(loop: Operation) -> tuple[dict[Value, Fold], int]:
    layout: dict[Value, Fold] = {}
    offset = 0
    for result, kind in zip(loop.results, loop.attributes["folds"], strict=True):
        if kind == "store":
            continue
        size = bytes_of(result, {})
        count = size // result.type.dtype.itemsize
        layout[result] = Fold(offset, count, dtype_name(result.type.dtype), str(kind))
        offset += -(-size // 64) * 64
    return layout, offset


def _elements(shape: Shape) -> int | Dim:
    total: int | Dim = 1
    for size in shape:
        total = total * size
    return total


def _slot(value: Value) -> Slot:
    return Slot(tuple(str(s) for s in value.type.shape), dtype_name(value.type.dtype))


def _copy(scope: _Scope, source: Target, target: Target) -> None:
    emitter = LlvmEmitter(scope.builder, 1, scope.size_of)
    with count_loop(scope.builder, I64(0), scope.size_of(_elements(source.shape))) as i:
        target.store(emitter, i, source.load(emitter, i))
