"""Element operations as C statements in static single assignment form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.dims import Dim
from ...core.dtypes import BOOL, FLOAT32, INT64, DType
from ...ops.lowering import RELATIONS
from .dialect import Dialect

__all__ = ["CEmitter", "CValue"]

_BITS = {"xor": "^", "or": "|", "and": "&", "shl": "<<", "shr": ">>"}
_FUNCTIONS = {"abs": "fabs"}


@dataclass(frozen=True)
class CValue:
    """An expression without side effects, and its element type."""

    text: str
    dtype: DType


class CEmitter:
    """Implements the `Emitter` interface by appending statements.

    Parameters
    ----------
    dialect
        The language.
    indent
        White space before each statement.
    """

    def __init__(self, dialect: Dialect, indent: str = "    ") -> None:
        self.dialect = dialect
        self.indent = indent
        self.lines: list[str] = []
        self._count = 0

    def line(self, text: str) -> None:
        """Append a line as it is."""
        self.lines.append(self.indent + text)

    def let(self, dtype: DType, expression: str) -> CValue:
        """Name an expression."""
        name = f"t{self._count}"
        self._count += 1
        self.line(f"const {self.dialect.type_name(dtype)} {name} = {expression};")
        return CValue(name, dtype)

    def variable(self, dtype: DType, start: str) -> CValue:
        """Declare a variable that later statements change."""
        name = f"v{self._count}"
        self._count += 1
        self.line(f"{self.dialect.type_name(dtype)} {name} = {start};")
        return CValue(name, dtype)

    # --- the Emitter interface --------------------------------------------------------------

    def constant(self, value: object, dtype: DType) -> CValue:
        number = np.asarray(value).astype(dtype).item()
        if dtype.kind != "f":
            suffix = {"u": "u", "i": "", "b": ""}[dtype.kind] + (
                "ll" if dtype.itemsize == 8 else ""
            )
            suffix = suffix.replace("ll", "l") if self.dialect.wide == "long" else suffix
            if dtype.kind == "i" and number == np.iinfo(dtype).min:
                # C has no negative literals: the magnitude alone would not fit
                return CValue(f"({int(number) + 1}{suffix} - 1)", dtype)
            return CValue(f"({int(number)}{suffix})", dtype)
        if number != number:
            return CValue("(0.0f/0.0f)" if dtype == FLOAT32 else "(0.0/0.0)", dtype)
        if number in (float("inf"), float("-inf")):
            one = "1.0f/0.0f" if dtype == FLOAT32 else "1.0/0.0"
            return CValue(f"({'-' if number < 0 else ''}{one})", dtype)
        return CValue(f"({float(number).hex()}{'f' if dtype == FLOAT32 else ''})", dtype)

    def size(self, dim: int | Dim, dtype: DType) -> CValue:
        return CValue(f"(({self.dialect.type_name(dtype)})({self.size_text(dim)}))", dtype)

    def size_text(self, dim: int | Dim) -> str:
        """Return a size as an expression of the kernel's size arguments."""
        return repr(dim) if isinstance(dim, Dim) else f"{dim}"

    def neg(self, x: CValue) -> CValue:
        return self.let(x.dtype, f"-{x.text}")

    def _binary(self, symbol: str, x: CValue, y: CValue) -> CValue:
        return self.let(x.dtype, f"{x.text} {symbol} {y.text}")

    def add(self, x: CValue, y: CValue) -> CValue:
        return self._binary("+", x, y)

    def sub(self, x: CValue, y: CValue) -> CValue:
        return self._binary("-", x, y)

    def mul(self, x: CValue, y: CValue) -> CValue:
        return self._binary("*", x, y)

    def div(self, x: CValue, y: CValue) -> CValue:
        return self._binary("/", x, y)

    def compare(self, relation: str, x: CValue, y: CValue) -> CValue:
        return self.let(BOOL, f"{x.text} {RELATIONS[relation]} {y.text}")

    def select(self, condition: CValue, x: CValue, y: CValue) -> CValue:
        return self.let(x.dtype, f"{condition.text} ? {x.text} : {y.text}")

    def logical(self, name: str, *operands: CValue) -> CValue:
        if name == "not":
            return self.let(BOOL, f"!{operands[0].text}")
        symbol = "&&" if name == "and" else "||"
        return self.let(BOOL, f"{operands[0].text} {symbol} {operands[1].text}")

    def bits(self, name: str, x: CValue, y: CValue) -> CValue:
        return self._binary(_BITS[name], x, y)

    def convert(self, x: CValue, source: DType, target: DType) -> CValue:
        if source == target:
            return x
        if target == BOOL:
            return self.let(BOOL, f"{x.text} != 0")
        return self.let(target, f"({self.dialect.type_name(target)})({x.text})")

    def call(self, name: str, *operands: CValue) -> CValue:
        dtype = operands[0].dtype
        if name == "logistic":
            decay = self.call("exp", self.neg(operands[0]))
            one = self.constant(1.0, dtype)
            return self.div(one, self.add(one, decay))
        if name == "rsqrt":
            return self.div(self.constant(1.0, dtype), self.call("sqrt", operands[0]))
        function = _FUNCTIONS.get(name, name)
        suffix = self.dialect.float_suffix if dtype == FLOAT32 else ""
        arguments = ", ".join(o.text for o in operands)
        return self.let(dtype, f"{function}{suffix}({arguments})")

    # --- addresses --------------------------------------------------------------------------

    def flat_index(self, index: Sequence[CValue], shape: Sequence[int | Dim]) -> str:
        """Return the row-major position of an index as an expression."""
        flat = "0"
        for i, size in zip(index, shape, strict=True):
            flat = i.text if flat == "0" else f"({flat} * ({self.size_text(size)}) + {i.text})"
        return flat

    def unravel(self, flat: str, shape: Sequence[int | Dim]) -> list[CValue]:
        """Split a flat index into one index per axis."""
        index: list[CValue] = []
        rest = flat
        for size in reversed(shape[1:]):
            step = self.size_text(size)
            index.append(self.let(INT64, f"{rest} % ({step})"))
            rest = self.let(INT64, f"{rest} / ({step})").text
        if shape:
            index.append(CValue(rest, INT64))
        return index[::-1]
