"""Loop nests and products as functions of their own, shared by equal operations.

A program of many layers or derivatives repeats the same few movements, reductions and products.
As one function each they are optimised once, and the function of a tile loop stays a short list
of calls: the optimiser takes more than linear time in the length of a function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from ...core.dims import Dim, dim_names
from .emitter import I8, I64
from .loops import SizeOf, Target, polynomial

__all__ = ["OutlinedCode"]

# emit(builder, targets, size_of, library)
Emit = Callable[[Any, Sequence[Target], SizeOf, Any], None]


class OutlinedCode:
    """Makes the functions of loop nests in a module; equal ones share one function."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.functions: dict[str, Any] = {}

    def call(
        self,
        builder: Any,
        signature: tuple[Any, ...],
        targets: Sequence[Target],
        size_of: SizeOf,
        library: Any,
        emit: Emit,
    ) -> None:
        """Emit a call of the function that does what `emit` emits.

        Parameters
        ----------
        signature
            What the code depends on besides the shapes and element types of the targets, with all
            symbolic sizes it uses.
        library
            Pointer to the BLAS pointers.
        """
        used = (signature, tuple(t.shape for t in targets))
        names = sorted(dim_names(used))
        key = repr((used, [t.dtype for t in targets]))
        if key not in self.functions:
            self.functions[key] = self._define(targets, names, library.type, emit)
        pointers = [t.pointer for t in targets]
        sizes = [size_of(Dim.named(n)) for n in names]
        builder.call(self.functions[key], [*pointers, library, *sizes])

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
