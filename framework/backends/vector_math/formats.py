"""The two floating-point formats, and the few numbers code generation needs of each."""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir


@dataclass(frozen=True)
class Format:
    """An IEEE 754 binary format.

    Parameters
    ----------
    name
        Key into the coefficient tables, ``"f64"`` or ``"f32"``.
    bits, mantissa, bias
        Width of the word, stored mantissa bits, exponent bias.
    scalar, integer
        The LLVM float type and the integer type of the same width.
    """

    name: str
    bits: int
    mantissa: int
    bias: int
    scalar: ir.Type
    integer: ir.Type

    @property
    def magic(self) -> float:
        """1.5 * 2**mantissa: adding it rounds to an integer, held in the low bits of the sum."""
        return 1.5 * 2.0**self.mantissa

    @property
    def one_bits(self) -> int:
        """The bit pattern of 1.0."""
        return self.bias << self.mantissa

    @property
    def sign_bit(self) -> int:
        """The mask of the sign."""
        return 1 << (self.bits - 1)

    @property
    def smallest_normal(self) -> float:
        """2**(1 - bias)."""
        return 2.0 ** (1 - self.bias)


F64 = Format("f64", 64, 52, 1023, ir.DoubleType(), ir.IntType(64))
F32 = Format("f32", 32, 23, 127, ir.FloatType(), ir.IntType(32))


def format_of(operand: ir.Type) -> Format | None:
    """The format of a scalar or vector type; None if it is not float64 or float32."""
    element = operand.element if isinstance(operand, ir.VectorType) else operand
    for candidate in (F64, F32):
        if element == candidate.scalar:
            return candidate
    return None


def type_suffix(operand: ir.Type) -> str:
    """``v8f64`` for ``<8 x double>``, ``f32`` for ``float``: LLVM's mangling."""
    if isinstance(operand, ir.VectorType):
        return f"v{operand.count}{type_suffix(operand.element)}"
    return "f64" if operand == F64.scalar else "f32"
