"""The text form of a program; `parse_program` reads it back to the same program.

Grammar, with ``//`` comments allowed wherever there may be a space::

    program    = "program" "@" name "(" arguments ")" "->" "(" types ")" "{" body "}"
    body       = operation* "return" [value ("," value)*]
    operation  = [value ("," value)* "="] name "(" values ")" ["{" pairs "}"] region* [":" types]
    region     = "[" "(" arguments ")" ":" body "]"
    argument   = value ":" type
    type       = dtype "[" [dim ("," dim)*] "]"
    pair       = name "=" attribute
    attribute  = "true" | "false" | "none" | integer | float | string | dtype | "<" dim ">"
               | "(" attributes ")" | "literal" "<" type data ">" | "float" "<" hexadecimal ">"
               | program

A name is an identifier (with dots for operations) or a string.
"""

from __future__ import annotations

import re
import struct

import numpy as np

from ..core.dims import Dim
from ..core.dtypes import dtype_name
from .program import Block, Body, Operation, Program, Value
from .types import Attribute, Literal

__all__ = ["print_attribute", "print_program"]

_PLAIN_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_QUIET_NAN = struct.pack(">d", float("nan"))


def print_attribute(value: Attribute) -> str:
    """Return the text of an attribute; floats keep all their bits."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Dim):
        return f"<{value}>"
    if isinstance(value, np.dtype):
        return dtype_name(value)
    if isinstance(value, Literal):
        return f"literal<{value.type} {_literal(value)}>"
    if isinstance(value, tuple):
        inside = ", ".join(print_attribute(v) for v in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, Body):
        return value.text
    if value is None:
        return "none"
    raise TypeError(f"not an attribute: {value!r}")


def _quoted(text: str) -> str:
    def escape(character: str) -> str:
        if character in _ESCAPES:
            return _ESCAPES[character]
        return character if character.isprintable() else f"\\u{ord(character):06x}"

    return '"' + "".join(escape(c) for c in text) + '"'


def _name(text: str) -> str:
    """A name as it is where it is an identifier, else in quotes: ``<lambda>``, say."""
    return text if _PLAIN_NAME.fullmatch(text) else _quoted(text)


def _number(value: float) -> str:
    # float.__repr__, since a NumPy float is a float that prints its type
    if value == value:
        return float.__repr__(value)
    data = struct.pack(">d", value)
    return "nan" if data == _QUIET_NAN else f"float<0x{data.hex()}>"


def _literal(literal: Literal) -> str:
    """A single finite number in decimal, anything else as the bytes in hexadecimal."""
    if literal.shape == () and literal.dtype.kind != "b":
        number = literal.array.item()
        if number == number and np.asarray(number, literal.dtype).tobytes() == literal.data:
            return repr(number)
    return "0x" + literal.data.hex()


class _Printer:
    def __init__(self) -> None:
        self.names: dict[Value, str] = {}
        self.lines: list[str] = []

    def name(self, value: Value) -> str:
        return self.names[value]

    def define(self, value: Value) -> str:
        self.names[value] = f"%{len(self.names)}"
        return self.names[value]

    def arguments(self, block: Block) -> str:
        return ", ".join(f"{self.define(v)}: {v.type}" for v in block.arguments)

    def block(self, block: Block, indent: str) -> None:
        for operation in block.operations:
            self.operation(operation, indent)
        outputs = ", ".join(self.name(v) for v in block.outputs)
        self.lines.append(f"{indent}return {outputs}".rstrip())

    def operation(self, operation: Operation, indent: str) -> None:
        operands = ", ".join(self.name(v) for v in operation.operands)
        results = ", ".join(self.define(v) for v in operation.results)
        types = ", ".join(str(v.type) for v in operation.results)
        full_name = operation.name if "." in operation.name else f"tensor.{operation.name}"
        left = f"{results} = " if results else ""
        text = f"{indent}{left}{full_name}({operands})"
        if operation.attributes:
            pairs = (f"{_name(k)} = {print_attribute(v)}" for k, v in operation.attributes.items())
            text += f" {{{', '.join(pairs)}}}"
        for region in operation.regions:
            text += f" [({self.arguments(region.block)}):"
            self.lines.append(text)
            self.block(region.block, indent + "  ")
            text = f"{indent}]"
        self.lines.append(f"{text} : {types}" if types else text)


def print_program(program: Program) -> str:
    """Return the text form of a program."""
    printer = _Printer()
    arguments = printer.arguments(program.block)
    outputs = ", ".join(str(v.type) for v in program.outputs)
    printer.lines.append(f"program @{_name(program.name)}({arguments}) -> ({outputs}) {{")
    printer.block(program.block, "  ")
    printer.lines.append("}")
    return "\n".join(printer.lines)
