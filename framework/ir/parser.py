"""Read the text form of a program: the exact inverse of `print_program`."""

from __future__ import annotations

import re
import struct
from collections import ChainMap
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from ..core.dims import Dim, Shape
from ..core.dtypes import DType, dtype_from_name
from ..errors import DtypeError, ParseError
from .program import Block, Body, Operation, Program, Region, Value
from .tokens import Token, parse_error, tokenize
from .types import Attribute, Attributes, Literal, TensorType

__all__ = ["parse_program"]

_ESCAPE = re.compile(r"\\(u[0-9a-f]{6}|.)")
_ESCAPED = {"\\": "\\", '"': '"', "n": "\n", "t": "\t", "r": "\r"}
_WORDS: dict[str, Attribute] = {
    "true": True, "false": False, "none": None, "nan": float("nan"), "inf": float("inf"),
}  # fmt: skip

T = TypeVar("T")
Scope = ChainMap[str, Value]


def parse_program(text: str) -> Program:
    """Parse a program.

    Parameters
    ----------
    text
        What `print_program` gives, or text by hand in the same grammar: values may have any
        names after ``%``, and ``//`` starts a comment.

    Returns
    -------
    Program
        Equal in structure to the printed one; `verify` checks the rules of the operations.

    Raises
    ------
    ParseError
        With line, column, what was found and what was expected there.

    Examples
    --------
    >>> program = parse_program('''
    ... program @twice(%x: f64[N]) -> (f64[N]) {
    ...   %y = tensor.add(%x, %x) : f64[N]
    ...   return %y
    ... }''')
    >>> program.operations
    [<add f64[N]>]
    """
    parser = _Parser(text)
    program = parser.program()
    parser.kind("end", "the end of the text after the program")
    return program


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.position = 0

    # --- tokens -----------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def error(self, message: str, token: Token | None = None) -> ParseError:
        return parse_error(self.text, (token or self.token).start, message)

    def take(self) -> Token:
        token = self.token
        self.position += 1
        return token

    def at(self, mark: str) -> bool:
        token = self.token
        return token.text == mark and token.kind in ("mark", "name")

    def accept(self, mark: str) -> bool:
        if self.at(mark):
            self.position += 1
            return True
        return False

    def expect(self, mark: str, where: str) -> None:
        if not self.accept(mark):
            raise self.error(f"expected {mark!r} {where}, got {self.token}")

    def kind(self, kind: str, what: str) -> Token:
        if self.token.kind != kind:
            raise self.error(f"expected {what}, got {self.token}")
        return self.take()

    def listed(self, item: Callable[[], T], end: str) -> list[T]:
        """Items between commas up to the end mark, which is taken."""
        items: list[T] = []
        while not self.accept(end):
            if items:
                self.expect(",", f"or {end!r} in a list")
            items.append(item())
        return items

    # --- structure --------------------------------------------------------------------------

    def program(self) -> Program:
        self.expect("program", "at the start of a program")
        self.expect("@", "before the name of the program")
        name = self.name("the name of the program")
        block = Block()
        scope: Scope = ChainMap()
        self.arguments(block, scope)
        self.expect("->", "after the arguments")
        start = self.token
        self.expect("(", "before the result types")
        types = self.listed(self.type, ")")
        self.expect("{", "before the body")
        self.body(block, scope, "}")
        if types != [v.type for v in block.outputs]:
            returned = ", ".join(str(v.type) for v in block.outputs)
            raise self.error(
                f"the result types differ from the returned values ({returned})", start
            )
        return Program(name, block)

    def arguments(self, block: Block, scope: Scope) -> None:
        self.expect("(", "before the arguments")

        def argument() -> None:
            token = self.kind("value", "an argument such as %x")
            self.expect(":", "between an argument and its type")
            self.define(scope, token, block.add_argument(self.type()))

        self.listed(argument, ")")

    def body(self, block: Block, scope: Scope, end: str) -> None:
        while not self.at("return"):
            block.operations.append(self.operation(scope))
        self.take()
        if self.token.kind == "value":
            block.outputs.append(self.use(scope))
            while self.accept(","):
                block.outputs.append(self.use(scope))
        self.expect(end, "after the returned values")

    def define(self, scope: Scope, token: Token, value: Value) -> None:
        if token.text in scope:
            raise self.error(f"{token.text} is defined twice; give every value its own name", token)
        scope[token.text] = value

    def use(self, scope: Scope) -> Value:
        token = self.kind("value", "a value such as %x")
        if token.text not in scope:
            raise self.error(f"{token.text} is not defined before this use", token)
        return scope[token.text]

    def operation(self, scope: Scope) -> Operation:
        results: list[Token] = []
        if self.token.kind == "value":
            results.append(self.take())
            while self.accept(","):
                results.append(self.kind("value", "a result such as %x"))
            self.expect("=", "between results and operation")
        start = self.kind("name", "an operation or 'return'")
        if "." not in start.text:
            raise self.error(f"{start} lacks its dialect; write 'tensor.{start.text}'", start)
        name = start.text.removeprefix("tensor.")
        self.expect("(", "before the operands")
        operands = self.listed(lambda: self.use(scope), ")")
        attributes = self.attributes() if self.accept("{") else {}
        regions = []
        while self.accept("["):
            inner = Block()
            below = scope.new_child()
            self.arguments(inner, below)
            self.expect(":", "before the body of a region")
            self.body(inner, below, "]")
            regions.append(Region(inner))
        types = [self.type()] if self.accept(":") else []
        while types and self.accept(","):
            types.append(self.type())
        if len(types) != len(results):
            raise self.error(
                f"{name} names {len(results)} results but gives {len(types)} types", start
            )
        operation = Operation(name, operands, attributes, types, regions)
        for token, value in zip(results, operation.results, strict=True):
            self.define(scope, token, value)
        return operation

    # --- names and types --------------------------------------------------------------------

    def name(self, what: str) -> str:
        if self.token.kind == "string":
            return self.string()
        token = self.kind("name", what)
        if "." in token.text:
            raise self.error(f"{what} must be quoted if it is not an identifier", token)
        return token.text

    def string(self) -> str:
        token = self.take()

        def unescape(found: re.Match[str]) -> str:
            code = found.group(1)
            if len(code) == 7:
                return chr(int(code[1:], 16))
            if code not in _ESCAPED:
                raise self.error(f"unknown escape {found.group()!r} in a string", token)
            return _ESCAPED[code]

        return _ESCAPE.sub(unescape, token.text[1:-1])

    def dtype(self) -> DType:
        token = self.kind("name", "an element type such as f64")
        try:
            return dtype_from_name(token.text)
        except DtypeError as error:
            raise self.error(str(error), token) from None

    def type(self) -> TensorType:
        dtype = self.dtype()
        self.expect("[", "after the element type")
        return TensorType(tuple(self.listed(self.dim, "]")), dtype)

    def dim(self) -> int | Dim:
        """A polynomial such as ``2*N*M+N-1``; ``N-1`` comes as a name and the number -1."""
        total = self.term(-1 if self.accept("-") else 1)
        while True:
            if self.accept("+"):
                total = total + self.term(1)
            elif self.accept("-"):
                total = total + self.term(-1)
            elif self.token.kind == "int" and self.token.text.startswith("-"):
                total = total + self.term(1)
            else:
                return total

    def term(self, sign: int) -> int | Dim:
        total = sign * self.factor()
        while self.accept("*"):
            total = total * self.factor()
        return total

    def factor(self) -> int | Dim:
        token = self.take()
        if token.kind == "int":
            return int(token.text)
        if token.kind == "name" and token.text.isidentifier():
            return Dim.named(token.text)
        raise self.error(f"expected a size such as 3 or N, got {token}", token)

    # --- attributes -------------------------------------------------------------------------

    def attributes(self) -> Attributes:
        found: Attributes = {}

        def pair() -> None:
            start = self.token
            key = self.name("an attribute name")
            self.expect("=", "after an attribute name")
            if key in found:
                raise self.error(f"attribute {key!r} is given twice", start)
            found[key] = self.attribute()

        self.listed(pair, "}")
        return found

    def attribute(self) -> Attribute:
        token = self.token
        if token.kind == "int":
            return int(self.take().text)
        if token.kind == "float":
            return float(self.take().text)
        if token.kind == "string":
            return self.string()
        if token.kind == "name":
            return self.word()
        if self.accept("-"):
            if not self.accept("inf"):
                raise self.error(f"expected 'inf' after '-', got {self.token}")
            return -float("inf")
        if self.accept("<"):
            size = self.dim()
            self.expect(">", "after a size")
            return size
        if self.accept("("):
            return self.items()
        raise self.error(f"expected an attribute, got {token}")

    def items(self) -> tuple[Attribute, ...]:
        items: list[Attribute] = []
        while not self.accept(")"):
            items.append(self.attribute())
            if not self.accept(","):
                self.expect(")", "or ',' in a tuple")
                if len(items) == 1:
                    raise self.error(
                        "a tuple of one entry is written (a,)", self.tokens[self.position - 1]
                    )
                break
        return tuple(items)

    def word(self) -> Attribute:
        token = self.token
        if token.text in _WORDS:
            self.take()
            return _WORDS[token.text]
        if token.text == "program":
            return Body(self.program())
        if token.text == "literal":
            self.take()
            return self.literal(token)
        if token.text == "float":
            self.take()
            self.expect("<", "after 'float'")
            data = self.raw(8)
            self.expect(">", "after the bytes of a float")
            return float(struct.unpack(">d", data)[0])
        return self.dtype()

    def raw(self, count: int) -> bytes:
        token = self.kind("hex", "bytes such as 0x00ff")
        digits = token.text[2:]
        if len(digits) != 2 * count:
            raise self.error(
                f"expected {count} bytes ({2 * count} digits), got {len(digits)} digits", token
            )
        return bytes.fromhex(digits)

    def literal(self, start: Token) -> Literal:
        self.expect("<", "after 'literal'")
        type = self.type()
        shape = _known(type.shape)
        if shape is None:
            raise self.error("a literal needs a shape of numbers", start)
        if self.token.kind == "hex":
            data = self.raw(int(np.prod(shape, dtype=np.int64)) * type.dtype.itemsize)
        else:
            data = self.number(type)
        self.expect(">", "after the data of a literal")
        return Literal(shape, type.dtype, data)

    def number(self, type: TensorType) -> bytes:
        """The bytes of a single number in decimal."""
        token = self.token
        value = self.attribute()
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        if not plain or type.shape != () or type.dtype.kind == "b":
            raise self.error(f"{type} data must be bytes such as 0x00ff", token)
        if type.dtype.kind != "f" and not isinstance(value, int):
            raise self.error(f"{type} data must be an integer, got {token}", token)
        try:
            return np.asarray(value, type.dtype).tobytes()
        except (OverflowError, ValueError):
            raise self.error(f"{token} does not fit {type}", token) from None


def _known(shape: Shape) -> tuple[int, ...] | None:
    known = tuple(s for s in shape if isinstance(s, int))
    return known if len(known) == len(shape) else None
