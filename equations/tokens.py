"""Splitting the text of an expression into tokens that know their place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sciml.framework.errors import ParseError

_TOKEN = re.compile(
    r"(?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<sign>\*\*|[-+*/^(),])"
)
_LONGEST = 10_000


@dataclass(frozen=True)
class Token:
    """A number, name or sign, or the end of the text, at an offset."""

    kind: str
    text: str
    offset: int


def error(text: str, offset: int, message: str) -> ParseError:
    """Return a ParseError that shows the line and points at the column."""
    before = text[:offset]
    line = before.count("\n") + 1
    start = before.rfind("\n") + 1
    end = text.find("\n", offset)
    shown = text[start : end if end >= 0 else len(text)].replace("\t", " ")
    column = offset - start + 1
    return ParseError(
        f"line {line}, column {column}: {message}\n  {shown}\n  {' ' * (column - 1)}^"
    )


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a text, with an end token last.

    Raises
    ------
    ParseError
        If the text holds a character that begins no token, or is longer than 10000 characters.
    """
    if not isinstance(text, str):
        raise ParseError(f"an expression must be text, got {type(text).__name__} {text!r}")
    if len(text) > _LONGEST:
        raise error(text, _LONGEST, f"the text is longer than {_LONGEST} characters")
    tokens = []
    offset = 0
    while offset < len(text):
        if text[offset].isspace():
            offset += 1
            continue
        match = _TOKEN.match(text, offset)
        if match is None:
            raise error(text, offset, f"got {text[offset]!r}, expected a number, name or operator")
        tokens.append(Token(str(match.lastgroup), match.group(), offset))
        offset = match.end()
    return [*tokens, Token("end", "", len(text))]
