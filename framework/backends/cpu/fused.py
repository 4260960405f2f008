"""Fused loops: one function per distinct loop body, vector code in the innermost axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from ...core.dims import Dim, Shape, dim_names
from ...core.dtypes import BOOL, DType
from ...ir.program import Block, Operation, Program, Value
from ...ops.primitive import primitives
from .emitter import I8, I32, I64, LlvmEmitter, element_type, memory_type
from .loops import SizeOf, Target, count_loop, polynomial

__all__ = ["FusedLoops"]


@dataclass(frozen=True)
class _Axis:
    """One loop after merging neighbouring axes: the axes of the space it stands for."""

    members: tuple[int, ...]


def _merge_axes(space: Shape, operands: Sequence[tuple[Shape, tuple[int, ...]]],
                kept: Sequence[tuple[int, ...]]) -> list[_Axis]:  # fmt: skip
    """Merge neighbouring axes that every operand and result walks as one."""
    groups: list[list[int]] = []
    for axis in range(len(space)):
        if space[axis] == 1:
            continue
        if groups and _walks_as_one(groups[-1][-1], axis, operands, kept):
            groups[-1].append(axis)
        else:
            groups.append([axis])
    return [_Axis(tuple(g)) for g in groups] or [_Axis(())]


def _walks_as_one(a: int, b: int, operands: Sequence[tuple[Shape, tuple[int, ...]]],
                  kept: Sequence[tuple[int, ...]]) -> bool:  # fmt: skip
    for axes in kept:
        if (a in axes) != (b in axes):
            return False
    for shape, axes in operands:
        walked = [x for x, size in zip(axes, shape, strict=True) if x >= 0 and size != 1]
        if (a in walked) != (b in walked):
            return False
        if a in walked and walked.index(b) != walked.index(a) + 1:
            return False
    return True


class FusedLoops:
    """Makes the functions of fused loops in a module; equal loops share one function."""

    def __init__(self, module: Any, vector_bytes: int) -> None:
        self.module = module
        self.vector_bytes = vector_bytes
        self.functions: dict[str, Any] = {}

    def call(
        self,
        builder: Any,
        operation: Operation,
        operands: Sequence[Target],
        results: Sequence[Target],
        accumulate: Sequence[bool],
        size_of: SizeOf,
    ) -> None:
        """Emit a call of the loop; `accumulate` says which sums are added to their target."""
        used = [operation.attributes["space"], *(t.shape for t in operands)]
        for inner in operation.regions[0].block.operations:
            used += inner.attributes.values()
        names = sorted(dim_names(tuple(used)))
        key = _signature(operation, operands, accumulate)
        if key not in self.functions:
            name = f"fused_{len(self.functions)}"
            self.functions[key] = self._define(name, operation, operands, results, accumulate, names)
        sizes = [size_of(Dim.named(n)) for n in names]
        builder.call(self.functions[key], [t.pointer for t in (*operands, *results)] + sizes)

    def _define(
        self,
        name: str,
        operation: Operation,
        operands: Sequence[Target],
        results: Sequence[Target],
        accumulate: Sequence[bool],
        names: Sequence[str],
    ) -> Any:
        pointer = I8.as_pointer()
        count = len(operands) + len(results)
        type = ir.FunctionType(ir.VoidType(), [pointer] * count + [I64] * len(names))
        function = ir.Function(self.module, type, name)
        function.linkage = "internal"
        function.attributes.add("noinline")
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        sizes = dict(zip(names, function.args[count:], strict=True))

        def size_of(dim: int | Dim) -> Any:
            return polynomial(builder, dim, sizes)

        inside = [
            Target(p, t.shape, t.dtype)
            for p, t in zip(function.args, (*operands, *results), strict=False)
        ]
        _Loop(self, builder, operation, inside, len(operands), accumulate, size_of).emit()
        builder.ret_void()
        return function


def _signature(operation: Operation, operands: Sequence[Target], accumulate: Sequence[bool]) -> str:
    """Text that is equal for loops that can share a function."""
    attributes = operation.attributes
    block = operation.regions[0].block
    shapes = [(t.shape, t.dtype) for t in operands]
    body = str(Program("body", block))
    results = [(r.type.shape, r.type.dtype) for r in operation.results]
    return repr((attributes["space"], attributes["maps"], attributes["kept"], shapes, results,
                 tuple(accumulate))) + body  # fmt: skip


class _Loop:
    def __init__(
        self,
        owner: FusedLoops,
        builder: Any,
        operation: Operation,
        targets: Sequence[Target],
        operand_count: int,
        accumulate: Sequence[bool],
        size_of: SizeOf,
    ) -> None:
        self.builder = builder
        self.block: Block = operation.regions[0].block
        self.space: Shape = operation.attributes["space"]  # type: ignore[assignment]
        self.maps: Sequence[tuple[int, ...]] = operation.attributes["maps"]  # type: ignore[assignment]
        self.kept: Sequence[tuple[int, ...]] = operation.attributes["kept"]  # type: ignore[assignment]
        self.operands = list(targets[:operand_count])
        self.results = list(targets[operand_count:])
        self.accumulate = accumulate
        self.size_of = size_of
        pairs = [(t.shape, m) for t, m in zip(self.operands, self.maps, strict=True)]
        self.axes = _merge_axes(self.space, pairs, self.kept)
        widest = max(
            [t.dtype.itemsize for t in targets if t.dtype != BOOL]
            + [o.result.type.dtype.itemsize for o in self.block.operations],
            default=8,
        )
        self.width = max(1, owner.vector_bytes // widest)
        self.sums: dict[int, Any] = {}

    # --- sizes and addresses ----------------------------------------------------------------

    def _extent(self, axis: _Axis) -> Any:
        total: Any = None
        for member in axis.members:
            size = self.size_of(self.space[member])
            total = size if total is None else self.builder.mul(total, size)
        return I64(1) if total is None else total

    def _stride(self, shape: Shape, walked: Sequence[int], axis: _Axis) -> int | Dim:
        """Elements between neighbours along a loop: 0 where the operand does not walk."""
        if not axis.members or axis.members[-1] not in walked:
            return 0
        stride: int | Dim = 1
        for size in shape[list(walked).index(axis.members[-1]) + 1 :]:
            stride = stride * size
        return stride

    def _offset(self, shape: Shape, walked: Sequence[int], index: Sequence[Any]) -> Any:
        flat: Any = I64(0)
        for axis, i in zip(self.axes, index, strict=False):
            stride = self._stride(shape, walked, axis)
            if stride != 0:
                flat = self.builder.add(flat, self.builder.mul(i, self.size_of(stride)))
        return flat

    # --- emission ---------------------------------------------------------------------------

    def emit(self) -> None:
        inner = self.axes[-1]
        with self.builder.goto_entry_block():
            for k, axes in enumerate(self.kept):
                if self._full_sum(axes):
                    type = LlvmEmitter(self.builder, self.width, self.size_of).typed(
                        self.results[k].dtype
                    )
                    slot = self.builder.alloca(type)
                    self.builder.store(ir.Constant(type, None), slot)
                    self.sums[k] = slot
        for k, axes in enumerate(self.kept):
            if len(axes) != len(self.space) and not self._full_sum(axes) and not self.accumulate[k]:
                self._clear(self.results[k])
        extent = self._extent(inner)
        main = self.builder.sub(extent, self.builder.srem(extent, I64(self.width)))
        exact = isinstance(extent, ir.Constant) and extent.constant % self.width == 0

        def row(index: list[Any]) -> None:
            if len(index) < len(self.axes) - 1:
                with count_loop(self.builder, I64(0), self._extent(self.axes[len(index)])) as i:
                    row([*index, i])
                return
            splats = self._row_values(index)
            with count_loop(self.builder, I64(0), main, self.width) as j:
                self._body([*index, j], splats, None)
            if not exact:
                rest = self.builder.sub(extent, main)
                with self.builder.if_then(self.builder.icmp_signed(">", rest, I64(0))):
                    self._body([*index, main], splats, self._mask(rest))

        row([])
        for k, slot in self.sums.items():
            self._finish_sum(k, slot)

    def _full_sum(self, axes: tuple[int, ...]) -> bool:
        """Whether a sum keeps nothing of more than one element."""
        return len(axes) != len(self.space) and all(self.space[a] == 1 for a in axes)

    def _clear(self, target: Target) -> None:
        emitter = LlvmEmitter(self.builder, 1, self.size_of)
        count: int | Dim = 1
        for size in target.shape:
            count = count * size
        with count_loop(self.builder, I64(0), self.size_of(count)) as i:
            target.store(emitter, i, emitter.constant(0, target.dtype))

    def _mask(self, rest: Any) -> Any:
        """Lanes below the number of elements that are left."""
        lanes = ir.Constant(ir.VectorType(I32, self.width), [I32(k) for k in range(self.width)])
        emitter = LlvmEmitter(self.builder, self.width, self.size_of)
        limit = emitter.splat(self.builder.trunc(rest, I32))
        if self.width == 1:
            return None
        return self.builder.icmp_signed("<", lanes, limit)

    def _row_values(self, index: Sequence[Any]) -> dict[int, Any]:
        """Load, before the innermost loop, the operands that do not change in it."""
        emitter = LlvmEmitter(self.builder, self.width, self.size_of)
        found = {}
        for k, (target, walked) in enumerate(zip(self.operands, self.maps, strict=True)):
            if self._stride(target.shape, walked, self.axes[-1]) == 0:
                single = LlvmEmitter(self.builder, 1, self.size_of)
                flat = self._offset(target.shape, walked, index)
                value = emitter.splat(target.load(single, flat))
                found[k] = value if target.dtype == BOOL else emitter.mark(value, target.dtype)
        return found

    def _body(self, index: Sequence[Any], splats: dict[int, Any], mask: Any) -> None:
        emitter = LlvmEmitter(self.builder, self.width, self.size_of)
        values: dict[Value, Any] = {}
        for k, argument in enumerate(self.block.arguments):
            values[argument] = splats[k] if k in splats else self._load(emitter, k, index, mask)
        for operation in self.block.operations:
            lowering: Any = primitives[operation.name].lowering
            operands = [values[v] for v in operation.operands]
            values[operation.result] = lowering.scalar(emitter, operation, *operands)
        for k, output in enumerate(self.block.outputs):
            self._store(emitter, k, index, values[output], mask)

    def _load(self, emitter: LlvmEmitter, k: int, index: Sequence[Any], mask: Any) -> Any:
        target, walked = self.operands[k], self.maps[k]
        flat = self._offset(target.shape, walked, index)
        stride = self._stride(target.shape, walked, self.axes[-1])
        if self.width == 1 or stride == 1:
            value = self._load_vector(target.address(self.builder, flat), target.dtype, mask)
        else:
            value = self._gather(target, flat, stride, mask)
        return value if target.dtype == BOOL else emitter.mark(value, target.dtype)

    def _load_vector(self, pointer: Any, dtype: DType, mask: Any) -> Any:
        b = self.builder
        if self.width == 1:
            value = b.load(pointer)
        else:
            type = ir.VectorType(memory_type(dtype), self.width)
            typed = b.bitcast(pointer, type.as_pointer())
            if mask is None:
                value = b.load(typed, align=dtype.itemsize)
            else:
                value = masked(b, "load", type, typed, dtype.itemsize, mask)
        if dtype == BOOL:
            return b.icmp_unsigned("!=", value, ir.Constant(value.type, None))
        return value

    def _gather(self, target: Target, flat: Any, stride: int | Dim, mask: Any) -> Any:
        """Load lanes one by one, those beyond the end from the first position."""
        b = self.builder
        single = LlvmEmitter(b, 1, self.size_of)
        vector: Any = ir.Constant(
            ir.VectorType(element_type(target.dtype), self.width), ir.Undefined
        )
        for lane in range(self.width):
            step = b.mul(I64(lane), self.size_of(stride))
            if mask is not None:
                inside = b.extract_element(mask, I32(lane))
                step = b.select(inside, step, I64(0))
            vector = b.insert_element(vector, target.load(single, b.add(flat, step)), I32(lane))
        return vector

    def _store(
        self, emitter: LlvmEmitter, k: int, index: Sequence[Any], value: Any, mask: Any
    ) -> None:
        target, axes, b = self.results[k], self.kept[k], self.builder
        if k in self.sums:
            total = emitter.add(b.load(self.sums[k]), self._masked_zero(value, mask))
            b.store(total, self.sums[k])
            return
        pointer = target.address(b, self._offset(target.shape, axes, index))
        if len(axes) != len(self.space):
            before = self._load_vector(pointer, target.dtype, mask)
            value = emitter.add(before, value)
        if target.dtype == BOOL:
            type: Any = I8 if self.width == 1 else ir.VectorType(I8, self.width)
            value = b.zext(value, type)
        if self.width == 1:
            b.store(value, pointer)
            return
        typed = b.bitcast(pointer, value.type.as_pointer())
        if mask is None:
            b.store(value, typed, align=target.dtype.itemsize)
        else:
            masked(b, "store", value.type, typed, target.dtype.itemsize, mask, value)

    def _masked_zero(self, value: Any, mask: Any) -> Any:
        if mask is None:
            return value
        return self.builder.select(mask, value, ir.Constant(value.type, None))

    def _finish_sum(self, k: int, slot: Any) -> None:
        """Add the lanes in a fixed order and put the sum where it belongs."""
        b, target = self.builder, self.results[k]
        emitter = LlvmEmitter(b, 1, self.size_of)
        vector = b.load(slot)
        total = vector if self.width == 1 else b.extract_element(vector, I32(0))
        for lane in range(1, self.width):
            total = emitter.add(total, b.extract_element(vector, I32(lane)))
        if self.accumulate[k]:
            total = emitter.add(target.load(emitter, I64(0)), total)
        target.store(emitter, I64(0), total)


def masked(
    builder: Any, kind: str, type: Any, pointer: Any, alignment: int, mask: Any, value: Any = None
) -> Any:
    """Emit ``llvm.masked.load`` (zeros elsewhere) or ``llvm.masked.store``."""
    single = {"double": "f64", "float": "f32"}.get(str(type.element), str(type.element))
    symbol = f"llvm.masked.{kind}.v{type.count}{single}.p0"
    module = builder.module
    function = module.globals.get(symbol)
    arguments: list[Any]
    if kind == "load":
        arguments = [pointer, I32(alignment), mask, ir.Constant(type, None)]
        result: Any = type
    else:
        arguments, result = [value, pointer, I32(alignment), mask], ir.VoidType()
    if function is None:
        signature = ir.FunctionType(result, [a.type for a in arguments])
        function = ir.Function(module, signature, symbol)
    return builder.call(function, arguments)


