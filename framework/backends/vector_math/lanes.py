"""Values of a fixed number of lanes, with operators that emit instructions.

The functions of this package are written as formulas over `Lanes` (floats), `Bits` (integers of
the same width) and `Mask` (one bit per lane). A Python number is a constant in every lane.

Rounding
--------
``+ - *`` on `Lanes` carry LLVM's ``contract`` flag: a product and the sum that uses it may become
one fused multiply-add where the CPU has it. No other fast-math flag is ever set. The methods
`plus`, `minus` and `times` carry no flag, so that each is rounded by itself: error-free
transformations use them. The code is written so that its bounds hold fused and unfused;
``llvm.fma``, which is a library call on CPUs without it, is not used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from llvmlite import ir

from .formats import F32, F64, Format, type_suffix

CONTRACT = ("contract",)


def _constant(like: ir.Type, number: float) -> ir.Value:
    """`number` in every lane of the type `like`."""
    if isinstance(like, ir.VectorType):
        return ir.Constant(like, [number] * like.count)
    return ir.Constant(like, number)


def lanes_type(element: ir.Type, like: ir.Type) -> ir.Type:
    """`element` with as many lanes as `like` has."""
    return ir.VectorType(element, like.count) if isinstance(like, ir.VectorType) else element


def intrinsic(
    builder: ir.IRBuilder, name: str, result: ir.Type, operands: list[ir.Value]
) -> ir.Value:
    """Call ``llvm.<name>.<type>``, declaring it in the module once."""
    module = builder.module
    symbol = f"llvm.{name}.{type_suffix(operands[0].type)}"
    callee = module.globals.get(symbol)
    if callee is None:
        signature = ir.FunctionType(result, [operand.type for operand in operands])
        callee = ir.Function(module, signature, symbol)
    return builder.call(callee, operands)


@dataclass(frozen=True)
class Mask:
    """One bit per lane."""

    builder: ir.IRBuilder
    value: ir.Value

    def __and__(self, other: Mask) -> Mask:
        return Mask(self.builder, self.builder.and_(self.value, other.value))

    def __or__(self, other: Mask) -> Mask:
        return Mask(self.builder, self.builder.or_(self.value, other.value))

    def __invert__(self) -> Mask:
        return Mask(self.builder, self.builder.not_(self.value))

    def any(self) -> ir.Value:
        """One ``i1``: is any lane set?"""
        kind = self.value.type
        if not isinstance(kind, ir.VectorType):
            return self.value
        word = ir.IntType(kind.count)
        packed = self.builder.bitcast(self.value, word)
        return self.builder.icmp_unsigned("!=", packed, ir.Constant(word, 0))


@dataclass(frozen=True)
class Bits:
    """Integer lanes, as wide as the floats of their format."""

    builder: ir.IRBuilder
    value: ir.Value
    format: Format

    def _with(self, value: ir.Value) -> Bits:
        return Bits(self.builder, value, self.format)

    def _operand(self, other: Bits | int) -> ir.Value:
        if isinstance(other, Bits):
            return other.value
        word = other & ((1 << self.format.bits) - 1)
        return _constant(self.value.type, word)

    def __add__(self, other: Bits | int) -> Bits:
        return self._with(self.builder.add(self.value, self._operand(other)))

    def __sub__(self, other: Bits | int) -> Bits:
        return self._with(self.builder.sub(self.value, self._operand(other)))

    def __rsub__(self, other: int) -> Bits:
        return self._with(self.builder.sub(self._operand(other), self.value))

    def __and__(self, other: Bits | int) -> Bits:
        return self._with(self.builder.and_(self.value, self._operand(other)))

    def __or__(self, other: Bits | int) -> Bits:
        return self._with(self.builder.or_(self.value, self._operand(other)))

    def __xor__(self, other: Bits | int) -> Bits:
        return self._with(self.builder.xor(self.value, self._operand(other)))

    def __lshift__(self, count: int) -> Bits:
        return self._with(self.builder.shl(self.value, self._operand(count)))

    def __rshift__(self, count: int) -> Bits:
        """Logical shift: zeros come in from the left."""
        return self._with(self.builder.lshr(self.value, self._operand(count)))

    def is_nonzero(self) -> Mask:
        return Mask(self.builder, self.builder.icmp_unsigned("!=", self.value, self._operand(0)))

    def is_negative(self) -> Mask:
        return Mask(self.builder, self.builder.icmp_signed("<", self.value, self._operand(0)))

    def floats(self) -> Lanes:
        """The same bits read as floats."""
        target = lanes_type(self.format.scalar, self.value.type)
        return Lanes(self.builder, self.builder.bitcast(self.value, target), self.format)

    def narrow(self) -> Bits:
        """The low halves of 64-bit lanes."""
        target = lanes_type(F32.integer, self.value.type)
        return Bits(self.builder, self.builder.trunc(self.value, target), F32)

    def where(self, mask: Mask, other: Bits | int) -> Bits:
        """This where `mask` is set, else `other`."""
        return self._with(self.builder.select(mask.value, self.value, self._operand(other)))

    def constant(self, word: int) -> Bits:
        return self._with(self._operand(word))


@dataclass(frozen=True)
class Lanes:
    """Float lanes."""

    builder: ir.IRBuilder
    value: ir.Value
    format: Format

    def _with(self, value: ir.Value) -> Self:
        return type(self)(self.builder, value, self.format)

    def _operand(self, other: Lanes | float) -> ir.Value:
        return other.value if isinstance(other, Lanes) else _constant(self.value.type, other)

    def constant(self, number: float) -> Lanes:
        """`number` in every lane."""
        return self._with(self._operand(number))

    def __add__(self, other: Lanes | float) -> Lanes:
        return self._with(self.builder.fadd(self.value, self._operand(other), flags=CONTRACT))

    def __radd__(self, other: float) -> Lanes:
        return self._with(self.builder.fadd(self._operand(other), self.value, flags=CONTRACT))

    def __sub__(self, other: Lanes | float) -> Lanes:
        return self._with(self.builder.fsub(self.value, self._operand(other), flags=CONTRACT))

    def __rsub__(self, other: float) -> Lanes:
        return self._with(self.builder.fsub(self._operand(other), self.value, flags=CONTRACT))

    def __mul__(self, other: Lanes | float) -> Lanes:
        return self._with(self.builder.fmul(self.value, self._operand(other), flags=CONTRACT))

    def __rmul__(self, other: float) -> Lanes:
        return self * other

    def __truediv__(self, other: Lanes | float) -> Lanes:
        return self._with(self.builder.fdiv(self.value, self._operand(other)))

    def __rtruediv__(self, other: float) -> Lanes:
        return self._with(self.builder.fdiv(self._operand(other), self.value))

    def __neg__(self) -> Lanes:
        return self._with(self.builder.fneg(self.value))

    def plus(self, other: Lanes | float) -> Lanes:
        """Sum rounded by itself, never fused with a product."""
        return self._with(self.builder.fadd(self.value, self._operand(other)))

    def minus(self, other: Lanes | float) -> Lanes:
        """Difference rounded by itself, never fused with a product."""
        return self._with(self.builder.fsub(self.value, self._operand(other)))

    def times(self, other: Lanes | float) -> Lanes:
        """Product rounded by itself, never fused with a sum."""
        return self._with(self.builder.fmul(self.value, self._operand(other)))

    def _compare(self, relation: str, other: Lanes | float) -> Mask:
        """Ordered: false where either side is NaN."""
        operand = self._operand(other)
        return Mask(self.builder, self.builder.fcmp_ordered(relation, self.value, operand))

    def __lt__(self, other: Lanes | float) -> Mask:
        return self._compare("<", other)

    def __gt__(self, other: Lanes | float) -> Mask:
        return self._compare(">", other)

    def __ge__(self, other: Lanes | float) -> Mask:
        return self._compare(">=", other)

    def equals(self, other: Lanes | float) -> Mask:
        return self._compare("==", other)

    def is_nan(self) -> Mask:
        return Mask(self.builder, self.builder.fcmp_unordered("uno", self.value, self.value))

    def where(self, mask: Mask, other: Lanes | float) -> Lanes:
        """This where `mask` is set, else `other`."""
        return self._with(self.builder.select(mask.value, self.value, self._operand(other)))

    def clamp(self, low: float | None = None, high: float | None = None) -> Lanes:
        """Limit to [low, high]; a NaN stays."""
        result = self
        if high is not None:
            result = self.constant(high).where(result > high, result)
        if low is not None:
            result = self.constant(low).where(result < low, result)
        return result

    def bits(self) -> Bits:
        """The same bits read as integers."""
        target = lanes_type(self.format.integer, self.value.type)
        return Bits(self.builder, self.builder.bitcast(self.value, target), self.format)

    def _unary(self, name: str) -> Lanes:
        return self._with(intrinsic(self.builder, name, self.value.type, [self.value]))

    def abs(self) -> Lanes:
        return self._unary("fabs")

    def sqrt(self) -> Lanes:
        return self._unary("sqrt")

    def with_sign_of(self, other: Lanes) -> Lanes:
        """This magnitude, the other's sign bit."""
        operands = [self.value, other.value]
        return self._with(intrinsic(self.builder, "copysign", self.value.type, operands))

    def to_double(self) -> Lanes:
        """The same numbers in float64: exact."""
        target = lanes_type(F64.scalar, self.value.type)
        return Lanes(self.builder, self.builder.fpext(self.value, target), F64)

    def to_single(self) -> Lanes:
        """Rounded to float32."""
        target = lanes_type(F32.scalar, self.value.type)
        return Lanes(self.builder, self.builder.fptrunc(self.value, target), F32)


def horner(x: Lanes, coefficients: tuple[float, ...]) -> Lanes:
    """c_0 + x (c_1 + x (c_2 + ...))."""
    total = x.constant(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = total * x + coefficient
    return total
