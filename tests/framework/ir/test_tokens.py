"""Tokens of the text form."""

import pytest

from sciml.framework.errors import ParseError
from sciml.framework.ir.tokens import parse_error, tokenize


def kinds(text: str) -> list[tuple[str, str]]:
    return [(t.kind, t.text) for t in tokenize(text)[:-1]]


def test_numbers_keep_their_kind() -> None:
    assert kinds("1 -2 1.0 -1e-5 2.5e+3 0x0f") == [
        ("int", "1"), ("int", "-2"), ("float", "1.0"), ("float", "-1e-5"), ("float", "2.5e+3"),
        ("hex", "0x0f"),
    ]  # fmt: skip


def test_comments_end_with_the_line_and_do_not_start_in_strings() -> None:
    assert kinds('a // b "c"\n"// d"') == [("name", "a"), ("string", '"// d"')]


def test_a_string_must_end_on_its_line() -> None:
    with pytest.raises(ParseError, match="line 1, column 3"):
        tokenize('x "abc\n"')


def test_a_long_line_is_cut_around_the_fault() -> None:
    message = str(parse_error("x" * 500 + "!" + "y" * 500, 500, "here"))
    _, line, caret = message.split("\n")
    assert line[caret.index("^")] == "!"
    assert len(line) < 110
