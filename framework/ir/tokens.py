"""Split the text form of a program into tokens, and report where a text goes wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import ParseError

__all__ = ["Token", "parse_error", "tokenize"]

_TOKEN = re.compile(
    r"""
      (?P<space>(?:\s|//[^\n]*)+)
    | (?P<value>%\w+)
    | (?P<hex>0x[0-9a-f]*)
    | (?P<float>-?\d+(?:\.\d*(?:[eE][+-]?\d+)?|[eE][+-]?\d+))
    | (?P<int>-?\d+)
    | (?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)*)
    | (?P<string>"(?:[^"\\\n]|\\.)*")
    | (?P<mark>->|[-+*@(){}\[\]<>=:,])
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text: its kind, its characters and where it starts."""

    kind: str
    text: str
    start: int

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else repr(self.text)


def parse_error(text: str, start: int, message: str) -> ParseError:
    """Return the error that shows the line and points at the column."""
    line = text.count("\n", 0, start) + 1
    begin = text.rfind("\n", 0, start) + 1
    end = text.find("\n", start)
    shown = text[begin : len(text) if end < 0 else end]
    column = start - begin
    # a long line is cut around the fault
    left = max(0, column - 60)
    window = shown[left : left + 100]
    caret = " " * (column - left) + "^"
    return ParseError(f"line {line}, column {column + 1}: {message}\n  {window}\n  {caret}")


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a text, the last one of kind ``end``."""
    tokens = []
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None or found.lastgroup is None:
            raise parse_error(
                text, position, f"{text[position]!r} starts no token; remove or quote it"
            )
        if found.lastgroup != "space":
            tokens.append(Token(found.lastgroup, found.group(), position))
        position = found.end()
    tokens.append(Token("end", "", len(text)))
    return tokens
