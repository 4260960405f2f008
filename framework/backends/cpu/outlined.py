"""Loop nests and products as functions of their own, shared by equal operations.

A program of many layers or derivatives repeats the same few movements, reductions and products.
As one function each they are optimised once, and the function of a tile loop stays a short list
of calls: the optimiser takes more than linear time in the length of a function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from llvmlite import ir

from ...core.dims import Dim, dim_names
from ...ir.program import Operation
from ...ir.types import Attributes
from ...ops.lowering import Movement, Reduction
from ...ops.primitive import primitives
from .emitter import I8, I64
from .loops import SizeOf, Target, emit_movement, emit_reduction, emit_scatter, polynomial
from .products import emit_product

__all__ = ["OutlinedCode"]

# emit(builder, targets, size_of, library)
Emit = Callable[[Any, Sequence[Target], SizeOf, Any], None]


class Scope(Protocol):
    """Where a call is emitted: builder, size values, pointer to the BLAS pointers."""

    builder: Any
    library: Any

    def size_of(self, dim: int | Dim) -> Any: ...


class OutlinedCode:
    """Makes the functions of loop nests and products in a module."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.functions: dict[str, Any] = {}

    def nest(
        self, scope: Scope, operation: Operation, operands: Sequence[Target], result: Target
    ) -> None:
        """Emit a call that moves, folds or scatters elements."""
        lowering = primitives[operation.name].lowering

        def emit(builder: Any, targets: Sequence[Target], size_of: SizeOf, library: Any) -> None:
            *sources, target = targets
            if isinstance(lowering, Movement):
                emit_movement(builder, operation, sources, target, size_of)
            elif isinstance(lowering, Reduction):
                emit_reduction(builder, operation, sources[0], target, size_of)
            else:
                emit_scatter(builder, operation, sources, target, size_of)

        types = tuple((v.type.shape, v.type.dtype) for v in operation.operands)
        signature = (operation.name, types, tuple(operation.attributes.items()))
        self._call(scope, signature, [*operands, result], emit)

    def product(
        self,
        scope: Scope,
        attributes: Attributes,
        targets: Sequence[Target],
        members: int = 1,
        form: str = "stacked",
        accumulate: bool = False,
    ) -> None:
        """Emit a call of a product of targets (left, right, result); see `emit_product`."""

        def emit(builder: Any, inside: Sequence[Target], size_of: SizeOf, library: Any) -> None:
            left, right, result = inside
            emit_product(
                builder, attributes, left, right, result, size_of, library,
                members=members, form=form, accumulate=accumulate,
            )  # fmt: skip

        dimensions = (attributes["contract"], attributes["batch"])
        self._call(scope, ("product", dimensions, members, form, accumulate), targets, emit)

    def _call(
        self, scope: Scope, signature: tuple[Any, ...], targets: Sequence[Target], emit: Emit
    ) -> None:
        """Emit a call of the function of a signature, made at its first use.

        The signature holds what the code depends on besides the shapes and element types of the
        targets, with all symbolic sizes it uses.
        """
        used = (signature, tuple(t.shape for t in targets))
        names = sorted(dim_names(used))
        key = repr((used, [t.dtype for t in targets]))
        if key not in self.functions:
            self.functions[key] = self._define(targets, names, scope.library.type, emit)
        pointers = [t.pointer for t in targets]
        sizes = [scope.size_of(Dim.named(n)) for n in names]
        scope.builder.call(self.functions[key], [*pointers, scope.library, *sizes])

    def _define(
        self, targets: Sequence[Target], names: Sequence[str], library: Any, emit: Emit
    ) -> Any:
        count = len(targets)
        types = [*([I8.as_pointer()] * count), library, *([I64] * len(names))]
        name = f"outlined_{len(self.functions)}"
        function = ir.Function(self.module, ir.FunctionType(ir.VoidType(), types), name)
        function.linkage = "internal"
        function.attributes.add("noinline")
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        sizes = dict(zip(names, function.args[count + 1 :], strict=True))

        def size_of(dim: int | Dim) -> Any:
            return polynomial(builder, dim, sizes)

        inside = [Target(p, t.shape, t.dtype) for p, t in zip(function.args, targets, strict=False)]
        emit(builder, inside, size_of, function.args[count])
        builder.ret_void()
        return function
