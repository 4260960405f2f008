"""Element operations as LLVM instructions, on scalars or on vectors of any width."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir

from ...core.dims import Dim
from ...core.dtypes import BOOL, INT64, DType
from ...ops.lowering import RELATIONS
from ..vector_math import emit as emit_function

__all__ = ["LlvmEmitter", "element_type", "memory_type"]

# Contraction lets a product and a sum round once; no other liberty is taken with arithmetic.
_FLAGS = ("contract",)

I1, I8, I32, I64 = (ir.IntType(n) for n in (1, 8, 32, 64))


def element_type(dtype: DType) -> Any:
    """Return the LLVM type of one element in a register."""
    if dtype == BOOL:
        return I1
    if dtype.kind == "f":
        return ir.DoubleType() if dtype.itemsize == 8 else ir.FloatType()
    return I64 if dtype.itemsize == 8 else I32


def memory_type(dtype: DType) -> Any:
    """Return the LLVM type of one element in memory; a bool is a byte."""
    return I8 if dtype == BOOL else element_type(dtype)


def intrinsic_call(builder: Any, name: str, result: Any, operands: Any) -> Any:
    """Call ``llvm.<name>`` for the type of the first operand, declaring it once."""
    type = operands[0].type
    single = type.element if isinstance(type, ir.VectorType) else type
    suffix = {"double": "f64", "float": "f32"}.get(str(single), str(single))
    lanes = f"v{type.count}" if isinstance(type, ir.VectorType) else ""
    symbol = f"llvm.{name}.{lanes}{suffix}"
    function = builder.module.globals.get(symbol)
    if function is None:
        signature = ir.FunctionType(result, [o.type for o in operands])
        function = ir.Function(builder.module, signature, symbol)
    return builder.call(function, operands)


class LlvmEmitter:
    """Implements the `Emitter` interface for an LLVM builder.

    Parameters
    ----------
    builder
        Where instructions go.
    width
        Elements per vector; 1 means scalars.
    size_of
        Gives the i64 value of a symbolic size.
    """

    def __init__(self, builder: Any, width: int, size_of: Callable[[int | Dim], Any]) -> None:
        self.builder = builder
        self.width = width
        self.size_of = size_of

    def typed(self, dtype: DType) -> Any:
        """Return the register type of a value of this element type."""
        single = element_type(dtype)
        return single if self.width == 1 else ir.VectorType(single, self.width)

    def mark(self, value: Any, dtype: DType) -> Any:
        """Remember the element type, which LLVM integers do not carry a sign for."""
        value.sciml_dtype = dtype
        return value

    def splat(self, value: Any) -> Any:
        """Repeat a scalar over the vector."""
        if self.width == 1:
            return value
        vector = ir.VectorType(value.type, self.width)
        first = self.builder.insert_element(ir.Constant(vector, ir.Undefined), value, I32(0))
        mask = ir.Constant(ir.VectorType(I32, self.width), [I32(0)] * self.width)
        return self.builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), mask)

    def _signed(self, value: Any) -> bool:
        return getattr(value, "sciml_dtype", INT64).kind != "u"

    @staticmethod
    def _is_float(value: Any) -> bool:
        single = value.type.element if isinstance(value.type, ir.VectorType) else value.type
        return isinstance(single, ir.FloatType | ir.DoubleType)

    def constant(self, value: object, dtype: DType) -> Any:
        single = element_type(dtype)
        number = np.asarray(value).astype(dtype).item()
        type = self.typed(dtype)
        content = [single(number)] * self.width if self.width > 1 else number
        return self.mark(ir.Constant(type, content), dtype)

    def size(self, dim: int | Dim, dtype: DType) -> Any:
        number = self.splat(self.size_of(dim))
        return self.convert(self.mark(number, INT64), INT64, dtype)

    def neg(self, x: Any) -> Any:
        if self._is_float(x):
            return self.builder.fneg(x)
        return self._same(x, self.builder.neg(x))

    def _same(self, x: Any, result: Any) -> Any:
        if hasattr(x, "sciml_dtype"):
            result.sciml_dtype = x.sciml_dtype
        return result

    def add(self, x: Any, y: Any) -> Any:
        if self._is_float(x):
            return self.builder.fadd(x, y, flags=_FLAGS)
        return self._same(x, self.builder.add(x, y))

    def sub(self, x: Any, y: Any) -> Any:
        if self._is_float(x):
            return self.builder.fsub(x, y, flags=_FLAGS)
        return self._same(x, self.builder.sub(x, y))

    def mul(self, x: Any, y: Any) -> Any:
        if self._is_float(x):
            return self.builder.fmul(x, y, flags=_FLAGS)
        return self._same(x, self.builder.mul(x, y))

    def div(self, x: Any, y: Any) -> Any:
        if self._is_float(x):
            return self.builder.fdiv(x, y)
        result = self.builder.sdiv(x, y) if self._signed(x) else self.builder.udiv(x, y)
        return self._same(x, result)

    def compare(self, relation: str, x: Any, y: Any) -> Any:
        symbol = RELATIONS[relation]
        if self._is_float(x):
            if relation == "ne":
                return self.builder.fcmp_unordered(symbol, x, y)
            return self.builder.fcmp_ordered(symbol, x, y)
        if self._signed(x):
            return self.builder.icmp_signed(symbol, x, y)
        return self.builder.icmp_unsigned(symbol, x, y)

    def select(self, condition: Any, x: Any, y: Any) -> Any:
        return self._same(x, self.builder.select(condition, x, y))

    def logical(self, name: str, *operands: Any) -> Any:
        if name == "not":
            return self.builder.not_(operands[0])
        method = self.builder.and_ if name == "and" else self.builder.or_
        return method(*operands)

    def bits(self, name: str, x: Any, y: Any) -> Any:
        methods = {"xor": "xor", "or": "or_", "and": "and_", "shl": "shl", "shr": "lshr"}
        return self._same(x, getattr(self.builder, methods[name])(x, y))

    def convert(self, x: Any, source: DType, target: DType) -> Any:
        if source == target:
            return x
        b, type = self.builder, self.typed(target)
        if target == BOOL:
            return self.compare("ne", x, self.constant(0, source))
        if source == BOOL:
            if target.kind == "f":
                return b.uitofp(x, type)
            return self.mark(b.zext(x, type), target)
        if source.kind == "f" and target.kind == "f":
            return b.fptrunc(x, type) if target.itemsize < source.itemsize else b.fpext(x, type)
        if source.kind == "f":
            result = b.fptosi(x, type) if target.kind == "i" else b.fptoui(x, type)
            return self.mark(result, target)
        if target.kind == "f":
            return b.sitofp(x, type) if source.kind == "i" else b.uitofp(x, type)
        if target.itemsize < source.itemsize:
            x = b.trunc(x, type)
        elif target.itemsize > source.itemsize:
            x = b.sext(x, type) if source.kind == "i" else b.zext(x, type)
        else:
            # the same bits under another name: a copy, so that each name keeps its own sign
            x = b.add(x, ir.Constant(type, None))
        return self.mark(x, target)

    def call(self, name: str, *operands: Any) -> Any:
        if name in ("abs", "floor", "sqrt"):
            intrinsic = {"abs": "fabs", "floor": "floor", "sqrt": "sqrt"}[name]
            type = operands[0].type
            return intrinsic_call(self.builder, intrinsic, type, operands)
        return emit_function(name, self.builder, *operands)
