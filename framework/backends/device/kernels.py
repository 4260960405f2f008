"""Source text of a kernel for each operation of a scheduled program, in any dialect.

One thread computes one element of the result. Sums are computed by one thread per result element
in a fixed order, so that results do not depend on how threads are scheduled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.dims import Dim, Shape, dim_names, product
from ...errors import LoweringError
from ...ir.program import Operation, Program, Value
from ...ops.contraction import free_axes
from ...ops.lowering import Contraction, Elementwise, Movement, Reduction, Scatter, neutral
from ...ops.primitive import primitives
from .dialect import Dialect
from .emitter import CEmitter, CValue

__all__ = ["Kernel", "kernels_of"]


@dataclass(frozen=True)
class Kernel:
    """A kernel function.

    Attributes
    ----------
    name
        Name of the function.
    source
        Its text. Arguments: operand pointers, the result pointer, symbolic sizes, and ``n``, the
        number of elements of the launch.
    result
        Which result of the operation it computes.
    size_names
        Symbolic sizes in the order of the arguments.
    elements
        The value of ``n``.
    """

    name: str
    source: str
    result: int
    size_names: tuple[str, ...]
    elements: int | Dim


def kernels_of(program: Program, dialect: Dialect) -> list[Kernel]:
    """Return the kernels of all operations of a program without tile loops."""
    kernels: list[Kernel] = []
    for operation in program.operations:
        for result in range(len(operation.results)):
            name = f"{operation.name.replace('.', '_')}_{len(kernels)}"
            kernels.append(_Writer(dialect, operation, result, name).kernel())
    return kernels


class _Writer:
    def __init__(self, dialect: Dialect, operation: Operation, result: int, name: str) -> None:
        self.dialect = dialect
        self.operation = operation
        self.result: Value = operation.results[result]
        self.position = result
        self.name = name
        self.emitter = CEmitter(dialect, "        ")

    def kernel(self) -> Kernel:
        """Write the kernel."""
        elements = self._body()
        operation = self.operation
        shapes = tuple(v.type.shape for v in (*operation.operands, *operation.results))
        attributes = [operation.attributes]
        attributes += [o.attributes for r in operation.regions for o in r.block.walk()]
        used = (*shapes, *(v for a in attributes for v in a.values()))
        names = tuple(sorted(dim_names(used)))
        memory, wide = self.dialect.memory, self.dialect.wide
        arguments = [
            f"{memory}const {self.dialect.type_name(v.type.dtype)}* x{k}"
            for k, v in enumerate(operation.operands)
        ]
        arguments.append(f"{memory}{self.dialect.type_name(self.result.type.dtype)}* y")
        arguments += [f"const {wide} {n}" for n in (*names, "n")]
        head = f"{self.dialect.kernel} {self.name}({', '.join(arguments)})"
        lines = "\n".join(self.emitter.lines)
        source = f"{head}\n{{\n    {self.dialect.index} {{\n{lines}\n    }}\n}}\n"
        return Kernel(self.name, source, self.position, names, elements)

    def _body(self) -> int | Dim:
        """Write the statements for flat index i; return the number of elements."""
        operation = self.operation
        if operation.name == "loop.fused":
            return self._fused()
        if operation.name in ("kernel.product", "loop.tile"):
            raise LoweringError(f"{operation.name} is not a device kernel; schedule without it")
        lowering = primitives[operation.name].lowering
        shape = self.result.type.shape
        if isinstance(lowering, Elementwise):
            values = [self._load(k, "i") for k in range(len(operation.operands))]
            self._store("i", lowering.scalar(self.emitter, operation, *values))
        elif isinstance(lowering, Movement):
            index = self.emitter.unravel("i", shape)
            self._store("i", lowering.element(self.emitter, self._load_at, index, operation))
        elif isinstance(lowering, Reduction):
            self._reduce(lowering.kind)
        elif isinstance(lowering, Contraction):
            self._contract()
        elif isinstance(lowering, Scatter):
            self._scatter()
        else:
            raise LoweringError(f"{operation.name} has no kernel of its own; expand it first")
        return product(shape)

    # --- memory -----------------------------------------------------------------------------

    def _load(self, k: int, flat: str) -> CValue:
        return self.emitter.let(self.operation.operands[k].type.dtype, f"x{k}[{flat}]")

    def _load_at(self, k: int, index: Sequence[CValue]) -> CValue:
        shape = self.operation.operands[k].type.shape
        return self._load(k, self.emitter.flat_index(index, shape))

    def _store(self, flat: str, value: Any) -> None:
        self.emitter.line(f"y[{flat}] = {value.text};")

    def _loop(self, size: int | Dim, body: Callable[[CValue], None]) -> None:
        from ...core.dtypes import INT64

        e = self.emitter
        name = f"k{len(e.lines)}"
        wide, limit = self.dialect.wide, e.size_text(size)
        e.line(f"for ({wide} {name} = 0; {name} < {limit}; ++{name}) {{")
        e.indent += "    "
        body(CValue(name, INT64))
        e.indent = e.indent[:-4]
        e.line("}")

    def _loops(self, shape: Shape, body: Callable[[list[CValue]], None]) -> None:
        def level(index: list[CValue]) -> None:
            if len(index) == len(shape):
                body(index)
            else:
                self._loop(shape[len(index)], lambda i: level([*index, i]))

        level([])

    # --- families ---------------------------------------------------------------------------

    def _reduce(self, kind: str) -> None:
        e, source = self.emitter, self.operation.operands[0].type
        axes: Any = self.operation.attributes["axes"]
        kept = [a for a in range(source.rank) if a not in axes]
        index = dict(zip(kept, e.unravel("i", self.result.type.shape), strict=True))
        total = e.variable(source.dtype, e.constant(neutral(kind, source.dtype), source.dtype).text)

        def inner(folded: list[CValue]) -> None:
            full = index | dict(zip(axes, folded, strict=True))
            value = self._load_at(0, [full[a] for a in range(source.rank)])
            self._fold(kind, total, value)

        self._loops(tuple(source.shape[a] for a in axes), inner)
        self._store("i", total)

    def _fold(self, kind: str, total: CValue, value: CValue) -> None:
        e = self.emitter
        if kind in ("sum", "prod"):
            e.line(f"{total.text} {'+' if kind == 'sum' else '*'}= {value.text};")
            return
        relation = ">" if kind == "max" else "<"
        test = f"{value.text} {relation} {total.text} || {value.text} != {value.text}"
        e.line(f"if ({test}) {total.text} = {value.text};")

    def _contract(self) -> None:
        e = self.emitter
        (lc, rc), (lb, rb) = (
            self.operation.attributes["contract"],
            self.operation.attributes["batch"],
        )
        left, right = (v.type for v in self.operation.operands)
        lf, rf = free_axes(left.rank, lc, lb), free_axes(right.rank, rc, rb)
        index = e.unravel("i", self.result.type.shape)
        batch = index[: len(lb)]
        left_free = index[len(batch) : len(batch) + len(lf)]
        right_free = index[len(batch) + len(lf) :]
        total = e.variable(left.dtype, e.constant(0, left.dtype).text)

        def inner(folded: list[CValue]) -> None:
            l = dict(zip((*lb, *lf, *lc), (*batch, *left_free, *folded), strict=True))
            r = dict(zip((*rb, *rf, *rc), (*batch, *right_free, *folded), strict=True))
            x = self._load_at(0, [l[a] for a in range(left.rank)])
            y = self._load_at(1, [r[a] for a in range(right.rank)])
            e.line(f"{total.text} += {x.text} * {y.text};")

        self._loops(tuple(left.shape[a] for a in lc), inner)
        self._store("i", total)

    def _scatter(self) -> None:
        """Each element collects the updates that are addressed to it, in order."""
        e = self.emitter
        operand, indices, _ = (v.type for v in self.operation.operands)
        axis: Any = self.operation.attributes["axis"]
        position = e.unravel("i", operand.shape)
        total = e.variable(operand.dtype, self._load(0, "i").text)

        def inner(at: list[CValue]) -> None:
            row = self._load_at(1, at)
            e.line(f"if ({row.text} == {position[axis].text}) {{")
            value = self._load_at(2, [*position[:axis], *at, *position[axis + 1 :]])
            e.line(f"{total.text} += {value.text}; }}")

        self._loops(indices.shape, inner)
        self._store("i", total)

    def _fused(self) -> int | Dim:
        operation, e = self.operation, self.emitter
        space: Shape = operation.attributes["space"]
        kept: tuple[int, ...] = operation.attributes["kept"][self.position]
        if len(kept) == len(space):
            self._store("i", self._fused_element(e.unravel("i", space)))
            return product(space)
        kept_shape = tuple(space[a] for a in kept)
        index = dict(zip(kept, e.unravel("i", kept_shape), strict=True))
        folded_axes = [a for a in range(len(space)) if a not in kept]
        dtype = self.result.type.dtype
        total = e.variable(dtype, e.constant(0, dtype).text)

        def inner(folded: list[CValue]) -> None:
            full = index | dict(zip(folded_axes, folded, strict=True))
            value = self._fused_element([full[a] for a in range(len(space))])
            e.line(f"{total.text} += {value.text};")

        self._loops(tuple(space[a] for a in folded_axes), inner)
        self._store("i", total)
        return product(kept_shape)

    def _fused_element(self, index: Sequence[CValue]) -> CValue:
        operation, e = self.operation, self.emitter
        block = operation.regions[0].block
        zero = e.constant(0, np.dtype(np.int64))
        values: dict[Value, Any] = {}
        maps: Any = operation.attributes["maps"]
        for k, (argument, walked) in enumerate(zip(block.arguments, maps, strict=True)):
            values[argument] = self._load_at(k, [zero if a < 0 else index[a] for a in walked])
        wanted = block.outputs[self.position]
        needed = {wanted}
        for inner in reversed(block.operations):
            if inner.result in needed:
                needed.update(inner.operands)
        for inner in block.operations:
            if inner.result in needed:
                lowering: Any = primitives[inner.name].lowering
                operands = [values[v] for v in inner.operands]
                values[inner.result] = lowering.scalar(e, inner, *operands)
        result: CValue = values[wanted]
        return result
